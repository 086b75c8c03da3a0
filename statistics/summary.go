package statistics

import (
	"maps"
	"slices"
)

// A Summary has the counts of some records of one split. It depends on the records alone, not on
// their order or on the counters.
type Summary struct {
	layout       *Layout
	candidates   *Candidates
	count        records
	fields       []*column        // by field of the layout; nil without values
	others       map[name]*column // columns outside the layout
	hasMoreKeys  bool             // others was trimmed
	layoutDigest uint64           // 0 until digest computes it
}

// NewSummary returns an empty Summary of a split. candidates may be nil.
func (l *Layout) NewSummary(candidates *Candidates) *Summary {
	return &Summary{layout: l, candidates: candidates, fields: make([]*column, len(l.fields)), others: map[name]*column{}}
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
		}
	}
	for n, c := range other.others {
		s.column(n, -1, &c.shape).merge(c, s.candidates.forColumn(n))
	}
	s.hasMoreKeys = s.hasMoreKeys || other.hasMoreKeys
	s.trimKeys(2 * maxKeys)
}
