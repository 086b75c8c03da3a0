package order

import (
	"math/bits"
	"slices"
)

const (
	fewRows   = 32      // up to so many are sorted by insertion
	leafRows  = 1 << 12 // up to so many are spread once, a few to each digit, and then inserted
	manyRows  = 1 << 17 // more are sorted in place: a copy would cost too much memory
	digitBits = 10
)

// A scratch is what one worker needs to sort buckets.
type scratch struct {
	ends    [1 << digitBits]uint32 // of the digits, in what was spread last
	keys    []uint64
	entries []Entry
	seqs    []uint64
}

// width is how many bits the digit has that n rows are spread by.
func width(n int) uint {
	if n <= leafRows {
		return uint(min(digitBits, bits.Len(uint(n))-1))
	}
	return uint(bits.Len(uint(n / bucketRows)))
}

// places turns the counts of the first digits into the places where their
// rows begin, and returns the highest count.
func (s *scratch) places(digits int) (most uint32) {
	at := uint32(0)
	for i, n := range s.ends[:digits] {
		s.ends[i] = at
		at += n
		most = max(most, n)
	}
	return most
}

// sortKeys sorts keys that have the highest top bits in common.
func (s *scratch) sortKeys(keys []uint64, top uint) {
	n, w := len(keys), width(len(keys))
	switch {
	case n <= fewRows:
		insertKeys(keys, keys)
	case n > manyRows || top+w > 64:
		slices.Sort(keys)
	case n <= leafRows:
		if s.spreadKeys(keys, top, w) > fewRows {
			s.sortCrowdedKeys(1 << w)
		}
		insertKeys(keys, s.keys[:n])
	default:
		s.spreadKeys(keys, top, w)
		copy(keys, s.keys[:n])
		ends, from := s.ends, uint32(0) // a copy: the calls below use s.ends anew
		for _, end := range ends[:1<<w] {
			s.sortKeys(keys[from:end], top+w)
			from = end
		}
	}
}

// spreadKeys copies keys to s.keys, in order of the w bits below the top ones,
// and returns how many keys the most frequent digit has.
func (s *scratch) spreadKeys(keys []uint64, top, w uint) (most uint32) {
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	clear(s.ends[:1<<w])
	top, low := top&63, (64-w)&63
	for _, k := range keys {
		s.ends[k<<top>>low%(1<<digitBits)]++
	}
	most = s.places(1 << w)
	for _, k := range keys {
		to := &s.ends[k<<top>>low%(1<<digitBits)]
		s.keys[*to] = k
		*to++
	}
	return most
}

// sortCrowdedKeys sorts those digits of s.keys that insertion would take long
// for, which random keys have none of.
func (s *scratch) sortCrowdedKeys(digits int) {
	from := uint32(0)
	for _, end := range s.ends[:digits] {
		if end-from > fewRows {
			slices.Sort(s.keys[from:end])
		}
		from = end
	}
}

// insertKeys sorts src, which is best nearly sorted, into dst: the same slice
// or one that shares nothing with it.
func insertKeys(dst, src []uint64) {
	for i, k := range src {
		j := i
		for ; j > 0 && dst[j-1] > k; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = k
	}
}
