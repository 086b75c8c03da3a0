// Package bytemask tells where in a text line feeds, quotes, a delimiter and
// carriage returns are: 64 bytes become a mask of 64 bits for each of them, in
// which bit i is byte i.
//
//	bytes    7 , " s o , " ⏎ 8 , …        ⏎ a line feed
//	LF       0 0 0 0 0 0 0 1 0 0 …
//	Quote    0 0 1 0 0 0 1 0 0 0 …
//	Delim    0 1 0 0 0 1 0 0 0 1 …
//
// What follows is arithmetic of whole masks: Odd says which bytes are within
// quotes, and a loop over the bits that are set goes from cell to cell without
// looking at the bytes between them.
//
// Nothing is read beyond the slices that are given.
package bytemask

// Size is how many bytes a Block is of.
const Size = 64

// A Block says where in 64 bytes something is.
type Block struct{ LF, Quote, Delim, CR uint64 }

// Seen is what is anywhere in a stretch. Flags are OR-ed.
type Seen uint8

const (
	CR       Seen = 1 << iota // a carriage return
	NonASCII                  // a byte above 0x7f
	NUL                       // a byte that is 0
)

// Stretch makes the blocks of b, whose length is that of dst times Size.
func Stretch(dst []Block, b []byte, delim byte) Seen {
	if len(b) != len(dst)*Size {
		panic("bytemask: internal error: blocks of another text")
	}
	if len(b) == 0 {
		return 0
	}
	return stretch(dst, b, delim)
}

// Line makes blocks of what b begins with, up to and with the first that has
// an LF, as many as dst has room for and b has bytes. It returns how many.
func Line(dst []Block, b []byte, delim byte) int {
	return line(dst, b, delim)
}

// Odd has those bits set up to and with which an odd number of bits is set in
// the mask: of quotes, those of the bytes within, the opening one included.
func Odd(mask uint64) uint64 {
	mask ^= mask << 1
	mask ^= mask << 2
	mask ^= mask << 4
	mask ^= mask << 8
	mask ^= mask << 16
	return mask ^ mask<<32
}
