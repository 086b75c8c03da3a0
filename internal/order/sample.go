package order

import "math/bits"

// A Sample is a share of all rows. It is safe for concurrent use.
type Sample struct {
	last uint64 // the greatest point in the sample
}

// NewSample returns a sample with a share of the rows in millionths of a percent: more than 0,
// and at most FullShare. A larger sample contains a smaller one.
func NewSample(part uint64) *Sample {
	if part >= FullShare {
		return &Sample{^uint64(0)}
	}
	below, _ := bits.Div64(part, 0, FullShare)
	return &Sample{below - 1}
}

// Takes reports whether the row with this address is in the sample. That does not depend on the
// seed, the splits, or other rows.
func (s *Sample) Takes(address uint64) bool { return mix(address+sampleSalt) <= s.last }
