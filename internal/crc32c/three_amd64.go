package crc32c

// The instruction for eight bytes takes three cycles and needs the result of the
// one before. So a text is cut into three stretches of equal length, whose CRCs are
// computed side by side, and what is left over. A's is multiplied by what 2·len(A)
// bytes are and B's by what len(A) are. The products, which have 64 bits, are added
// to the last eight bytes of C, and the instruction reduces them with those.

// maxWords is how many words of eight bytes a stretch has at most: of longer texts
// hash/crc32 is as quick.
const maxWords = 42

// longestThree is the longest text for three.
const longestThree = 24 * maxWords

// three is the CRC of b after a text, neither inverted. b has from 24 to
// longestThree bytes.
func three(crc uint32, b []byte) uint32 {
	words := len(b) / 24
	return sum3(crc, b, words, shifts[2*words], shifts[words])
}

// sum3 is three, given how many words are in a stretch and what A and B are
// multiplied by.
//
//go:noescape
func sum3(crc uint32, b []byte, words int, a2, b1 uint64) uint32

// shifts[n] is what is multiplied to move on by n words of 64 bits: x^64n, divided
// by x^33, which the product of two reflected numbers and the reduction bring along.
var shifts = makeShifts()

func makeShifts() (s [2*maxWords + 1]uint64) {
	byWord := times(polynomial, polynomial) // x^64
	p := uint32(1)                          // x^31
	for n := 1; n < len(s); n++ {
		s[n] = uint64(p)
		p = times(p, byWord)
	}
	return s
}
