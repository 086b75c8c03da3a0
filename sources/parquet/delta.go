package parquet

import "encoding/binary"

// Deltas are integers, each stored as what it is more than the one before:
//
//	block size | parts of a block | values | the first
//	the least delta | width of each part | parts, packed less the least delta
//	…
type deltas struct {
	data  []byte
	left  int // values that are not read
	last  int64
	begun bool // the first value was read
	part  int  // values of one

	widths []byte // of the parts of the block
	least  int64
	next   int    // part of the block
	packed []byte // the part at hand
	width  int    // of its values
	at     int    // its next value
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
	d.at = d.part
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

// each calls take for the next n values, of those that are left.
func (d *deltas) each(n int, take func(int64)) error {
	if n > 0 && !d.begun {
		d.begun = true
		take(d.last)
		n, d.left = n-1, d.left-1
	}
	for n > 0 {
		if d.at == d.part {
			if err := d.open(); err != nil {
				return err
			}
		}
		count := min(n, d.part-d.at)
		for i := d.at; i < d.at+count; i++ {
			d.last += d.least + int64(bitsAt(d.packed, i*d.width, d.width))
			take(d.last)
		}
		n, d.left, d.at = n-count, d.left-count, d.at+count
	}
	return nil
}

// open opens the next part.
func (d *deltas) open() error {
	if d.next == len(d.widths) {
		if err := d.block(); err != nil {
			return err
		}
	}
	d.width, d.at = int(d.widths[d.next]), 0
	d.next++
	size := d.part * d.width / 8
	if d.width > 64 || size > len(d.data) {
		return errDeltas
	}
	d.packed, d.data = d.data[:size], d.data[size:]
	return nil
}

// block reads the head of a block.
func (d *deltas) block() error {
	if d.least = d.varint(); d.data == nil || len(d.data) < cap(d.widths) {
		return errDeltas
	}
	n := cap(d.widths)
	d.widths = append(d.widths[:0], d.data[:n]...)
	d.data, d.next = d.data[n:], 0
	return nil
}

// rest returns what follows the values, none of which was read. No part is stored for
// values that do not exist.
func (d *deltas) rest() ([]byte, error) {
	to := *d
	to.widths = make([]byte, 0, cap(d.widths))
	for n := d.left - 1; n > 0; n -= d.part {
		if err := to.open(); err != nil {
			return nil, err
		}
	}
	return to.data, nil
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
