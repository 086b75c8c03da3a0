// Package crc32c computes CRC-32C, the Castagnoli CRC, of short texts: those of
// hash/crc32, which is as fast only where there are many bytes.
//
// The instruction for eight bytes takes three cycles and needs the result of
// the one before. So a text is cut into three stretches of equal length, whose
// CRCs are computed side by side, and what is left over:
//
//	|<──── A ────>|<──── B ────>|<──── C ────>|rest|
//
// The CRC of a text that n bytes follow is multiplied by x^8n; here A's by that
// of 2·len(A) bytes and B's by that of len(A). The products, which have 64 bits,
// are added to the last eight bytes of C, and the instruction reduces them with
// those. (V. Gopal and others, Fast CRC Computation for iSCSI Polynomial Using
// CRC32 Instruction, Intel 2011.)
package crc32c

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C of b.
func Checksum(b []byte) uint32 {
	if len(b) < shortest || len(b) > longest || !hasInstructions {
		return crc32.Checksum(b, castagnoli)
	}
	return short(b)
}

// Which lengths are quicker here, by measurement.
const (
	shortest = 48
	longest  = 24 * maxWords
)

// maxWords is how many words of eight bytes a stretch has at most.
const maxWords = 42

// A shift has what the CRCs of A and B are multiplied by for stretches of so
// many words.
type shift struct{ a, b uint64 }

// shifts are by the number of words.
var shifts = makeShifts()

func makeShifts() (s [maxWords + 1]shift) {
	for n := 1; n <= maxWords; n++ {
		s[n] = shift{factor(2 * n), factor(n)}
	}
	return s
}

// factor is what a CRC that n words follow is multiplied by: x^64n, divided by
// x^33, which the instruction and the product of two reflected numbers bring
// along. As all numbers here it is reflected: the highest bit is that of x^0.
func factor(n int) uint64 {
	const x0, polynomial = 1 << 31, 0x82f63b78
	p := uint32(x0)
	for range 64*n - 33 {
		carry := p & 1
		p >>= 1
		if carry != 0 {
			p ^= polynomial
		}
	}
	return uint64(p)
}
