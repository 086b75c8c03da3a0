package bytemask

import "encoding/binary"

// This file is the implementation in plain Go. It processes eight bytes at a time, and collects
// their highest bits with a multiplication.

const (
	ones  = 0x0101010101010101
	lows  = 0x7f * ones
	highs = 0x80 * ones

	// gather moves bit 8i to bit 56+i. The bits do not collide, and nothing carries into them.
	gather = 0x0102040810204080
)

func stretchGo(dst []Block, b []byte, delim byte) (seen Seen) {
	for i := range dst {
		seen |= blockGo(&dst[i], b[i*Size:][:Size], delim)
	}
	return seen
}

func lineGo(dst []Block, b []byte, delim byte) int {
	for i := range dst {
		if blockGo(&dst[i], b[i*Size:][:Size], delim); dst[i].LF != 0 {
			return i + 1
		}
	}
	return len(dst)
}

func blockGo(m *Block, b []byte, delim byte) (seen Seen) {
	*m = Block{}
	for i := 0; i < Size; i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		m.LF |= equal(w, '\n') << i
		m.Quote |= equal(w, '"') << i
		m.Delim |= equal(w, delim) << i
		m.CR |= equal(w, '\r') << i
		if w&highs != 0 {
			seen |= NonASCII
		}
		if equal(w, 0) != 0 {
			seen |= NUL
		}
	}
	if m.CR != 0 {
		seen |= CR
	}
	return seen
}

// equal sets bit i if byte i of w is c. The lowest seven bits of a byte of x carry into its highest
// bit unless they are all 0.
func equal(w uint64, c byte) uint64 {
	x := w ^ uint64(c)*ones
	differs := (x&lows + lows) | x
	return (^differs & highs) >> 7 * gather >> 56
}
