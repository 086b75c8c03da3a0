package order

import "fmt"

// batchRows are loaded together: few enough to stay in the first cache.
const batchRows = 512

// A batch is some rows of a chunk on their way into the index.
type batch struct {
	n       int
	keys    [batchRows]uint64 // what the rows are sorted by
	seqs    [batchRows]uint64 // places, for Keyed only
	splits  [batchRows]uint8
	address [batchRows]uint64 // only where keys or cuts come from it
}

// load fills b with the rows of chunk i from row from on, and returns how
// many rows of the chunk it has read. Rows without a split are left out, but
// for Keyed, where they keep their places among the others.
func (b *batch) load(r *Rows, worker, i, from int) (int, error) {
	c := &r.Chunks[i]
	b.n = min(batchRows, len(c.Starts)-from)
	if r.Mode == Keyed {
		b.places(c, from, &b.seqs, r.Sequence.starts)
		return b.n, r.Keys(worker, i, from, b.keys[:b.n], b.splits[:b.n])
	}
	if r.Mode == Shuffled || c.Cuts != nil && !c.marked {
		b.places(c, from, &b.address, r.Space.base)
	}
	switch r.Mode {
	case Shuffled:
		for j, a := range b.address[:b.n] {
			b.keys[j] = r.Shuffle.Key(a)
		}
	case Source:
		b.places(c, from, &b.keys, r.Sequence.starts)
	}
	n := b.n
	return n, b.assign(r, c, from)
}

// places sets dst to the rows' places among all files, which begin at starts:
// in the Space or in the Sequence.
func (b *batch) places(c *Chunk, from int, dst *[batchRows]uint64, starts []uint64) {
	mask := ^uint32(0)
	if c.marked {
		mask = MaxMarked - 1
	}
	rows := c.Starts[from : from+b.n]
	// Here and below, j&(batchRows-1) is j, and spares a check of the bounds.
	if c.Whole {
		for j, s := range rows {
			dst[j&(batchRows-1)] = starts[c.File+int(s&mask)]
		}
		return
	}
	start := starts[c.File] + uint64(c.Offset)
	for j, s := range rows {
		dst[j&(batchRows-1)] = start + uint64(s&mask)
	}
}

// assign gives the rows their splits, and drops those that have none.
func (b *batch) assign(r *Rows, c *Chunk, from int) error {
	switch {
	case c.marked:
		return b.pick(r, c.Starts[from:from+b.n])
	case c.Cuts != nil:
		for j, a := range b.address[:b.n] {
			b.splits[j] = c.Cuts.Split(SplitPoint(a))
		}
	default:
		for j := range b.splits[:b.n] {
			b.splits[j] = c.Split
		}
	}
	return nil
}

// pick keeps the rows that are marked with a split.
func (b *batch) pick(r *Rows, marked []uint32) error {
	kept := 0
	for j, s := range marked {
		split := uint8(s >> markShift)
		if split == NoSplit {
			continue
		}
		if int(split) >= r.Splits {
			return fmt.Errorf("a row is marked with split %d of %d", split, r.Splits)
		}
		b.keys[kept], b.splits[kept] = b.keys[j], split
		kept++
	}
	b.n = kept
	return nil
}
