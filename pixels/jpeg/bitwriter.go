package jpeg

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// codes has, for each symbol, its Huffman code in the low 32 bits, shifted left by the size of
// the value that follows. The upper 32 bits are the total number of bits.
type codes [256]uint64

// set sets c to the codes of a codebook. The low four bits of a symbol are the size of the value.
func (c *codes) set(book *codebook) {
	*c = codes{}
	code, k := uint64(0), 0
	for i, count := range book.counts {
		for range count {
			symbol := book.symbols[k]
			size := symbol & 15
			c[symbol] = code<<size | uint64(i+1+int(size))<<32
			code++
			k++
		}
		code <<= 1
	}
}

// A bitWriter writes the data of a scan. It buffers the bits of some blocks in raw. When it
// appends them to the file, it inserts a zero after each byte 0xff.
type bitWriter struct {
	out  []byte
	raw  [rawSize]byte
	at   int    // number of bytes in raw
	bits uint64 // the last n bits are not written yet
	n    uint   // less than 8
}

// blockRoom is more than the maximum size of a block: 64 codes of 16 bits with values of 15 bits.
const blockRoom = 256

const rawSize = 16 << 10

// begin starts to append to out.
func (w *bitWriter) begin(out []byte) { w.out, w.at, w.bits, w.n = out, 0, 0, 0 }

// end fills the last byte with ones, and returns the extended slice.
func (w *bitWriter) end() []byte {
	if w.n > 0 {
		w.raw[w.at] = byte((w.bits<<8 | 0xff) >> w.n)
		w.at++
	}
	w.drain()
	out := w.out
	w.out = nil
	return out
}

// drain appends the buffered bytes.
func (w *bitWriter) drain() {
	raw := w.raw[:w.at]
	w.at = 0
	for {
		i := bytes.IndexByte(raw, 0xff)
		if i < 0 {
			w.out = append(w.out, raw...)
			return
		}
		w.out = append(w.out, raw[:i+1]...)
		w.out = append(w.out, 0)
		raw = raw[i+1:]
	}
}

// zigzag has, for each row of a block and each set of its columns, the set of their indexes in
// file order.
var zigzag = func() (z [8][256]uint64) {
	for k, at := range order[:64] {
		row, column := at/8, at%8
		for set := range z[row] {
			if set>>column&1 != 0 {
				z[row][set] |= 1 << k
			}
		}
	}
	return z
}()

// nonzero returns the set of the coefficients that are not zero, in file order.
func nonzero(b *[64]int16) (set uint64) {
	for y := range zigzag {
		r := (*[8]int16)(b[8*y:])
		columns := isSet(r[0]) | isSet(r[1])<<1 | isSet(r[2])<<2 | isSet(r[3])<<3 |
			isSet(r[4])<<4 | isSet(r[5])<<5 | isSet(r[6])<<6 | isSet(r[7])<<7
		set |= zigzag[y][columns&0xff]
	}
	return set
}

// isSet returns 0 for 0, and 1 for all other values.
func isSet(v int16) uint32 { return -uint32(uint16(v)) >> 31 }

// block writes a block. predictor is the DC coefficient of the previous block of the component.
func (w *bitWriter) block(b *[64]int16, predictor int16, dc, ac *codes) {
	if w.at > rawSize-blockRoom {
		w.drain()
	}
	eachSymbol(b, predictor, func(isDC bool, symbol uint8, value uint64) {
		of := ac
		if isDC {
			of = dc
		}
		code := of[symbol]
		w.bits = w.bits<<(code>>32&63) | code&0xffffffff | value
		w.n += uint(code >> 32)
		binary.BigEndian.PutUint64(w.raw[w.at:], w.bits<<(-w.n&63))
		w.at += int(w.n >> 3)
		w.n &= 7
	})
}

// eachSymbol calls f with each symbol of a block, and the bits of the value after it. predictor is the DC
// coefficient of the previous block of the component.
func eachSymbol(b *[64]int16, predictor int16, f func(isDC bool, symbol uint8, value uint64)) {
	size, value := amplitude(int32(b[0]) - int32(predictor))
	f(true, size, value)
	next := 1
	for set := nonzero(b) &^ 1; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		run := k - next
		for ; run > 15; run -= 16 {
			f(false, 0xf0, 0)
		}
		next = k + 1
		size, value := amplitude(int32(b[order[k&63]]))
		f(false, uint8(run)<<4|size, value)
	}
	if next < 64 {
		f(false, 0, 0)
	}
}

// amplitude returns the size category of a value, and the bits that encode it.
func amplitude(v int32) (size uint8, value uint64) {
	sign := v >> 31
	size = uint8(bits.Len32(uint32((v ^ sign) - sign)))
	return size, uint64(uint32(v+sign) & (1<<(size&31) - 1))
}
