package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// Words of eight equal bytes.
const (
	lows    = 0x0101010101010101
	highs   = 0x80 * lows
	slashes = '\\' * lows
	zeros   = '0' * lows
)

// at returns the byte at p. At the end it returns 0, which JSON never contains.
func at(data []byte, p int) byte {
	if uint(p) < uint(len(data)) {
		return data[p]
	}
	return 0
}

// word returns the eight bytes at p. The explicit end and capacity of the slice save instructions
// that p would have to wait for.
func word(data []byte, p int) uint64 { return binary.LittleEndian.Uint64(data[p : p+8 : p+8]) }

// special returns the offset of the first quote, backslash, or control character from p on, or the
// length of data.
func special(data []byte, p int) int {
	for ; p+8 <= len(data); p += 8 {
		if m := specials(word(data, p)); m != 0 {
			return p + bits.TrailingZeros64(m)>>3
		}
	}
	for p < len(data) && data[p] >= ' ' && data[p] != '"' && data[p] != '\\' {
		p++
	}
	return p
}

// specials returns a mask whose lowest bit is in the first byte of x that is a quote, a backslash,
// or a control character. Higher bits may be wrong. The quote is the only byte above the control
// characters that is less than 0x21 when its second bit is flipped.
func specials(x uint64) uint64 {
	q, b := x^2*lows, x^slashes
	return ((q-0x21*lows)&^q | (b-lows)&^b) & highs
}

// digits returns the end of the run of digits that begins at p.
func digits(data []byte, p int) int {
	for p < len(data) && data[p]-'0' <= 9 {
		p++
	}
	return p
}

// number returns the end of the number that begins at p. If there is an error, ok is false, end is
// its offset, and expected says what should be there.
func number(data []byte, p int) (end int, expected string, ok bool) {
	if at(data, p) == '-' {
		p++
	}
	end = digits(data, p)
	if end == p {
		return p, "a digit", false
	}
	if data[p] == '0' && end > p+1 {
		return p, "a number without leading zeros", false
	}
	if at(data, end) == '.' {
		p = end + 1
		if end = digits(data, p); end == p {
			return p, "a digit after the decimal point", false
		}
	}
	if at(data, end)|0x20 == 'e' {
		p = end + 1
		if c := at(data, p); c == '+' || c == '-' {
			p++
		}
		if end = digits(data, p); end == p {
			return p, "a digit of the exponent", false
		}
	}
	return end, "", true
}

// likelyNumber returns the end of the number that begins at p, for the common forms of numbers. If
// ok is false, call number.
func likelyNumber(data []byte, p int) (end int, ok bool) {
	if len(data)-p <= 8 {
		return p, false
	}
	if data[p] == '-' {
		p++
	}
	n := shortNumber(word(data, p))
	return p + n, n > 0
}

// A nonfinite is a number that is not finite, as Python's json writes and reads it.
type nonfinite struct {
	word string
	bits []byte // as a float64
}

var nonfinites = [...]nonfinite{
	{"NaN", []byte("\x00\x00\x00\x00\x00\x00\xf8\x7f")},
	{"Infinity", []byte("\x00\x00\x00\x00\x00\x00\xf0\x7f")},
	{"-Infinity", []byte("\x00\x00\x00\x00\x00\x00\xf0\xff")},
}

// nonfiniteAt returns the number at p if it is not finite; otherwise end is 0.
func nonfiniteAt(data []byte, p int) (bits []byte, end int) {
	for i := range nonfinites {
		if hasWord(data, p, nonfinites[i].word) {
			return nonfinites[i].bits, p + len(nonfinites[i].word)
		}
	}
	return nil, 0
}

// beginsWord reports whether p may be in a number that is not finite, after its sign.
func beginsWord(data []byte, p int) bool {
	c := at(data, p) | 0x20
	return c == 'i' || c == 'n'
}

// hasWord reports whether the literal word is at p.
func hasWord(data []byte, p int, word string) bool {
	return len(data)-p >= len(word) && string(data[p:p+len(word)]) == word
}
