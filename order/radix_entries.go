package order

import "slices"

// What follows is radix.go for entries. They have a code of their own because
// a comparison through a type parameter is a call, which takes longer than
// all the rest.

// sortEntries sorts entries whose keys have the highest top bits in common.
func (s *scratch) sortEntries(entries []Entry, top uint) {
	n, w := len(entries), width(len(entries))
	switch {
	case n <= fewRows:
		insertEntries(entries, entries)
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
	from := uint32(0)
	for _, end := range s.ends[:digits] {
		if end-from > fewRows {
			slices.SortFunc(s.entries[from:end], Entry.compare)
		}
		from = end
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
