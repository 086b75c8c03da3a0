package order

import (
	"math/bits"
	"slices"
)

const (
	insertionRows = 32      // at most so many are sorted by insertion
	onePassRows   = 1 << 12 // at most so many are distributed once by digit, and then inserted
	inPlaceRows   = 1 << 17 // more are sorted in place, because a copy needs too much memory
	digitBits     = 10
)

// A scratch has the buffers of one worker to sort buckets.
type scratch struct {
	ends [1 << digitBits]uint32 // of each digit in the last distribution
	keys []uint64
}

// digitWidth returns the number of bits of the digit by which n rows are distributed.
func digitWidth(n int) uint {
	if n <= onePassRows {
		return uint(min(digitBits, bits.Len(uint(n))-1))
	}
	return uint(bits.Len(uint(n / bucketRows)))
}

// startOffsets replaces the counts of the first digits by the offsets of their first rows, and
// returns the highest count.
func (s *scratch) startOffsets(digits int) (most uint32) {
	at := uint32(0)
	for i, n := range s.ends[:digits] {
		s.ends[i] = at
		at += n
		most = max(most, n)
	}
	return most
}

// sortKeys sorts keys with equal highest top bits.
func (s *scratch) sortKeys(keys []uint64, top uint) {
	n, w := len(keys), digitWidth(len(keys))
	switch {
	case n <= insertionRows:
		insertKeys(keys, keys)
	case n > inPlaceRows || top+w > 64:
		slices.Sort(keys)
	case n <= onePassRows:
		if s.spreadKeys(keys, top, w) > insertionRows {
			s.sortCrowdedKeys(1 << w)
		}
		insertKeys(keys, s.keys[:n])
	default:
		s.spreadKeys(keys, top, w)
		copy(keys, s.keys[:n])
		ends, from := s.ends, uint32(0) // a copy: the calls below overwrite s.ends
		for _, end := range ends[:1<<w] {
			s.sortKeys(keys[from:end], top+w)
			from = end
		}
	}
}

// spreadKeys copies keys to s.keys, sorted by the w bits below the top ones. It returns the
// number of keys of the most frequent digit.
func (s *scratch) spreadKeys(keys []uint64, top, w uint) (most uint32) {
	s.keys = slices.Grow(s.keys[:0], len(keys))[:len(keys)]
	clear(s.ends[:1<<w])
	top, low := top&63, (64-w)&63
	for _, k := range keys {
		s.ends[k<<top>>low%(1<<digitBits)]++
	}
	most = s.startOffsets(1 << w)
	for _, k := range keys {
		to := &s.ends[k<<top>>low%(1<<digitBits)]
		s.keys[*to] = k
		*to++
	}
	return most
}

// sortCrowdedKeys sorts the digits of s.keys that have too many keys for insertion. Random keys
// have no such digits.
func (s *scratch) sortCrowdedKeys(digits int) {
	from := uint32(0)
	for _, end := range s.ends[:digits] {
		if end-from > insertionRows {
			slices.Sort(s.keys[from:end])
		}
		from = end
	}
}

// insertKeys sorts src into dst by insertion. src should be nearly sorted. dst is the same slice
// or does not overlap it.
func insertKeys(dst, src []uint64) {
	for i, k := range src {
		j := i
		for ; j > 0 && dst[j-1] > k; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = k
	}
}
