package jpeg

import "encoding/binary"

// A bitReader reads the data of a scan bit by bit, up to a marker. From there on
// it gives zeros, and counts them.
type bitReader struct {
	*stream
	bits  uint64 // the next ones, from the highest on
	n     int    // how many
	faked int    // how many of those, the last ones, are zeros from beyond a marker
	short bool   // more were taken than there are
}

// leave ends a part of the data. Whole bytes of it that are left belong to nothing.
func (r *bitReader) leave() {
	r.skipped += max(r.n-r.faked, 0) / 8
	r.bits, r.n, r.faked = 0, 0, 0
	if r.skipped > 0 && r.marker != 0 {
		r.warn(ExtraBytes)
		r.skipped = 0
	}
}

// settle notes whether more bits were taken than there are.
func (r *bitReader) settle() {
	if r.n < r.faked && !r.short {
		r.short = true
		r.warn(ShortScan)
	}
}

// need makes sure of 32 bits.
func (r *bitReader) need() {
	if r.n < 32 {
		r.bits, r.n, r.pos = r.refill(r.bits, r.n, r.pos)
	}
}

// refill adds bits to n < 32 of them, from the position pos on, so that they are 32
// at least.
func (r *bitReader) refill(bits uint64, n, pos int) (uint64, int, int) {
	r.pos = pos
	for n <= 56 {
		if r.marker != 0 {
			if n < 32 {
				r.faked += 64 - n
				n = 64
			}
			break
		}
		c := r.next()
		if c == 0xff {
			after := r.next()
			for after == 0xff {
				after = r.next()
			}
			if after != 0 {
				r.marker = after
				continue
			}
		}
		bits |= uint64(c) << (56 - n)
		n += 8
	}
	return bits, n, r.pos
}

// ahead is where more bits may be taken from: nothing, where a marker was read.
func (r *bitReader) ahead() []byte {
	if r.marker != 0 {
		return nil
	}
	return r.data
}

// get takes n bits, at most 16, where need has made sure of them.
func (r *bitReader) get(n int) uint32 {
	v := uint32(r.bits >> 1 >> ((63 - n) & 63))
	r.drop(n)
	return v
}

// drop takes n bits that are no longer needed.
func (r *bitReader) drop(n int) {
	r.bits <<= n & 63
	r.n -= n
}

// symbol decodes a bare entry of t.look, or what is not in it.
func (r *bitReader) symbol(t *decodeTable, entry uint32, bits uint64) (symbol uint8, length int) {
	if entry != 0 {
		return uint8(entry >> 8), int(entry >> 16)
	}
	symbol, length = t.symbol(bits)
	if length > 16 {
		r.warn(BadCode)
	}
	return symbol, length
}

// hasFF reports whether a byte of v is 0xff.
func hasFF(v uint32) bool {
	return (^v-0x01010101)&v&0x80808080 != 0
}

// A scratch is a block of coefficients row by row, and behind them place for what
// belongs nowhere.
type scratch [128]int16

// place is order for every sum of a place and a run: all from atEnd on lead to
// beyond the block.
var place = func() (p [256]uint8) {
	for i := range p {
		p[i] = 64
		if i < len(order) {
			p[i] = order[i]
		}
	}
	return p
}()

// block decodes a block of a sequential scan into b, which is zero, and returns
// its first coefficient, before which came the first one before. It reports whether
// all others are zero.
//
// Ends of blocks and runs of 16 zeros are stored, too: as a zero where there is
// one, or beyond the block.
func (r *bitReader) block(b *scratch, dc, ac *decodeTable, before int32) (first int32, isFlat bool) {
	bits, n, pos := r.bits, r.n, r.pos
	if n < 32 {
		bits, n, pos = r.refill(bits, n, pos)
	}
	data := r.ahead()
	entry := dc.look[bits>>(64-lookBits)]
	if size := entry & 0xff; size != 0 {
		bits <<= size & 63
		n -= int(size)
		first = before + int32(entry)>>16
	} else {
		size, length := r.symbol(dc, entry, bits)
		bits <<= length & 63
		first = before + extend(uint32(bits>>1>>((63-size)&63)), int(size))
		bits <<= size & 63
		n -= length + int(size)
	}
	b[0] = int16(first)
	k := uint32(1)
	for k < 64 {
		if n < 32 {
			if uint(pos)+4 <= uint(len(data)) {
				v := binary.BigEndian.Uint32(data[pos:])
				if !hasFF(v) {
					bits |= uint64(v) << ((32 - n) & 63)
					n += 32
					pos += 4
					goto ready
				}
			}
			bits, n, pos = r.refill(bits, n, pos)
			data = r.ahead()
		}
	ready:
		entry := ac.look[bits>>(64-lookBits)]
		size := entry & 0xff
		if size == 0 {
			symbol, length := r.symbol(ac, entry, bits)
			bits <<= length & 63
			entry = uint32(symbol>>4) << 8
			size = uint32(symbol & 15)
			switch {
			case size != 0:
				entry |= uint32(extend(uint32(bits>>(64-size)), int(size))) << 16
			case symbol != 0xf0:
				entry = atEnd << 8
			}
			n -= length
		}
		bits <<= size & 63
		n -= int(size)
		k += entry >> 8 & 0xff
		b[place[k&0xff]&127] = int16(entry >> 16)
		k++
	}
	r.bits, r.n, r.pos = bits, n, pos
	return first, k == 1+atEnd+1
}
