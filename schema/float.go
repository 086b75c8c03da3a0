package schema

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
)

// parseFloat reads a decimal and returns the bits of the nearest float32, of
// two equally near ones the even one: those of strconv.ParseFloat(text, 32).
//
// Most texts need no more than one division. A quotient of two integers that
// are exact as float32 is rounded once, hence right. So is a quotient of two
// exact doubles that is then rounded to a float32, unless it lies half way
// between two of them, since what was lost in the division decides there.
func parseFloat(text []byte) (float uint32, v verdict) {
	if f, ok := shortFloat(text); ok {
		return f, numberFine
	}
	return longFloat(text)
}

// longFloat is parseFloat for what shortFloat does not read.
func longFloat(text []byte) (float uint32, v verdict) {
	d, ok := scanDecimal(text)
	if !ok {
		return 0, numberSyntax
	}
	sign := uint32(0)
	if d.negative {
		sign = 1 << 31
	}
	if d.digits == 0 {
		return sign, numberFine
	}
	// The result is then between 1e-22 and 1e38, where a float32 is at its best.
	// Digits that are more than 19 make d.digits larger than that.
	if d.digits <= 1<<53 && -22 <= d.exponent && d.exponent <= 22 {
		double := float64(d.digits)
		if d.exponent < 0 {
			double /= tens[-d.exponent]
		} else {
			double *= tens[d.exponent]
		}
		const half, low = 1 << 28, 1<<29 - 1 // of the bits that a float32 has not
		if math.Float64bits(double)&low != half {
			return sign | math.Float32bits(float32(double)), numberFine
		}
	}
	return hardFloat(text)
}

// tens has the powers of ten that are exact as double.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// shortTens has those that shortFloat divides by, exact as float32.
var shortTens = [8]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// shortFloat reads a minus or nothing, then at most 8 digits with or without a
// point among them.
func shortFloat(text []byte) (float uint32, ok bool) {
	if cap(text) < 9 {
		return 0, false
	}
	word := text[:9]
	minus := isZero(uint64(word[0] ^ '-'))
	n := len(text) - int(minus)
	if uint(n-1) > 7 {
		return 0, false
	}
	sign := uint32(minus) << 31
	x := alignDigits(binary.LittleEndian.Uint64(word[minus&1:]), n)
	other := nonDigits(x)
	if other == 0 {
		return sign | math.Float32bits(float32(int64(joinDigits(x)))), true
	}
	// With a point there are at most 7 digits, which a float32 holds exactly.
	at := uint(bits.TrailingZeros64(other)) & 0x38
	if other&(other-1) != 0 || byte(x>>at) != '.'^'0' || n == 1 {
		return 0, false
	}
	quotient := float32(int64(joinDigits(closePoint(x, at)))) / shortTens[7-at/8&7]
	return sign | math.Float32bits(quotient), true
}

// closePoint takes the point at bit at out of x, as loadDigits has it: what is below goes
// up by a byte.
func closePoint(x uint64, at uint) uint64 {
	point := uint64(1) << (at & 63)
	below := x & (point - 1)
	return x + below<<8 - below - ('.'^'0')*point
}

// hardFloat reads a decimal, checked before, by strconv.
func hardFloat(text []byte) (float uint32, v verdict) {
	f, err := strconv.ParseFloat(string(text), 32)
	switch {
	case err != nil:
		return 0, numberRange
	case f == 0:
		return math.Float32bits(float32(f)), numberUnderflow
	}
	return math.Float32bits(float32(f)), numberFine
}

// A decimal is digits x 10^exponent; more says that digits other than 0 follow.
type decimal struct {
	digits   uint64
	exponent int
	negative bool
	more     bool
}

// maxDigits is how many decimal digits a uint64 holds, whatever they are.
const maxDigits = 19

// scanDecimal reads a sign or none, digits with or without a point, and an
// exponent or none. It refuses all else, such as 0x10, 1_000 and inf.
func scanDecimal(text []byte) (d decimal, ok bool) {
	negative, text := cutSign(text)
	d.negative = negative
	kept, digits, point := 0, 0, false
	i := 0
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c-'0' > 9:
			return d, digits > 0 && d.scanExponent(text[i:])
		}
		digits++
		switch {
		case kept < maxDigits:
			d.digits = d.digits*10 + uint64(c-'0')
			if d.digits != 0 {
				kept++
			}
			if point {
				d.exponent--
			}
		default:
			d.more = d.more || c != '0'
			if !point {
				d.exponent++
			}
		}
	}
	return d, digits > 0
}

// scanExponent adds an exponent that is all of text.
func (d *decimal) scanExponent(text []byte) bool {
	if text[0]|0x20 != 'e' {
		return false
	}
	negative, text := cutSign(text[1:])
	exponent := 0
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
		if exponent < 1<<40 { // far beyond any float, and far from an overflow
			exponent = exponent*10 + int(c-'0')
		}
	}
	if negative {
		exponent = -exponent
	}
	d.exponent += exponent
	return len(text) > 0
}

// nonfinite reads nan, inf and infinity, in any case; the latter with a sign
// or without.
func nonfinite(text []byte) (float uint32, ok bool) {
	negative, word := cutSign(text)
	switch {
	case len(word) == len(text) && equalFold(word, "nan"):
		return floatNaN, true
	case !equalFold(word, "inf") && !equalFold(word, "infinity"):
		return 0, false
	case negative:
		return 0xff800000, true
	}
	return 0x7f800000, true
}

// equalFold compares text with lower, which has only letters from a to z.
func equalFold(text []byte, lower string) bool {
	if len(text) != len(lower) {
		return false
	}
	for i, c := range text {
		if c|0x20 != lower[i] {
			return false
		}
	}
	return true
}
