package schema

import "encoding/binary"

// A parseResult tells whether a string is a number, and if not, why.
type parseResult uint8

const (
	numberOK        parseResult = iota
	numberUnderflow             // a float other than 0 that rounds to 0
	numberSyntax                // not a number of the type
	numberRange                 // out of the range of the type
)

// zeroDigits is the digit 0, 0x30, in each of eight bytes.
const zeroDigits = 0x3030303030303030

// loadDigits returns the 1 to 8 bytes of text, each XORed with '0', the last byte in the highest
// bits. Zeros fill the bytes below the first. It loads eight bytes at once, so text must have the
// capacity for them.
func loadDigits(text []byte) uint64 {
	return alignDigits(binary.LittleEndian.Uint64(text[:8]), len(text))
}

// alignDigits is loadDigits for the first n bytes of word.
func alignDigits(word uint64, n int) uint64 {
	return (word ^ zeroDigits) << (uint(-n) * 8 & 63)
}

// nonDigits sets the highest bit of each byte of x that is not a digit.
func nonDigits(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return (x&low + 0x7676767676767676 | x) &^ low
}

// joinDigits returns the number whose decimal digits are the bytes of x, the most significant digit
// in the lowest byte.
func joinDigits(x uint64) uint64 {
	const pairs = 0x000000ff000000ff
	x = x*10 + x>>8
	return (x&pairs*(100+1000000<<32) + x>>16&pairs*(1+10000<<32)) >> 32
}

// The letters of the words, the first in the lowest bits.
const (
	trueWord  = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	falseWord = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32
)

// parseBool parses true, false, 1, and 0, in any case.
func parseBool(text []byte) (x uint64, ok bool) {
	n := uint64(len(text))
	if n == 1 {
		x = uint64(text[0] - '0')
		return x, x <= 1
	}
	var word uint64
	if cap(text) >= 8 {
		word = binary.LittleEndian.Uint64(text[:8])
	} else {
		var padded [8]byte
		copy(padded[:], text)
		word = binary.LittleEndian.Uint64(padded[:])
	}
	word |= 0x2020202020202020
	// No branch here: which of the words it is cannot be predicted.
	isTrue := isZero((word<<32 ^ trueWord<<32) | (n ^ 4))
	isFalse := isZero((word<<24 ^ falseWord<<24) | (n ^ 5))
	return isTrue, isTrue|isFalse != 0
}

// isZero returns 1 if x is 0, and otherwise 0.
func isZero(x uint64) uint64 { return (x - 1) &^ x >> 63 }
