package jpeg

import "encoding/binary"

// A bitReader reads the data of a scan bit by bit, up to a marker. After the marker it returns
// zeros, and counts them.
type bitReader struct {
	*stream
	bits      uint64 // the next bits, highest first
	n         int    // number of bits in bits
	faked     int    // number of zeros after a marker, at the end of bits
	exhausted bool   // more bits were read than exist
	end       int    // offset after the last byte that was used, set by endInterval
}

// endInterval ends an interval of data. It counts unread complete bytes as stray.
func (r *bitReader) endInterval() {
	unread := max(r.n-r.faked, 0) / 8
	r.end = min(r.pos, len(r.data)) - unread
	r.skipped += unread
	r.bits, r.n, r.faked = 0, 0, 0
	if r.skipped > 0 && r.marker != 0 {
		r.warn(ExtraBytes)
		r.skipped = 0
	}
}

// checkEnd sets exhausted, with a warning, if more bits were read than exist.
func (r *bitReader) checkEnd() {
	if r.n < r.faked && !r.exhausted {
		r.exhausted = true
		r.warn(ShortScan)
	}
}

// need fetches at least 32 bits.
func (r *bitReader) need() {
	if r.n < 32 {
		r.bits, r.n, r.pos = r.refill(r.bits, r.n, r.pos)
	}
}

// refill adds bits from position pos to n < 32 bits, to have at least 32. It returns the new
// bits, their number, and the position.
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

// unread returns the data to fetch bits from. It returns nil after a marker.
func (r *bitReader) unread() []byte {
	if r.marker != 0 {
		return nil
	}
	return r.data
}

// get reads n bits, at most 16, that need has fetched.
func (r *bitReader) get(n int) uint32 {
	v := uint32(r.bits >> 1 >> ((63 - n) & 63))
	r.drop(n)
	return v
}

// drop skips n fetched bits.
func (r *bitReader) drop(n int) {
	r.bits <<= n & 63
	r.n -= n
}

// symbol returns the symbol of an entry of t.lookup without a value, or decodes a code that is not
// in t.lookup. It warns about undefined codes.
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

// A scratch is a block of coefficients in row order. Its second half receives values outside of
// the block.
type scratch [128]int16

// position extends order to every sum of an index and a run. All indexes from atEnd on lead
// outside of the block.
var position = func() (p [256]uint8) {
	for i := range p {
		p[i] = 64
		if i < len(order) {
			p[i] = order[i]
		}
	}
	return p
}()

// block decodes a block of a sequential scan to b, which must be zero. predictor is the DC
// coefficient of the previous block. It returns this block's DC coefficient, and whether all
// other coefficients are zero.
//
// To avoid branches, ends of blocks and runs of 16 zeros are stored, too. The stored zero replaces
// a zero, or is outside of the block.
func (r *bitReader) block(b *scratch, dc, ac *decodeTable, predictor int32) (first int32, isFlat bool) {
	bits, n, pos := r.bits, r.n, r.pos
	if n < 32 {
		bits, n, pos = r.refill(bits, n, pos)
	}
	data := r.unread()
	entry := dc.lookup[bits>>(64-lookupBits)]
	if size := entry & 0xff; size != 0 {
		bits <<= size & 63
		n -= int(size)
		first = predictor + int32(entry)>>16
	} else {
		size, length := r.symbol(dc, entry, bits)
		bits <<= length & 63
		first = predictor + extend(uint32(bits>>1>>((63-size)&63)), int(size))
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
			data = r.unread()
		}
	ready:
		entry := ac.lookup[bits>>(64-lookupBits)]
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
		b[position[k&0xff]&127] = int16(entry >> 16)
		k++
	}
	r.bits, r.n, r.pos = bits, n, pos
	return first, k == 1+atEnd+1
}
