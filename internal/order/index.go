package order

import (
	"cmp"
	"slices"
)

// An Entry is a row in an index of Mode Keyed.
type Entry struct {
	Key uint64
	Seq uint64 // the row's position in the Sequence; while entries are sorted, with the split above it
}

// split returns the split of an entry that is not yet sorted.
func (e Entry) split() int { return int(e.Seq >> placeBits) }

func (e Entry) compare(f Entry) int {
	switch {
	case e.split() != f.split():
		return e.split() - f.split()
	case e.Key != f.Key:
		return cmp.Compare(e.Key, f.Key)
	}
	return cmp.Compare(e.Seq, f.Seq)
}

// A Position is the position of the start of a row.
type Position struct {
	File   int
	Offset int64
}

// An Index has the rows of one split in output order. The rank of a row is its number in this
// order, from 0. An Index is immutable and safe for concurrent use.
type Index struct {
	mode     Mode
	shuffle  Shuffle
	space    *Space
	sequence *Sequence
	keys     []uint64 // Shuffled: keys; Source: positions in the Sequence
	entries  []Entry  // only for Keyed
}

// Len returns the number of rows.
func (x *Index) Len() int { return len(x.keys) + len(x.entries) }

// First returns the index of the first n rows, or x if it has at most n. It shares the memory of
// x.
func (x *Index) First(n int) *Index {
	if n >= x.Len() {
		return x
	}
	first := *x
	if x.mode == Keyed {
		first.entries = x.entries[:n:n]
	} else {
		first.keys = x.keys[:n:n]
	}
	return &first
}

// Divide returns the index of the n rows that keep reports by rank, and the index of the others.
func (x *Index) Divide(n int, keep func(rank int) bool) (kept, others *Index) {
	kept, others = x.newEmpty(n), x.newEmpty(x.Len()-n)
	for rank := range x.Len() {
		of := others
		if keep(rank) {
			of = kept
		}
		if x.mode == Keyed {
			of.entries = append(of.entries, x.entries[rank])
		} else {
			of.keys = append(of.keys, x.keys[rank])
		}
	}
	return kept, others
}

// newEmpty returns an index like x without rows, which has room for n.
func (x *Index) newEmpty(n int) *Index {
	of := *x
	of.keys, of.entries = nil, nil
	if x.mode == Keyed {
		of.entries = make([]Entry, 0, n)
	} else {
		of.keys = make([]uint64, 0, n)
	}
	return &of
}

// Positions appends the positions of the rows with ranks from from up to to-1.
func (x *Index) Positions(dst []Position, from, to int) []Position {
	dst = slices.Grow(dst, to-from)
	for rank := from; rank < to; rank++ {
		dst = append(dst, x.position(rank))
	}
	return dst
}

// position returns the position of the row with a rank.
func (x *Index) position(rank int) (p Position) {
	switch x.mode {
	case Shuffled:
		p.File, p.Offset = x.space.Locate(x.shuffle.Address(x.keys[rank]))
	case Source:
		p.File, p.Offset = x.sequence.Locate(x.keys[rank])
	case Keyed:
		p.File, p.Offset = x.sequence.Locate(x.entries[rank].Seq)
	}
	return p
}

// Sample returns the n rows with the lowest keys of Mode Shuffled, or all rows if there are
// fewer. The sample is the same in every mode.
func (x *Index) Sample(n int) []Position {
	n = min(n, x.Len())
	if x.mode == Shuffled || n <= 0 {
		return x.Positions(nil, 0, max(n, 0))
	}
	var low []uint64 // the n lowest keys so far, and fewer than n others
	limit := ^uint64(0)
	for rank := range x.Len() {
		p := x.position(rank)
		if k := x.shuffle.Key(x.space.Address(p.File, p.Offset)); k <= limit {
			low = append(low, k)
		}
		if len(low) >= 2*n {
			slices.Sort(low)
			low = low[:n]
			limit = low[n-1]
		}
	}
	slices.Sort(low)
	sample := Index{mode: Shuffled, shuffle: x.shuffle, space: x.space, keys: low[:n]}
	return sample.Positions(nil, 0, n)
}
