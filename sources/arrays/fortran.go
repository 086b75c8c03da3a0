package arrays

// This file reads rows in Fortran order by blocks. A block has, for each element of a row, a run of its values in all
// rows of the block.

// A block is a range of rows of an array.
type block struct {
	from, count int64
	data        []byte
}

// readFortran reads row i into dst.
func (r *arrayReader) readFortran(dst []byte, i int64) error {
	b := &r.block
	if i < b.from || i >= b.from+b.count {
		if err := r.readBlock(i); err != nil {
			return err
		}
	}
	for to := 0; to < r.stride; to += r.size {
		at := (r.walk.next()*int(b.count) + int(i-b.from)) * r.size
		copy(dst[to:], b.data[at:at+r.size])
	}
	return nil
}

// minRun is how many bytes of consecutive rows of one element are read at once, if there is memory
// for them. Shorter reads would take as long.
const minRun = 4 << 10

// readBlock reads the block of rows from i on.
func (r *arrayReader) readBlock(i int64) error {
	b := &r.block
	if r.decompressed != nil {
		*b = block{0, r.rows, r.decompressed}
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
