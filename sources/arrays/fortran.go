package arrays

// This file reads rows in Fortran order in two stages. A block of rows has, for each element of a
// row, a run of its values in all rows of the block. A tile has a few of these rows in C order.

// A span is a range of rows of an array.
type span struct {
	from, count int64
	data        []byte
}

// has reports whether row i is in the span.
func (s *span) has(i int64) bool { return s.from <= i && i < s.from+s.count }

// readFortran reads row i into dst.
func (l *arrayReader) readFortran(dst []byte, i int64) error {
	if !l.tile.has(i) {
		if !l.block.has(i) {
			if err := l.readBlock(i); err != nil {
				return err
			}
		}
		l.transposeTile(i)
	}
	copy(dst, l.tile.data[int(i-l.tile.from)*l.stride:])
	return nil
}

// minRun is how many bytes of consecutive rows of one element are read at once, if there is memory
// for them. Shorter reads would take as long.
const minRun = 4 << 10

// readBlock reads the block of rows from i on.
func (l *arrayReader) readBlock(i int64) error {
	b := &l.block
	if l.decompressed != nil {
		*b = span{0, l.rows, l.decompressed}
		return nil
	}
	perRun := (minRun + l.size - 1) / l.size
	b.from, b.count = i, min(l.rows-i, int64(max(1, l.share/l.stride, min(perRun, l.most*3/4/l.stride))))
	if b.data == nil {
		b.data = make([]byte, int(b.count)*l.stride)
	}
	if b.count == l.rows {
		_, err := l.blocks.ReadAt(b.data, 0)
		return err
	}
	run := int(b.count) * l.size
	for k := range l.stride / l.size {
		_, err := l.blocks.ReadAt(b.data[k*run:(k+1)*run], (int64(k)*l.rows+i)*int64(l.size))
		if err != nil {
			return err
		}
	}
	return nil
}

// lineSize is the size of a cache line in bytes.
const lineSize = 64

// transposeTile copies rows of the block, from i on, into the tile in C order. The tile has as many
// rows as have one element in a cache line, so that each line is read once.
func (l *arrayReader) transposeTile(i int64) {
	t, b := &l.tile, &l.block
	if t.data == nil {
		t.data = make([]byte, l.stride*max(1, min(lineSize/l.size, l.most/4/l.stride)))
	}
	t.from, t.count = i, min(b.from+b.count-i, int64(len(t.data)/l.stride))
	l.gather(t.data, b.data, l.walk, i-b.from, t.count, b.count)
}
