package order

import "math/bits"

// A Sample is a share of all rows. It is safe for use by several goroutines.
type Sample struct {
	last uint64 // the greatest point that is in it
}

// NewSample is the sample of a part of the rows, in millionths of a percent: more than
// 0, and at most WholeShare. A smaller one is within a larger one.
func NewSample(part uint64) *Sample {
	if part >= WholeShare {
		return &Sample{^uint64(0)}
	}
	below, _ := bits.Div64(part, 0, WholeShare)
	return &Sample{below - 1}
}

// Takes reports whether the row of an address is in the sample. It knows neither the
// seed, nor the splits, nor any other row.
func (s *Sample) Takes(address uint64) bool { return mix(address+sampleSalt) <= s.last }
