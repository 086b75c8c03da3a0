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
func (r *arrayReader) readFortran(dst []byte, i int64) error {
	if !r.tile.has(i) {
		if !r.block.has(i) {
			if err := r.readBlock(i); err != nil {
				return err
			}
		}
		r.transposeTile(i)
	}
	copy(dst, r.tile.data[int(i-r.tile.from)*r.stride:])
	return nil
}

// minRun is how many bytes of consecutive rows of one element are read at once, if there is memory
// for them. Shorter reads would take as long.
const minRun = 4 << 10

// readBlock reads the block of rows from i on.
func (r *arrayReader) readBlock(i int64) error {
	b := &r.block
	if r.decompressed != nil {
		*b = span{0, r.rows, r.decompressed}
		return nil
	}
	perRun := (minRun + r.size - 1) / r.size
	b.from, b.count = i, min(r.rows-i, int64(max(1, r.share/r.stride, min(perRun, r.most*3/4/r.stride))))
	if b.data == nil {
		b.data = make([]byte, int(b.count)*r.stride)
	}
	if b.count == r.rows {
		_, err := r.blocks.ReadAt(b.data, 0)
		return err
	}
	run := int(b.count) * r.size
	for k := range r.stride / r.size {
		_, err := r.blocks.ReadAt(b.data[k*run:(k+1)*run], (int64(k)*r.rows+i)*int64(r.size))
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
func (r *arrayReader) transposeTile(i int64) {
	t, b := &r.tile, &r.block
	if t.data == nil {
		t.data = make([]byte, r.stride*max(1, min(lineSize/r.size, r.most/4/r.stride)))
	}
	t.from, t.count = i, min(b.from+b.count-i, int64(len(t.data)/r.stride))
	r.gather(t.data, b.data, r.walk, i-b.from, t.count, b.count)
}
