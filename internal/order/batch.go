package order

// batchRows is the number of rows that are loaded together. A batch fits in the L1 cache.
const batchRows = 512

// A batch has rows of a chunk on their way into the index.
type batch struct {
	n       int
	keys    [batchRows]uint64 // sort keys
	seqs    [batchRows]uint64 // positions in the Sequence; only for Keyed
	splits  [batchRows]uint8
	address [batchRows]uint64 // only if keys or cuts need it
}

// load fills b with rows of chunk i, starting at row from, and returns the number of rows that it
// read. Rows without a split are dropped, except for Keyed, where they keep their positions.
func (b *batch) load(r *Rows, worker, i, from int) (int, error) {
	c := &r.Chunks[i]
	b.n = min(batchRows, len(c.Starts)-from)
	if r.Mode == Keyed {
		b.setPositions(c, from, &b.seqs, r.Sequence.starts)
		return b.n, r.Keys(worker, i, from, b.keys[:b.n], b.splits[:b.n])
	}
	if r.Mode == Shuffled || c.Cuts != nil && !c.marked {
		b.setPositions(c, from, &b.address, r.Space.base)
	}
	switch r.Mode {
	case Shuffled:
		for j, a := range b.address[:b.n] {
			b.keys[j] = r.Shuffle.Key(a)
		}
	case Source:
		b.setPositions(c, from, &b.keys, r.Sequence.starts)
	}
	n := b.n
	b.assignSplits(c, from)
	return n, nil
}

// setPositions sets dst to the positions of the rows. starts has the start of each file, in the
// Space or in the Sequence.
func (b *batch) setPositions(c *Chunk, from int, dst *[batchRows]uint64, starts []uint64) {
	mask := ^uint32(0)
	if c.marked {
		mask = MaxMarked - 1
	}
	rows := c.Starts[from : from+b.n]
	if c.Files {
		for j, s := range rows {
			dst[j] = starts[c.File+int(s&mask)]
		}
		return
	}
	start := starts[c.File] + uint64(c.Offset)
	for j, s := range rows {
		dst[j] = start + uint64(s&mask)
	}
}

// assignSplits sets the splits of the rows, and drops rows without one.
func (b *batch) assignSplits(c *Chunk, from int) {
	switch {
	case c.marked:
		b.keepMarked(c.Starts[from : from+b.n])
	case c.Cuts != nil:
		for j, a := range b.address[:b.n] {
			b.splits[j] = c.Cuts.Split(SplitPoint(a))
		}
	default:
		for j := range b.splits[:b.n] {
			b.splits[j] = c.Split
		}
	}
}

// keepMarked keeps the rows that are marked with a split.
func (b *batch) keepMarked(marked []uint32) {
	kept := 0
	for j, s := range marked {
		split := uint8(s >> markShift)
		if split != NoSplit {
			b.keys[kept], b.splits[kept] = b.keys[j], split
			kept++
		}
	}
	b.n = kept
}
