package arrays

// This file reads rows in Fortran order: from a block of rows, in which a run of each
// element stands, to tiles, in which each row stands for itself.

// A span is some rows of an array.
type span struct {
	from, count int64
	data        []byte
}

// has reports whether row i is one of them.
func (s *span) has(i int64) bool { return s.from <= i && i < s.from+s.count }

// readFortran reads row i into dst.
func (l *lane) readFortran(dst []byte, i int64) error {
	if !l.tile.has(i) {
		if !l.block.has(i) {
			if err := l.fill(i); err != nil {
				return err
			}
		}
		l.turnTile(i)
	}
	copy(dst, l.tile.data[int(i-l.tile.from)*l.stride:])
	return nil
}

// leastRun is how many bytes of an element, one row after another, are read at once if
// there is memory for it. Fewer would take as long.
const leastRun = 4 << 10

// fill reads the block of rows from i on.
func (l *lane) fill(i int64) error {
	b := &l.block
	if l.held != nil {
		*b = span{0, l.rows, l.held}
		return nil
	}
	wanted := (leastRun + l.size - 1) / l.size
	b.from, b.count = i, min(l.rows-i, int64(max(1, l.share/l.stride, min(wanted, l.most*3/4/l.stride))))
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

// lineSize is how many bytes memory gives at once.
const lineSize = 64

// turnTile puts rows of the block, from i on, into C order: as many as have an element
// in one line of memory, which is then read once.
func (l *lane) turnTile(i int64) {
	t, b := &l.tile, &l.block
	if t.data == nil {
		t.data = make([]byte, l.stride*max(1, min(lineSize/l.size, l.most/4/l.stride)))
	}
	t.from, t.count = i, min(b.from+b.count-i, int64(len(t.data)/l.stride))
	l.gather(t.data, b.data, l.walk, i-b.from, t.count, b.count)
}
