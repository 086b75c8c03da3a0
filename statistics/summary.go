package statistics

import (
	"maps"
	"slices"
)

// A Summary is what was counted of some records of one split. It depends on them
// alone, and not on their order or on who counted them.
type Summary struct {
	layout     *Layout
	candidates *Candidates
	count      records
	fields     []*column // of the layout; nil where nothing was counted
	others     map[name]*column
	isCut      bool   // there are more others, which were left out
	digested   uint64 // the digest of the layout, once it is known
}

// NewSummary returns an empty Summary of a split with those candidates, which may be
// nil.
func (l *Layout) NewSummary(candidates *Candidates) *Summary {
	return &Summary{layout: l, candidates: candidates, fields: make([]*column, len(l.fields)), others: map[name]*column{}}
}

// Records is how many records were counted.
func (s *Summary) Records() int64 { return s.count.n }

// column is that of a name, of the field of that number or of none.
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

// mostKeys is how many keys are counted that the layout lacks, by their lists: the
// first ones in order. Those are among the first of any part of the records, too.
const mostKeys = 1 << 14

// cutKeys leaves out all but the first keys, if there are more than most.
func (s *Summary) cutKeys(most int) {
	if len(s.others) <= most {
		return
	}
	s.isCut = true
	names := slices.SortedFunc(maps.Keys(s.others), compareNames)
	for _, n := range names[mostKeys:] {
		delete(s.others, n)
	}
}

// Merge adds what another Summary of the same layout and candidates has counted.
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
	s.isCut = s.isCut || other.isCut
	s.cutKeys(2 * mostKeys)
}
