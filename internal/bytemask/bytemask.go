// Package bytemask finds line feeds, quotes, a delimiter, and carriage returns in text. For each
// of them, 64 bytes become a mask of 64 bits, in which bit i stands for byte i:
//
//	bytes    7 , " s o , " ⏎ 8 , …        ⏎ a line feed
//	LF       0 0 0 0 0 0 0 1 0 0 …
//	Quote    0 0 1 0 0 0 1 0 0 0 …
//	Delim    0 1 0 0 0 1 0 0 0 1 …
//
// Callers then compute with complete masks: [Odd] returns the bytes within quotes, and a loop over
// the set bits goes from cell to cell without reading the bytes between them.
//
// The functions read no bytes beyond the given slices.
package bytemask

// Size is the number of bytes of a Block.
const Size = 64

// A Block has the masks of 64 bytes.
type Block struct{ LF, Quote, Delim, CR uint64 }

// Seen is a set of flags for bytes that occur anywhere in a range.
type Seen uint8

const (
	CR       Seen = 1 << iota // a carriage return
	NonASCII                  // a byte above 0x7f
	NUL                       // a byte that is 0
)

// Stretch computes the blocks of b. The length of b must be the length of dst times Size.
func Stretch(dst []Block, b []byte, delim byte) Seen {
	if len(b) != len(dst)*Size {
		panic("bytemask: internal error: blocks of another text")
	}
	if len(b) == 0 {
		return 0
	}
	if hasAVX2 {
		return stretchAVX2(&dst[0], &b[0], len(dst), delim)
	}
	return stretchGo(dst, b, delim)
}

// Line computes the blocks at the beginning of b, up to the first block with an LF. It stops
// earlier if dst is full or b has no further complete block. It returns the number of blocks.
func Line(dst []Block, b []byte, delim byte) int {
	n := min(len(dst), len(b)/Size)
	if n > 0 && hasAVX2 {
		return lineAVX2(&dst[0], &b[0], n, delim)
	}
	return lineGo(dst[:n], b, delim)
}

// Odd sets each bit for which the bits of mask up to and including it have an odd sum. For a mask
// of quotes, these are the bytes within quotes, including the opening quote.
func Odd(mask uint64) uint64 {
	mask ^= mask << 1
	mask ^= mask << 2
	mask ^= mask << 4
	mask ^= mask << 8
	mask ^= mask << 16
	return mask ^ mask<<32
}
