package crc32c

// The instruction for eight bytes takes three cycles and needs its previous result. So the data is
// split into three segments of equal length and a rest, and the CRCs of the segments are computed
// in parallel. The CRC of A is multiplied by the factor for 2·len(A) bytes, the CRC of B by the
// factor for len(A) bytes. The products, which have 64 bits, are added to the last eight bytes of
// C, and the instruction reduces them along with C.

// maxWords is the largest number of eight-byte words in a segment. For longer data, hash/crc32 is
// as fast.
const maxWords = 42

// longestThree is the length of the longest data for three.
const longestThree = 24 * maxWords

// three updates crc with b. The CRCs are not inverted. b has from 24 to longestThree bytes.
func three(crc uint32, b []byte) uint32 {
	words := len(b) / 24
	return sum3(crc, b, words, shifts[2*words], shifts[words])
}

// sum3 is three with the number of words per segment and the factors of A and B.
//
//go:noescape
func sum3(crc uint32, b []byte, words int, a2, b1 uint64) uint32

// shifts[n] is the factor to move by n words of 64 bits. It is x^64n divided by x^33, because the
// product of two reflected numbers and the reduction multiply by x^33.
var shifts = makeShifts()

func makeShifts() (s [2*maxWords + 1]uint64) {
	byWord := multiply(polynomial, polynomial) // x^64
	p := uint32(1)                             // x^31
	for n := 1; n < len(s); n++ {
		s[n] = uint64(p)
		p = multiply(p, byWord)
	}
	return s
}
