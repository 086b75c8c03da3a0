package spill

import (
	"math/bits"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A rangeTable assigns rows to buckets, in output order: each row of a bucket is before all rows of the
// next. It depends only on the set and the number of buckets, so that all scans of a dataset use
// the same buckets.
type rangeTable struct {
	buckets int
	by      func(key uint64, file int, offset int64) uint64 // ascending, below total
	total   uint64                                          // 0 for 2^64
}

// maxBuckets is the largest number of buckets in a spill file.
const maxBuckets = 4096

// bucketsPerLoad is about the number of buckets that are loaded at once. More buckets fill the
// memory better, but each is shorter.
const bucketsPerLoad = 3

// Buckets returns the number of buckets for rows of about text bytes, so that several fit in limit
// bytes of memory. gathered is the memory of one worker of a scan, in bytes: it must have room for
// several blocks per bucket.
func Buckets(text, limit, gathered int64) int {
	// The headers of entries and the index of rows are assumed to take as much as the text.
	n := bucketsPerLoad * 2 * text / max(1, limit)
	return int(max(1, min(n+1, gathered/(4*minBlock), maxBuckets)))
}

// newRangeTable returns the ranges of a set with so many buckets.
func newRangeTable(set *rows.Set, buckets int) *rangeTable {
	if set.Mode() == order.Source {
		return sourceRanges(set, buckets)
	}
	return keyRanges(buckets)
}

// keyRanges returns so many equal ranges of keys, or of hashes.
func keyRanges(buckets int) *rangeTable { return &rangeTable{buckets: buckets, by: byKey} }

func byKey(key uint64, _ int, _ int64) uint64 { return key }

// sourceRanges returns the ranges for rows in source order. The size of a compressed file's content is
// an estimate. Rows beyond the estimate are in the bucket of its end.
func sourceRanges(set *rows.Set, buckets int) *rangeTable {
	starts := make([]uint64, set.Files()+1)
	for i := range set.Files() {
		src, local := set.File(i)
		size := src.Address(local).Size
		if size == order.CompressedSize {
			size = src.Listing().Files[local].Size * usualRatio
		}
		starts[i+1] = starts[i] + uint64(max(size, 1))
	}
	return &rangeTable{buckets: buckets, total: starts[len(starts)-1] + 1,
		by: func(_ uint64, file int, offset int64) uint64 {
			return min(starts[file]+uint64(offset), starts[file+1])
		}}
}

// usualRatio is the assumed compression ratio of tables. A wrong assumption only costs time.
const usualRatio = 6

// equalRanges splits the range lo … hi of the values that `by` returns into equal buckets.
func equalRanges(buckets int, lo, hi uint64, by func(key uint64, file int, offset int64) uint64) *rangeTable {
	return &rangeTable{buckets: buckets, total: hi - lo + 1, by: func(key uint64, file int, offset int64) uint64 {
		return by(key, file, offset) - lo
	}}
}

// bucket returns the bucket of a row.
func (g *rangeTable) bucket(key uint64, file int, offset int64) int {
	hi, lo := bits.Mul64(g.by(key, file, offset), uint64(g.buckets))
	if g.total == 0 {
		return int(hi)
	}
	n, _ := bits.Div64(hi, lo, g.total)
	return int(n)
}
