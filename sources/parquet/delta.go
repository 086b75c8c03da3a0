package parquet

import "encoding/binary"

// A deltas reads integers in the encoding DELTA_BINARY_PACKED, each stored as its difference to
// the previous one:
//
//	block size | miniblocks per block | number of values | first value
//	minimum delta | bit width of each miniblock | miniblocks, packed less the minimum
//	…
type deltas struct {
	data      []byte
	left      int // unread values
	last      int64
	begun     bool // the first value is read
	miniblock int  // values per miniblock

	widths   []byte // bit widths of the block's miniblocks
	minDelta int64  // minimum delta of the block
	next     int    // index of the next miniblock in the block
	packed   []byte // current miniblock
	width    int    // bit width of its values
	at       int    // index of its next value
}

// maxBlock is the maximum number of values in a block.
const maxBlock = 1 << 20

// newDeltas reads the header of n values.
func newDeltas(data []byte, n int) (*deltas, error) {
	d := &deltas{data: data}
	block, parts, count := d.uvarint(), d.uvarint(), d.uvarint()
	d.last = d.varint()
	if d.data == nil || block == 0 || block > maxBlock || block%128 != 0 || parts == 0 || parts > block/32 || block/parts%32 != 0 || block%parts != 0 {
		return nil, damaged("the deltas of a page begin with no head of them")
	}
	if count != uint64(n) {
		return nil, damaged("a page has %d deltas, and claims %d values", count, n)
	}
	d.left, d.miniblock = n, int(block/parts)
	d.at = d.miniblock
	d.widths = make([]byte, 0, parts)
	return d, nil
}

// uvarint returns the next number. It sets data to nil if the number is missing.
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

// each calls take with each of the next n values. n is at most d.left.
func (d *deltas) each(n int, take func(int64)) error {
	if n > 0 && !d.begun {
		d.begun = true
		take(d.last)
		n, d.left = n-1, d.left-1
	}
	for n > 0 {
		if d.at == d.miniblock {
			if err := d.openMiniblock(); err != nil {
				return err
			}
		}
		count := min(n, d.miniblock-d.at)
		for i := d.at; i < d.at+count; i++ {
			d.last += d.minDelta + int64(bitsAt(d.packed, i*d.width, d.width))
			take(d.last)
		}
		n, d.left, d.at = n-count, d.left-count, d.at+count
	}
	return nil
}

// openMiniblock opens the next miniblock.
func (d *deltas) openMiniblock() error {
	if d.next == len(d.widths) {
		if err := d.readBlockHeader(); err != nil {
			return err
		}
	}
	d.width, d.at = int(d.widths[d.next]), 0
	d.next++
	size := d.miniblock * d.width / 8
	if d.width > 64 || size > len(d.data) {
		return errDeltas
	}
	d.packed, d.data = d.data[:size], d.data[size:]
	return nil
}

// readBlockHeader reads the header of a block.
func (d *deltas) readBlockHeader() error {
	if d.minDelta = d.varint(); d.data == nil || len(d.data) < cap(d.widths) {
		return errDeltas
	}
	n := cap(d.widths)
	d.widths = append(d.widths[:0], d.data[:n]...)
	d.data, d.next = d.data[n:], 0
	return nil
}

// rest returns the bytes after the values. No value may have been read. Writers store no
// miniblock for values that do not exist.
func (d *deltas) rest() ([]byte, error) {
	to := *d
	to.widths = make([]byte, 0, cap(d.widths))
	for n := d.left - 1; n > 0; n -= d.miniblock {
		if err := to.openMiniblock(); err != nil {
			return nil, err
		}
	}
	return to.data, nil
}

// bitsAt returns the number of width bits, at most 64, that begins at bit at of data.
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
