package order

import (
	"cmp"
	"slices"
)

// An Entry is a row in an index of Mode Keyed.
type Entry struct {
	Key uint64
	Seq uint64 // the row's place in the Sequence
}

func (a Entry) compare(b Entry) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Seq, b.Seq))
}

// A Place is where a row begins.
type Place struct {
	File   int
	Offset int64
}

// An Index is the rows of one split in their order. A row's rank is its
// number there, from 0. It is not
// changed once made, and safe for use by several goroutines.
type Index struct {
	mode     Mode
	shuffle  Shuffle
	space    *Space
	sequence *Sequence
	keys     []uint64 // Shuffled: keys; Source: places in the Sequence
	entries  []Entry  // Keyed
}

// Len is the number of rows.
func (x *Index) Len() int { return len(x.keys) + len(x.entries) }

// First is the index of the first n rows, or x where it has no more. It shares the memory
// of x.
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

// Keys are the sorted keys of Mode Shuffled, and the ascending places of Mode
// Source: the index itself, not to be changed.
func (x *Index) Keys() []uint64 { return x.keys }

// Entries are the entries of Mode Keyed, sorted unless they were dealt: the index
// itself, not to be changed.
func (x *Index) Entries() []Entry { return x.entries }

// Places appends where the rows of the ranks from … to-1 begin.
func (x *Index) Places(dst []Place, from, to int) []Place {
	dst = slices.Grow(dst, to-from)
	file, offset := 0, int64(0)
	switch x.mode {
	case Shuffled:
		for _, k := range x.keys[from:to] {
			file, offset = x.space.Locate(x.shuffle.Address(k))
			dst = append(dst, Place{file, offset})
		}
	case Source:
		for _, s := range x.keys[from:to] {
			file, offset = x.sequence.locateFrom(file, s)
			dst = append(dst, Place{file, offset})
		}
	case Keyed:
		for _, e := range x.entries[from:to] {
			file, offset = x.sequence.locateFrom(file, e.Seq)
			dst = append(dst, Place{file, offset})
		}
	}
	return dst
}

// Sample gives the n rows of the lowest keys, or all if there are fewer, as
// Mode Shuffled would begin: whatever the mode, the same fair sample.
func (x *Index) Sample(n int) []Place {
	n = min(n, x.Len())
	if x.mode == Shuffled || n <= 0 {
		return x.Places(nil, 0, max(n, 0))
	}
	const batch = 1024 // places at a time, instead of all
	var some []Place
	var low []uint64 // holds the n lowest keys so far, and not many more
	limit := ^uint64(0)
	for from := 0; from < x.Len(); from += batch {
		some = x.Places(some[:0], from, min(from+batch, x.Len()))
		for _, p := range some {
			if k := x.shuffle.Key(x.space.Address(p.File, p.Offset)); k <= limit {
				low = append(low, k)
			}
		}
		if len(low) >= 2*n {
			slices.Sort(low)
			low = low[:n]
			limit = low[n-1]
		}
	}
	slices.Sort(low)
	sample := Index{mode: Shuffled, shuffle: x.shuffle, space: x.space, keys: low[:n]}
	return sample.Places(nil, 0, n)
}
