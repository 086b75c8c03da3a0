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

// loadWord returns the 1 to 8 bytes of text, the first in the lowest bits. Zeros fill the rest. Its
// loads overlap, so that it has one branch on the length.
func loadWord(text []byte) uint64 {
	n := len(text)
	if n >= 4 {
		first, last := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[n-4:])
		return uint64(first) | uint64(last)<<(8*n-32)
	}
	return uint64(text[0]) | uint64(text[n/2])<<(n/2*8) | uint64(text[n-1])<<(8*n-8)
}

// alignDigits returns the first n bytes of word, each XORed with '0', the last of them in the
// highest bits. Zeros fill the bytes below the first.
func alignDigits(word uint64, n int) uint64 {
	return (word ^ zeroDigits) << (uint(-n) * 8 & 63)
}

// nonDigits sets the highest bit of each byte of x that is not a digit.
func nonDigits(x uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	// 0x76 + 10 carries into the highest bit, and a digit does not.
	return (x&low + 0x7676767676767676 | x) &^ low
}

// joinDigits returns the number whose decimal digits are the bytes of x, the most significant digit
// in the lowest byte.
func joinDigits(x uint64) uint64 {
	const pairs = 0x000000ff000000ff
	// Every second byte becomes a number of two digits. One multiplication each weighs and adds two of
	// the four numbers.
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
	n := len(text)
	if n == 1 {
		x = uint64(text[0] - '0')
		return x, x <= 1
	}
	if n < len("true") || n > len("false") {
		return 0, false
	}
	word := loadWord(text) | 0x2020202020
	// No branch here: which of the words it is cannot be predicted.
	isTrue := isZero((word<<32 ^ trueWord<<32) | uint64(n^4))
	isFalse := isZero(word ^ falseWord)
	return isTrue, isTrue|isFalse != 0
}

// isZero returns 1 if x is 0, and otherwise 0.
func isZero(x uint64) uint64 { return (x - 1) &^ x >> 63 }
