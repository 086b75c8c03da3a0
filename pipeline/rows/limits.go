package rows

import (
	"cmp"
	"errors"
	"slices"

	"tfr-build/pipeline/config"
	"tfr-build/pipeline/strata"
)

// Limits numbers the values of the columns that `limit` names in `per`, and has the last row of each
// value that is within the limit. Goroutines may share it.
type Limits struct {
	limits config.RowLimits
	valueNumbers
	ends LimitEnds // nil until all rows are known
}

// A limitedSplit is the limit of a split.
type limitedSplit struct {
	column int   // number of the column whose values are counted; -1 for none
	rows   int64 // 0 if the split has no limit
}

// newLimits returns the limits of a config; nil if no split has a limit for each value of a column.
func newLimits(cfg *config.Config) *Limits {
	names := cfg.Limit.Columns()
	if names == nil {
		return nil
	}
	l := &Limits{limits: cfg.Limit, valueNumbers: valueNumbers{cfg: cfg}}
	for _, name := range names {
		i := slices.IndexFunc(cfg.Limit, func(r config.RowLimit) bool { return r.Per == name })
		l.columns = append(l.columns, valueColumn{cfg.Limit[i].At() + ".per", name})
	}
	return l
}

// limitOf returns the first limit that needs a column of the rows of a source; nil for none.
func limitOf(cfg *config.Config, src *Source, name string) *config.RowLimit {
	needs := func(l config.RowLimit) bool { return l.Per == name && src.Config.Split.CanBe(l.Split) }
	i := slices.IndexFunc(cfg.Limit, needs)
	if i < 0 {
		return nil
	}
	return &cfg.Limit[i]
}

// limitColumns returns the columns of limits that a source needs, by number; nil if it needs none.
func (src *Source) limitColumns(decides func(name string) *deciding) (list []*deciding) {
	for i, of := range src.set.Limits.columns {
		if limitOf(src.set.Config, src, of.name) != nil {
			if list == nil {
				list = make([]*deciding, len(src.set.Limits.columns))
			}
			list[i] = decides(of.name)
		}
	}
	return list
}

// of returns the limit of a split.
func (l *Limits) of(split string) *limitedSplit {
	r := l.limits.Of(split)
	switch {
	case r == nil:
		return &limitedSplit{column: -1}
	case r.Per == "":
		return &limitedSplit{-1, r.Rows}
	}
	return &limitedSplit{slices.IndexFunc(l.columns, func(c valueColumn) bool { return c.name == r.Per }), r.Rows}
}

// Columns returns the number of columns.
func (l *Limits) Columns() int { return len(l.columns) }

// Forget removes all values and the last rows.
func (l *Limits) Forget() {
	l.forget()
	l.ends = nil
}

// ForgetPending removes what is known of strata and limits.
func (s *Set) ForgetPending() {
	if s.Strata != nil {
		s.Strata.Forget()
	}
	if s.Limits != nil {
		s.Limits.Forget()
	}
}

// Decide sets the last rows. From then on no value is new.
func (l *Limits) Decide(ends LimitEnds) { l.ends, l.closed = ends, true }

// Restore sets the values and the last rows, as a stopped build or another process stored them.
func (l *Limits) Restore(values strata.Values, ends LimitEnds) error {
	for i := range ends {
		if ends[i].Column < 0 || ends[i].Column >= l.Columns() {
			return errDamagedEnds
		}
	}
	l.Forget()
	for _, v := range values {
		if v.Population >= l.Columns() {
			return errDamagedEnds
		}
	}
	if _, err := l.AddAll(values); err != nil {
		return err
	}
	l.Decide(ends)
	return nil
}

// Ends returns the last rows; nil until all rows are known.
func (l *Limits) Ends() LimitEnds { return l.ends }

// numberValues numbers the values of the row in the columns that its split needs.
func (c *Chooser) numberValues(s *sourceChooser) (string, error) {
	for i, of := range s.decider.per {
		if of == nil || !c.needsValue(s.decider, i) {
			continue
		}
		missing, text, err := of.optional(c.vals)
		if err != nil {
			return "", err
		}
		if c.facts.Values[i], err = c.values.number(&c.set.Limits.valueNumbers, i, missing, text); err != nil {
			return "", err
		}
	}
	return "", nil
}

// needsValue reports whether the limit of the row's split counts the values of a column. A stratified row
// needs the values for all splits that it can be in.
func (c *Chooser) needsValue(d *decider, column int) bool {
	if d.strata != nil {
		return true
	}
	split := c.facts.Split
	for len(c.limits) <= int(split) {
		c.limits = append(c.limits, nil)
	}
	if c.limits[split] == nil {
		c.limits[split] = c.set.Limits.of(c.set.Splits.Name(split))
	}
	return c.limits[split].column == column
}

// A LimitCounter counts the rows of each value of a split, in output order.
type LimitCounter struct {
	Column int // number of the column
	rows   int64
	counts map[uint32]int64 // by number of the value
}

// NewCounter returns a counter for a split; nil if the split has no limit for each value.
func (l *Limits) NewCounter(split string) *LimitCounter {
	of := l.of(split)
	if of.column < 0 {
		return nil
	}
	return &LimitCounter{of.column, of.rows, map[uint32]int64{}}
}

// Add counts a row with a value, or the records of a group. within is how many of them are within the
// limit. last reports whether they have the last one that can be.
func (c *LimitCounter) Add(number, records uint32) (within uint32, last bool) {
	left := c.rows - c.counts[number]
	c.counts[number] += int64(records)
	return uint32(max(0, min(left, int64(records)))), 0 < left && left <= int64(records)
}

// AddAll adds the rows of another counter of the split.
func (c *LimitCounter) AddAll(of *LimitCounter) {
	for number, n := range of.counts {
		c.counts[number] += n
	}
}

// CountAbove returns how many of the counted rows are above the limit.
func (c *LimitCounter) CountAbove() (n int64) {
	for _, rows := range c.counts {
		n += max(0, rows-c.rows)
	}
	return n
}

// LimitEnds are the last rows within the limit, by split.
type LimitEnds []SplitEnds

// SplitEnds are the last rows of a split.
type SplitEnds struct {
	Column int                // number of the column
	Last   map[uint32]LastRow // by number of the value
}

// A LastRow is the last row of a value within its limit, or the last group.
type LastRow struct {
	SortAt
	Windows uint32 // of the group, within the limit; 1 for a row
}

// SortAt is the position of a row in the order of its split: the sort key, and for equal keys the
// position in source order.
type SortAt struct{ Key, Position uint64 }

// Compare returns a negative number if a is before b, and a positive one if it is after b.
func (a SortAt) Compare(b SortAt) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Position, b.Position))
}

// Of returns the last rows of a split; nil if no value has more rows than the limit.
func (e LimitEnds) Of(split uint8) *SplitEnds {
	if int(split) >= len(e) || len(e[split].Last) == 0 {
		return nil
	}
	return &e[split]
}

// IsAbove reports whether a row is above the limit of its value.
func (s *SplitEnds) IsAbove(number uint32, at SortAt) bool {
	last, ok := s.Last[number]
	return ok && at.Compare(last.SortAt) > 0
}

// Windows returns how many windows of a group that is not beyond the limit of its value are within it.
func (s *SplitEnds) Windows(number uint32, at SortAt, windows int) int {
	if last, ok := s.Last[number]; ok && last.SortAt == at {
		return min(windows, int(last.Windows))
	}
	return windows
}

var errDamagedEnds = errors.New("the limits of values are damaged")
