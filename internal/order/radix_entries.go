package order

import (
	"context"
	"math/bits"
	"slices"
)

// This file is radix.go for entries. A generic version would be slower than both: a comparison
// through a type parameter is a function call, which takes longer than everything else.

// sortEntries sorts entries whose keys have equal highest top bits.
func (s *scratch) sortEntries(entries []Entry, top uint) {
	n, w := len(entries), digitWidth(len(entries))
	switch {
	case n <= insertionRows:
		insertEntries(entries, entries)
	case sameKey(entries):
		s.sortSeqs(entries)
	case n > inPlaceRows || top+w > 64:
		slices.SortFunc(entries, Entry.compare)
	case n <= onePassRows:
		if s.spreadEntries(entries, top, w) > insertionRows {
			s.sortCrowdedEntries(1 << w)
		}
		insertEntries(entries, s.entries[:n])
	default:
		s.spreadEntries(entries, top, w)
		copy(entries, s.entries[:n])
		ends, from := s.ends, uint32(0)
		for _, end := range ends[:1<<w] {
			s.sortEntries(entries[from:end], top+w)
			from = end
		}
	}
}

func (s *scratch) spreadEntries(entries []Entry, top, w uint) (most uint32) {
	s.entries = slices.Grow(s.entries[:0], len(entries))[:len(entries)]
	clear(s.ends[:1<<w])
	top, low := top&63, (64-w)&63
	for i := range entries {
		s.ends[entries[i].Key<<top>>low%(1<<digitBits)]++
	}
	most = s.startOffsets(1 << w)
	for _, e := range entries {
		to := &s.ends[e.Key<<top>>low%(1<<digitBits)]
		s.entries[*to] = e
		*to++
	}
	return most
}

func (s *scratch) sortCrowdedEntries(digits int) {
	ends, from := s.ends, uint32(0) // a copy: sortSeqs overwrites s.ends
	for _, end := range ends[:digits] {
		if crowd := s.entries[from:end]; len(crowd) > insertionRows {
			if sameKey(crowd) {
				s.sortSeqs(crowd)
			} else {
				slices.SortFunc(crowd, Entry.compare)
			}
		}
		from = end
	}
}

// sameKey reports whether all entries have the same key, as for a column with few values. For
// other columns, it returns after the first two entries.
func sameKey(entries []Entry) bool {
	for i := range entries {
		if entries[i].Key != entries[0].Key {
			return false
		}
	}
	return true
}

// sortSeqs sorts entries with the same key by position, as numbers.
func (s *scratch) sortSeqs(entries []Entry) {
	differ, last, sorted := uint64(0), uint64(0), true
	for i := range entries {
		seq := entries[i].Seq
		differ |= seq ^ entries[0].Seq
		sorted = sorted && last <= seq
		last = seq
	}
	top := uint(bits.LeadingZeros64(differ))
	switch {
	case sorted: // often, if there is only one key
		return
	case len(entries) > maxBucketRows:
		s.divideSeqs(entries, top)
		return
	}
	s.seqs = slices.Grow(s.seqs[:0], len(entries))[:len(entries)]
	for i := range entries {
		s.seqs[i] = entries[i].Seq
	}
	s.sortKeys(s.seqs, top)
	for i := range entries {
		entries[i].Seq = s.seqs[i]
	}
}

// divideSeqs sorts entries with the same key whose positions have equal highest top bits. It
// sorts them in ranges, because a copy of all needs too much memory.
func (s *scratch) divideSeqs(entries []Entry, top uint) {
	digit := func(e Entry) int { return int(e.Seq << top >> (64 - digitBits)) }
	bounds := make([]int, 1<<digitBits+1)
	for _, e := range entries {
		bounds[digit(e)+1]++
	}
	for i := range 1 << digitBits {
		bounds[i+1] += bounds[i]
	}
	all := newStripe(bounds, 0, 1)
	_ = all.permute(context.Background(), entries, digit) // fails only if the context ends
	for i := range 1 << digitBits {
		s.sortSeqs(entries[bounds[i]:bounds[i+1]])
	}
}

func insertEntries(dst, src []Entry) {
	for i, e := range src {
		j := i
		for ; j > 0 && (dst[j-1].Key > e.Key || dst[j-1].Key == e.Key && dst[j-1].Seq > e.Seq); j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = e
	}
}
