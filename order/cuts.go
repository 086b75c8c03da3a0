package order

import (
	"fmt"
	"math/bits"
)

// WholeShare is 100 % in millionths of a percent, the unit of a Share.
const WholeShare = 100_000_000

// NoSplit is the split of a row that belongs to none, because its column
// could not be read: it is in no index.
const NoSplit = 255

// A Share is the part of the rows that goes to one split.
type Share struct {
	Split uint8  // its number among the splits of the dataset
	Part  uint64 // in millionths of a percent
}

// Cuts divide [0, 2^64) among splits. They are safe for use by several
// goroutines.
type Cuts struct {
	below []uint64 // points below below[i], and not below the one before, go to split[i]
	split []uint8  // by share; split[len(below)] takes the rest
}

// NewCuts gives each share, in the order given, the points from the sum of
// those before it, as a fraction of 2^64 rounded down. Together the shares are
// WholeShare.
func NewCuts(shares []Share) (*Cuts, error) {
	c := &Cuts{}
	sum := uint64(0)
	for _, s := range shares {
		if s.Split == NoSplit {
			return nil, fmt.Errorf("split %d is the mark of no split", s.Split)
		}
		if s.Part > WholeShare-sum {
			return nil, fmt.Errorf("the shares are more than 100 %%")
		}
		sum += s.Part
		c.split = append(c.split, s.Split)
		if sum < WholeShare {
			below, _ := bits.Div64(sum, 0, WholeShare)
			c.below = append(c.below, below)
		}
	}
	if sum != WholeShare {
		return nil, fmt.Errorf("the shares are %d.%06d %%, not 100 %%", sum/1_000_000, sum%1_000_000)
	}
	return c, nil
}

// Split is the split of a point: a SplitPoint, or the HashText of a column.
func (c *Cuts) Split(point uint64) uint8 {
	i := 0
	for _, below := range c.below { // without a branch: nobody can foretell a random point
		_, less := bits.Sub64(point, below, 0)
		i += 1 - int(less)
	}
	return c.split[i]
}
