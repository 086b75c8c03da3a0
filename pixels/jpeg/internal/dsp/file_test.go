package dsp

import (
	"encoding/binary"
	"math/bits"
)

// A plane is a component of a JPEG file that tests write.
type plane struct {
	h, v   int // sampling factors
	table  [64]uint16
	across int // blocks in a row, a multiple of h
	blocks [][64]int16
}

// zigzag is the order of coefficients in a file.
var zigzag = func() (order [64]int) {
	x, y, up := 0, 0, true
	for i := range order {
		order[i] = 8*y + x
		switch {
		case up && x == 7:
			y, up = y+1, false
		case up && y == 0:
			x, up = x+1, false
		case up:
			x, y = x+1, y-1
		case y == 7:
			x, up = x+1, true
		case x == 0:
			y, up = y+1, true
		default:
			x, y = x-1, y+1
		}
	}
	return order
}()

// file is a JPEG file with these coefficients, of any size but -32768. Each MCU
// ends with a restart, so that the first coefficients can have any size, too.
func file(width, height int, planes []plane) []byte {
	be := binary.BigEndian
	out := []byte{0xff, 0xd8}
	segment := func(marker byte, body []byte) {
		out = append(out, 0xff, marker)
		out = append(be.AppendUint16(out, uint16(len(body)+2)), body...)
	}

	frame := append(be.AppendUint16(be.AppendUint16([]byte{8}, uint16(height)), uint16(width)), byte(len(planes)))
	scan := []byte{byte(len(planes))}
	for i, p := range planes {
		table := []byte{1<<4 | byte(i)}
		for _, at := range zigzag {
			table = be.AppendUint16(table, p.table[at])
		}
		segment(0xdb, table)
		frame = append(frame, byte(i+1), byte(p.h<<4|p.v), byte(i))
		scan = append(scan, byte(i+1), 0)
	}
	segment(0xc1, frame)

	// All codes for first coefficients have 5 bits, all for others 8.
	first, others := make([]byte, 17, 33), make([]byte, 17, 273)
	first[5], others[0] = 16, 1<<4
	for size := range 16 {
		first = append(first, byte(size))
	}
	for run := range 16 {
		for size := range 16 {
			if size > 0 || run == 0 || run == 15 {
				others = append(others, byte(run<<4|size))
			}
		}
	}
	others[8] = byte(len(others) - 17)
	segment(0xc4, first)
	segment(0xc4, others)
	segment(0xdd, []byte{0, 1})
	segment(0xda, append(scan, 0, 63, 0))

	var code [256]int
	for i, symbol := range others[17:] {
		code[symbol] = i
	}
	mcusAcross := planes[0].across / planes[0].h
	mcus := len(planes[0].blocks) / planes[0].h / planes[0].v
	for m := range mcus {
		w := bitWriter{out: out}
		for _, p := range planes {
			for i := range p.h * p.v {
				x, y := m%mcusAcross*p.h+i%p.h, m/mcusAcross*p.v+i/p.h
				w.block(&p.blocks[y*p.across+x], &code)
			}
			w.before = 0
		}
		out = w.end()
		if m+1 < mcus {
			out = append(out, 0xff, 0xd0|byte(m&7))
		}
	}
	return append(out, 0xff, 0xd9)
}

// A bitWriter writes a scan.
type bitWriter struct {
	out    []byte
	bits   uint64
	n      int
	before int16 // the first coefficient of the component's block before
}

func (w *bitWriter) put(v uint32, n int) {
	w.bits, w.n = w.bits<<n|uint64(v), w.n+n
	for ; w.n >= 8; w.n -= 8 {
		b := byte(w.bits >> (w.n - 8))
		w.out = append(w.out, b)
		if b == 0xff {
			w.out = append(w.out, 0)
		}
	}
}

func (w *bitWriter) number(v, size int) {
	if v < 0 {
		v += 1<<size - 1
	}
	w.put(uint32(v), size)
}

func (w *bitWriter) block(b *[64]int16, code *[256]int) {
	dc := int(b[0]) - int(w.before)
	size := bits.Len(uint(max(dc, -dc)))
	w.put(uint32(size), 5)
	w.number(dc, size)
	w.before = b[0]
	run := 0
	for _, at := range zigzag[1:] {
		v := int(b[at])
		if v == 0 {
			run++
			continue
		}
		for ; run > 15; run -= 16 {
			w.put(uint32(code[0xf0]), 8)
		}
		size := bits.Len(uint(max(v, -v)))
		w.put(uint32(code[run<<4|size]), 8)
		w.number(v, size)
		run = 0
	}
	if run > 0 {
		w.put(uint32(code[0]), 8)
	}
}

// end fills up the last byte with ones.
func (w *bitWriter) end() []byte {
	w.put(0x7f, 7)
	return w.out
}
