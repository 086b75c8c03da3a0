package parquet

import "encoding/binary"

// Deltas are integers, each stored as what it is more than the one before:
//
//	block size | parts of a block | values | the first
//	the least delta | width of each part | parts, packed less the least delta
//	…
type deltas struct {
	data []byte
	left int // values that are not read
	last int64
	part int // values of one

	widths []byte // of the parts of the block
	least  int64
}

// mostBlock is how many values a block may have.
const mostBlock = 1 << 20

// newDeltas reads the head of n values.
func newDeltas(data []byte, n int) (*deltas, error) {
	d := &deltas{data: data}
	block, parts, count := d.uvarint(), d.uvarint(), d.uvarint()
	d.last = d.varint()
	if d.data == nil || block == 0 || block > mostBlock || block%128 != 0 || parts == 0 || parts > block/32 || block/parts%32 != 0 || block%parts != 0 {
		return nil, damaged("the deltas of a page begin with no head of them")
	}
	if count != uint64(n) {
		return nil, damaged("a page has %d deltas, and claims %d values", count, n)
	}
	d.left, d.part = n, int(block/parts)
	d.widths = make([]byte, 0, parts)
	return d, nil
}

// uvarint is the next number; data is nil after one that is none.
func (d *deltas) uvarint() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.data = nil
		return 0
	}
	d.data = d.data[n:]
	if d.data == nil {
		d.data = []byte{}
	}
	return x
}

func (d *deltas) varint() int64 {
	u := d.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

var errDeltas = damaged("the deltas of a page are cut off")

// each calls take for all values; what follows them is rest.
func (d *deltas) each(take func(int64)) (rest []byte, err error) {
	if d.left > 0 {
		take(d.last)
		d.left--
	}
	for d.left > 0 {
		if err := d.block(); err != nil {
			return nil, err
		}
		for _, width := range d.widths {
			if err := d.next(int(width), take); err != nil {
				return nil, err
			}
		}
	}
	return d.data, nil
}

// block reads the head of a block.
func (d *deltas) block() error {
	if d.least = d.varint(); d.data == nil || len(d.data) < cap(d.widths) {
		return errDeltas
	}
	n := cap(d.widths)
	d.widths = append(d.widths[:0], d.data[:n]...)
	d.data = d.data[n:]
	return nil
}

// next reads a part; there is none for values that there are not.
func (d *deltas) next(width int, take func(int64)) error {
	if d.left == 0 {
		return nil
	}
	size := d.part * width / 8
	if width > 64 || size > len(d.data) {
		return errDeltas
	}
	part := d.data[:size]
	for i := range min(d.part, d.left) {
		d.last += d.least + int64(bitsAt(part, i*width, width))
		take(d.last)
	}
	d.left -= min(d.part, d.left)
	d.data = d.data[size:]
	return nil
}

// bitsAt is the number of so many bits, at most 64, that begins at a bit of data.
func bitsAt(data []byte, at, width int) uint64 {
	if width == 0 {
		return 0
	}
	var x [9]byte
	copy(x[:], data[at/8:])
	low := binary.LittleEndian.Uint64(x[:]) >> (at & 7)
	if at&7 > 0 {
		low |= uint64(x[8]) << (64 - at&7)
	}
	return low & (1<<width - 1)
}
