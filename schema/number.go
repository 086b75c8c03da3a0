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
	empty := uint(8-len(text)) * 8 & 63
	x := binary.LittleEndian.Uint64(text[:8]) << empty
	return x ^ eights>>(64-empty-1)>>1 ^ eights
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

// parseBool reads true, false, 1 and 0 of any case.
func parseBool(text []byte) (x uint64, ok bool) {
	switch len(text) {
	case 1:
		x = uint64(text[0] - '0')
		return x, x <= 1
	case 4:
		return 1, binary.LittleEndian.Uint32(text)|0x20202020 == 't'|'r'<<8|'u'<<16|'e'<<24
	case 5:
		return 0, binary.LittleEndian.Uint32(text)|0x20202020 == 'f'|'a'<<8|'l'<<16|'s'<<24 && text[4]|0x20 == 'e'
	}
	return 0, false
}
