package parquet

import (
	"bytes"
	"slices"
)

// A block is decoded rows of a leaf. Without lists, a value is stored at the index of its row:
//
//	rows   0   1   2   3
//	valid  1   0   1   1      nil if no value is missing
//	fixed  7   ·   8   9
//
// With lists, the levels say where lists begin, and the values are stored without gaps:
//
//	rows   [7 8]  []  [null 9]
//	reps   0 1    0   0    1      0 begins a row
//	defs   2 2    0   1    2
//	firsts 0      2   3        5  index of a row's first level
//	starts 0      2   2        3  index of a row's first value
type block struct {
	*leaf
	values
	rows  int
	valid []uint64

	reps, defs     []byte
	firsts, starts []uint32
}

func newBlock(f *leaf) block { return block{leaf: f, values: values{width: f.size}} }

// has reports whether a row has a value. It is for leaves without lists.
func (b *block) has(row int) bool {
	return b.valid == nil || b.valid[row/64]>>(row%64)&1 != 0
}

// finishRows indexes the decoded rows, all of which are complete.
func (b *block) finishRows() {
	if len(b.lists) > 0 {
		b.indexRows(len(b.reps))
		return
	}
	b.rows = b.count()
	b.valid = nil
	if b.max.def == 0 {
		return
	}
	if b.rows = len(b.defs); b.rows > b.count() {
		b.valid = make([]uint64, (b.rows+63)/64)
		for i, d := range b.defs {
			if d == b.max.def {
				b.valid[i/64] |= 1 << (i % 64)
			}
		}
		b.spread(b.valid, b.rows)
	}
	b.defs = b.defs[:0]
}

// indexRows indexes the rows of the levels before end.
func (b *block) indexRows(end int) {
	rows := bytes.Count(b.reps[:end], []byte{0})
	b.firsts, b.starts = slices.Grow(b.firsts[:0], rows+1), slices.Grow(b.starts[:0], rows+1)
	start := uint32(0)
	for i, rep := range b.reps[:end] {
		if rep == 0 {
			b.firsts, b.starts = append(b.firsts, uint32(i)), append(b.starts, start)
		}
		if b.defs[i] == b.max.def {
			start++
		}
	}
	b.firsts, b.starts = append(b.firsts, uint32(end)), append(b.starts, start)
	b.rows = rows
}

// dropRows removes the indexed rows. It keeps the levels and values after them, and the first
// kept bytes of the blob.
func (b *block) dropRows(kept int) {
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
		if w := &rest[i]; int(w.at) >= kept && w.at != unread { // else the bytes are in the dictionary
			at := kept + len(texts)
			texts = append(texts, b.blob[w.at:uint64(w.at)+uint64(w.size)]...)
			w.at = uint32(at)
		}
	}
	b.blob = append(b.blob[:kept], texts...)
	b.views = b.views[:copy(b.views, rest)]
}
