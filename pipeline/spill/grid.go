package spill

import (
	"math/bits"

	"tfr-build/order"
	"tfr-build/pipeline/rows"
)

// A Grid parts the rows of a set into buckets, in the order of the dataset: no row of a
// bucket comes before one of the bucket before it. It is a function of the set and the
// number of buckets, so that all scans of a dataset part it alike.
type Grid struct {
	buckets int
	by      func(key uint64, file int, offset int64) uint64 // ascending, below total
	total   uint64                                          // 0 for 2^64
}

// mostBuckets is how many buckets a run has at most.
const mostBuckets = 4096

// bucketsALoad is how many buckets are loaded at once, about: more of them fill the
// memory better, and are shorter.
const bucketsALoad = 3

// Buckets is how many buckets rows of about so many bytes of text need, so that each
// is a part of what is loaded at once, which are limit bytes. A scan that gathers
// rows in so many bytes of memory is to have a few thousand bytes of each.
func Buckets(text, limit, gathered int64) int {
	const header = 2 // of so many parts of the text, about
	n := bucketsALoad * (text + text/header) / max(1, limit)
	return int(max(1, min(n+1, gathered/(4*leastBlock), mostBuckets)))
}

// NewGrid returns the grid of so many buckets.
func NewGrid(set *rows.Set, buckets int) *Grid {
	if set.Mode() == order.Source {
		return sourceGrid(set, buckets)
	}
	return &Grid{buckets: buckets, by: byKey}
}

func byKey(key uint64, _ int, _ int64) uint64 { return key }

// sourceGrid parts rows in source order. How long compressed files are is a guess: what
// is beyond it falls into the bucket of the guessed end.
func sourceGrid(set *rows.Set, buckets int) *Grid {
	starts := make([]uint64, set.Files()+1)
	for i := range set.Files() {
		src, local := set.File(i)
		size := src.Address(local).Size
		if size == order.CompressedSize {
			size = src.Listing().Files[local].Size * usualRatio
		}
		starts[i+1] = starts[i] + uint64(max(size, 1))
	}
	return &Grid{buckets: buckets, total: starts[len(starts)-1] + 1, by: func(_ uint64, file int, offset int64) uint64 {
		return min(starts[file]+uint64(offset), starts[file+1])
	}}
}

// usualRatio is how much shorter compressed tables are; a guess, and a wrong one only
// costs time.
const usualRatio = 6

// rangeGrid parts the rows whose by is in lo … hi, evenly.
func rangeGrid(buckets int, lo, hi uint64, by func(key uint64, file int, offset int64) uint64) *Grid {
	return &Grid{buckets: buckets, total: hi - lo + 1, by: func(key uint64, file int, offset int64) uint64 {
		return by(key, file, offset) - lo
	}}
}

// bucket is the bucket of a row.
func (g *Grid) bucket(key uint64, file int, offset int64) int {
	hi, lo := bits.Mul64(g.by(key, file, offset), uint64(g.buckets))
	if g.total == 0 {
		return int(hi)
	}
	n, _ := bits.Div64(hi, lo, g.total)
	return int(n)
}
