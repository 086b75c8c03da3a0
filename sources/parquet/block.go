package parquet

import (
	"bytes"
	"slices"
)

// A block is some rows of a leaf, decoded. Values of one a row stand at their rows:
//
//	rows   0   1   2   3
//	valid  1   0   1   1      nil where none is missing
//	fixed  7   ·   8   9
//
// Where there are lists, levels say where they begin, and values stand close together:
//
//	rows   [7 8]  []  [null 9]
//	reps   0 1    0   0    1      0 begins a row
//	defs   2 2    0   1    2
//	firsts 0      2   3        5  of the levels of a row
//	starts 0      2   2        3  of its values
type block struct {
	*leaf
	values
	rows  int
	valid []uint64

	reps, defs     []byte
	firsts, starts []uint32
}

func newBlock(f *leaf) block { return block{leaf: f, values: values{width: f.size}} }

// has reports whether a row has a value, where it has one at most.
func (b *block) has(row int) bool {
	return b.valid == nil || b.valid[row/64]>>(row%64)&1 != 0
}

// settle finds the rows of what was decoded, all of whose rows are whole.
func (b *block) settle() {
	if len(b.lists) > 0 {
		b.index(len(b.reps))
		return
	}
	b.rows = b.count()
	b.valid = nil
	if b.most.def == 0 {
		return
	}
	if b.rows = len(b.defs); b.rows > b.count() {
		b.valid = make([]uint64, (b.rows+63)/64)
		for i, d := range b.defs {
			if d == b.most.def {
				b.valid[i/64] |= 1 << (i % 64)
			}
		}
		b.spread(b.valid, b.rows)
	}
	b.defs = b.defs[:0]
}

// index finds the rows of the levels before one.
func (b *block) index(end int) {
	rows := bytes.Count(b.reps[:end], []byte{0})
	b.firsts, b.starts = slices.Grow(b.firsts[:0], rows+1), slices.Grow(b.starts[:0], rows+1)
	start := uint32(0)
	for i, rep := range b.reps[:end] {
		if rep == 0 {
			b.firsts, b.starts = append(b.firsts, uint32(i)), append(b.starts, start)
		}
		if b.defs[i] == b.most.def {
			start++
		}
	}
	b.firsts, b.starts = append(b.firsts, uint32(end)), append(b.starts, start)
	b.rows = rows
}

// drop forgets all rows, but for levels and values after those that are indexed, and
// for the first bytes of the blob.
func (b *block) drop(kept int) {
	level, value := len(b.reps), b.count()
	if len(b.lists) > 0 && len(b.firsts) > 0 {
		level, value = int(b.firsts[b.rows]), int(b.starts[b.rows])
	}
	b.rows, b.firsts, b.starts = 0, b.firsts[:0], b.starts[:0]
	b.reps = b.reps[:copy(b.reps, b.reps[level:])]
	b.defs = b.defs[:copy(b.defs, b.defs[min(level, len(b.defs)):])]
	if b.width > 0 {
		b.fixed = b.fixed[:copy(b.fixed, b.fixed[min(value*b.width, len(b.fixed)):])]
		return
	}
	rest := b.views[min(value, len(b.views)):]
	var texts []byte
	for i := range rest {
		if w := &rest[i]; int(w.at) >= kept && w.at != unread { // else it is of the dictionary
			at := kept + len(texts)
			texts = append(texts, b.blob[w.at:uint64(w.at)+uint64(w.size)]...)
			w.at = uint32(at)
		}
	}
	b.blob = append(b.blob[:kept], texts...)
	b.views = b.views[:copy(b.views, rest)]
}
