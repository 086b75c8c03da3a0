package order

import (
	"math/bits"
	"slices"
)

// Keys are random. So keys that are distributed by a digit are nearly sorted, and insertion sorts them. Of a
// bucket in which they are not, or that needs too much memory for a copy, slices.Sort sorts the keys.
const (
	digitBits     = 10
	crowdedRows   = 1 << 7  // of one digit: an average bucket has at most maxBucketRows / 2^digitBits
	copiedRowsMax = 1 << 17 // of a bucket
)

// A scratch has the buffers of one worker to sort buckets.
type scratch struct {
	next [1 << digitBits]uint32 // by digit: number of rows, then offset of the next row
	keys []uint64
}

// sortKeys sorts keys with equal highest top bits.
func (s *scratch) sortKeys(keys []uint64, top uint) {
	width := uint(min(digitBits, bits.Len(uint(len(keys)))))
	if len(keys) > copiedRowsMax || top+width > 64 || s.spread(keys, top, width) > crowdedRows {
		slices.Sort(keys)
		return
	}
	for i, k := range s.keys {
		j := i
		for ; j > 0 && keys[j-1] > k; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// spread copies keys to s.keys, sorted by the digit of width bits below the top ones. It returns the number of
// keys of the most frequent digit.
func (s *scratch) spread(keys []uint64, top, width uint) (most uint32) {
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	next, low := s.next[:1<<width], 64-width
	clear(next)
	for _, k := range keys {
		next[k<<top>>low]++
	}
	at := uint32(0)
	for i, n := range next {
		next[i] = at
		at += n
		most = max(most, n)
	}
	for _, k := range keys {
		to := &next[k<<top>>low]
		s.keys[*to] = k
		*to++
	}
	return most
}
