package plan

import (
	"math/bits"

	"tfr-build/pipeline/config"
)

// A Size is the size of a row in a sample, or the mean size.
type Size struct {
	Record uint64 `json:"record"` // size of its record in bytes; 0 if unknown
	Raw    uint64 `json:"raw"`    // size of its text in bytes
}

// Counted has the counts of a split.
type Counted struct {
	Name      string `json:"name"`
	Rows      int    `json:"rows"`
	OverLimit int    `json:"beyond,omitempty"` // rows above the limit of their value, which are among Rows
	Measured  int    `json:"measured"`         // rows whose size is estimated from a sample
	Listed    uint64 `json:"listed"`           // total size of the other rows in bytes
	Mean      Size   `json:"mean"`             // of the sample

	Candidates []byte `json:"candidates,omitempty"` // of the sample, as Split.Candidates

	Kept *Kept `json:"kept,omitempty"` // see Split
}

// Pool sets the mean size and the candidates of all splits, and gives each split its part of the
// listed size. It is for splits whose rows depend on other rows: a scan knows sizes before splits.
func Pool(counted []Counted, mean Size, candidates []byte) {
	all := Counted{}
	for i := range counted {
		c := &counted[i]
		all.Rows, all.Measured, all.Listed = all.Rows+c.Rows, all.Measured+c.Measured, all.Listed+c.Listed
	}
	for i := range counted {
		c := &counted[i]
		c.Mean, c.Candidates = mean, candidates
		c.Measured, c.Listed = int(share(uint64(all.Measured), c.Rows, all.Rows)), share(all.Listed, c.Rows, all.Rows)
	}
}

// share returns the part of a number for some of all rows, rounded down; 0 without rows.
func share(of uint64, part, all int) uint64 {
	if all == 0 {
		return 0
	}
	high, low := bits.Mul64(of, uint64(part))
	quotient, _ := bits.Div64(high, low, uint64(all))
	return quotient
}

// limitTo returns the counts for the rows that limit keeps. Sizes are reduced in proportion: not
// all callers know which rows are kept.
func (c Counted) limitTo(limit config.RowLimits) Counted {
	kept := c.Rows - c.OverLimit
	if l := limit.Of(c.Name); l != nil && l.Per == "" {
		kept = int(min(l.Rows, int64(c.Rows)))
	}
	if kept == c.Rows {
		return c
	}
	c.Measured, c.Listed = int(share(uint64(c.Measured), kept, c.Rows)), share(c.Listed, kept, c.Rows)
	c.Rows = kept
	return c
}
