package statistics

import (
	"maps"
	"slices"
	"sync/atomic"
)

// A Summary has the counts of some records of one split. It depends on the records alone, not on
// their order or on the counters; so does a Summary that parts were merged into.
type Summary struct {
	layout      *Layout
	candidates  *Candidates
	count       records
	fields      []*column        // by field of the layout; nil without values
	others      map[name]*column // columns outside the layout
	hasMoreKeys bool             // others was trimmed
	digest      uint64           // of the layout and the candidates
	areWide     []atomic.Bool    // by field: the column of the split needs a sketch; shared with its parts
}

// NewSummary returns an empty Summary of a split. candidates may be nil.
func (l *Layout) NewSummary(candidates *Candidates) *Summary {
	return l.newSummary(candidates, l.digest(candidates), make([]atomic.Bool, len(l.fields)))
}

func (l *Layout) newSummary(candidates *Candidates, digest uint64, areWide []atomic.Bool) *Summary {
	return &Summary{layout: l, candidates: candidates, digest: digest, areWide: areWide,
		fields: make([]*column, len(l.fields)), others: map[name]*column{}}
}

// NewPart returns an empty Summary of some records of s, to be merged into s. A column that needs a sketch in s
// or in any part is counted in a sketch from then on, which takes less time than a table that becomes one.
func (s *Summary) NewPart() *Summary {
	return s.layout.newSummary(s.candidates, s.digest, s.areWide)
}

// Records returns the number of counted records.
func (s *Summary) Records() int64 { return s.count.n }

// column returns the column with that name, and creates it if necessary. field is the index in
// the layout; it is negative for a column outside the layout.
func (s *Summary) column(n name, field int, shape *shape) *column {
	if field >= 0 {
		if s.fields[field] == nil {
			s.fields[field] = &column{shape: *shape}
		}
		return s.fields[field]
	}
	c := s.others[n]
	if c == nil {
		c = &column{shape: *shape}
		s.others[n] = c
	}
	return c
}

// maxKeys is the maximum number of columns outside the layout. The first ones in order are
// kept. These are also among the first ones of any subset of the records.
const maxKeys = 1 << 14

// trimKeys drops the columns after the first maxKeys, if there are more than most.
func (s *Summary) trimKeys(most int) {
	if len(s.others) <= most {
		return
	}
	s.hasMoreKeys = true
	names := slices.SortedFunc(maps.Keys(s.others), compareNames)
	for _, n := range names[maxKeys:] {
		delete(s.others, n)
	}
}

// Merge adds the counts of another Summary with the same layout and candidates.
func (s *Summary) Merge(other *Summary) {
	s.count.add(other.count)
	for i, c := range other.fields {
		if c != nil {
			n := s.layout.fieldName(i)
			s.column(n, i, &c.shape).merge(c, s.candidates.forColumn(n))
			s.noteWide(i)
		}
	}
	for n, c := range other.others {
		s.column(n, -1, &c.shape).merge(c, s.candidates.forColumn(n))
	}
	s.hasMoreKeys = s.hasMoreKeys || other.hasMoreKeys
	s.trimKeys(2 * maxKeys)
}

// noteWide notes whether the column of a field has a sketch.
func (s *Summary) noteWide(field int) {
	if s.fields[field].wide != nil && !s.areWide[field].Load() {
		s.areWide[field].Store(true)
	}
}

// ParseFewer is ParseSummary for a summary of a layout with fewer classes: the first ones of each feature. classes
// returns their number. The result is of this layout.
func (l *Layout) ParseFewer(data []byte, candidates *Candidates, classes func(f *Feature) int) (*Summary, error) {
	fewer := *l
	fewer.fields = slices.Clone(l.fields)
	for i := range fewer.fields {
		f := &fewer.fields[i]
		f.Classes = f.Classes[:min(classes(f), len(f.Classes))]
	}
	s, err := fewer.ParseSummary(data, candidates)
	if err != nil {
		return nil, err
	}
	all := l.NewSummary(candidates)
	for i := range s.fields {
		if s.fields[i] != nil {
			shape := l.shapeOf(&l.fields[i])
			all.column(l.fieldName(i), i, &shape)
		}
	}
	all.Merge(s)
	return all, nil
}
