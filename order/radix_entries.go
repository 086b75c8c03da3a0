package order

import (
	"context"
	"math/bits"
	"slices"
)

// What follows is radix.go for entries. They have a code of their own because
// a comparison through a type parameter is a call, which takes longer than
// all the rest.

// sortEntries sorts entries whose keys have the highest top bits in common.
func (s *scratch) sortEntries(entries []Entry, top uint) {
	n, w := len(entries), width(len(entries))
	switch {
	case n <= fewRows:
		insertEntries(entries, entries)
	case sameKey(entries):
		s.sortSeqs(entries)
	case n > manyRows || top+w > 64:
		slices.SortFunc(entries, Entry.compare)
	case n <= leafRows:
		if s.spreadEntries(entries, top, w) > fewRows {
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
	most = s.places(1 << w)
	for _, e := range entries {
		to := &s.ends[e.Key<<top>>low%(1<<digitBits)]
		s.entries[*to] = e
		*to++
	}
	return most
}

func (s *scratch) sortCrowdedEntries(digits int) {
	ends, from := s.ends, uint32(0) // a copy: sortSeqs uses s.ends anew
	for _, end := range ends[:digits] {
		if crowd := s.entries[from:end]; len(crowd) > fewRows {
			if sameKey(crowd) {
				s.sortSeqs(crowd)
			} else {
				slices.SortFunc(crowd, Entry.compare)
			}
		}
		from = end
	}
}

// sameKey reports whether all entries have one key, as with a column that has
// few values. Entries of other columns differ within the first two.
func sameKey(entries []Entry) bool {
	for i := range entries {
		if entries[i].Key != entries[0].Key {
			return false
		}
	}
	return true
}

// sortSeqs sorts entries of one key: as numbers, which sorts itself.
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
	case sorted: // as they were found, where there is one key alone
		return
	case len(entries) > mostRows:
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

// divideSeqs sorts entries of one key, whose places have the highest top bits in
// common, in pieces: a copy of all would cost too much memory.
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
	_ = all.permute(context.Background(), entries, digit) // ends with its context only
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
