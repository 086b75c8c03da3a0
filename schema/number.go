package schema

import "encoding/binary"

// A verdict says what came of a number's text.
type verdict uint8

const (
	numberFine      verdict = iota
	numberUnderflow         // a float that is 0 only because it is so small
	numberSyntax            // not a number of that type
	numberRange             // beyond what the type holds
)

// eights has a byte of 0x30, the digit 0, eight times.
const eights = 0x3030303030303030

// loadDigits returns the 1 to 8 bytes of text less '0' each, the last one
// highest, with zeros below the first. It loads eight bytes at once, so text
// must have the capacity for them.
func loadDigits(text []byte) uint64 {
	return alignDigits(binary.LittleEndian.Uint64(text[:8]), len(text))
}

// alignDigits is loadDigits of the first n bytes of word.
func alignDigits(word uint64, n int) uint64 {
	return (word ^ eights) << (uint(-n) * 8 & 63)
}

// nonDigits marks the bytes of x that are no digits by their highest bits.
func nonDigits(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	return (x&low + 0x7676767676767676 | x) &^ low
}

// joinDigits returns the number whose decimal digits are the bytes of x, the
// lowest first.
func joinDigits(x uint64) uint64 {
	const pairs = 0x000000ff000000ff
	x = x*10 + x>>8
	return (x&pairs*(100+1000000<<32) + x>>16&pairs*(1+10000<<32)) >> 32
}

// The letters of the words of a bool, the first lowest.
const (
	trueWord  = 't' | 'r'<<8 | 'u'<<16 | 'e'<<24
	falseWord = 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32
)

// parseBool reads true, false, 1 and 0 of any case.
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
	// Which of them it is, no branch can foretell.
	isTrue := isZero((word<<32 ^ trueWord<<32) | (n ^ 4))
	isFalse := isZero((word<<24 ^ falseWord<<24) | (n ^ 5))
	return isTrue, isTrue|isFalse != 0
}

// isZero is 1 of 0, and 0 of all else.
func isZero(x uint64) uint64 { return (x - 1) &^ x >> 63 }
