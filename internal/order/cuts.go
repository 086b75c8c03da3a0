package order

import (
	"fmt"
	"math/bits"
)

// FullShare is 100 % in millionths of a percent, the unit of a Share.
const FullShare = 100_000_000

// NoSplit is the split of a row that has none because its column could not be read. The row is in
// no index.
const NoSplit = 255

// A Share is the fraction of the rows that one split gets.
type Share struct {
	Split uint8  // index of the split in the dataset
	Part  uint64 // in millionths of a percent
}

// Cuts assign the points in [0, 2^64) to splits. They are safe for concurrent use.
type Cuts struct {
	below []uint64 // split[i] has the points from below[i-1] up to, but not including, below[i]
	split []uint8  // in the order of shares; split[len(below)] has the remaining points
}

// NewCuts assigns consecutive ranges of points to the shares, in the given order. A range begins
// at the sum of the shares before it, as a fraction of 2^64 rounded down. The sum of all shares
// must be FullShare.
func NewCuts(shares []Share) (*Cuts, error) {
	c := &Cuts{}
	sum := uint64(0)
	for _, s := range shares {
		if s.Split == NoSplit {
			return nil, fmt.Errorf("split %d is the mark of no split", s.Split)
		}
		if s.Part > FullShare-sum {
			return nil, fmt.Errorf("the shares are more than 100 %%")
		}
		sum += s.Part
		c.split = append(c.split, s.Split)
		if sum < FullShare {
			below, _ := bits.Div64(sum, 0, FullShare)
			c.below = append(c.below, below)
		}
	}
	if sum != FullShare {
		return nil, fmt.Errorf("the shares are %d.%06d %%, not 100 %%", sum/1_000_000, sum%1_000_000)
	}
	return c, nil
}

// NewFolds assigns equal ranges of points to at least one split, in the given order. Range i begins
// at i/len(splits) as a fraction of 2^64, rounded down.
func NewFolds(splits []uint8) *Cuts {
	c := &Cuts{split: splits}
	for i := 1; i < len(splits); i++ {
		below, _ := bits.Div64(uint64(i), 0, uint64(len(splits)))
		c.below = append(c.below, below)
	}
	return c
}

// Split returns the split of a point: a SplitPoint, or the HashText of a column.
func (c *Cuts) Split(point uint64) uint8 {
	i := 0
	for i < len(c.below) && point >= c.below[i] {
		i++
	}
	return c.split[i]
}
