package schema

import (
	"math"
	"math/bits"
	"strconv"
)

// parseFloat parses a decimal and returns the bits of the nearest float32, ties to even. The result
// equals strconv.ParseFloat(text, 32).
//
// Most decimals need at most one division. A quotient of two integers that are exact as float32 is
// rounded once, so it is correct. A quotient of two exact doubles is rounded twice, which is
// correct unless the double is halfway between two float32s: then the bits lost in the division
// decide.
func parseFloat(text []byte) (float uint32, v parseResult) {
	if f, ok := parseFloatFast(text); ok {
		return f, numberOK
	}
	return parseFloatSlow(text)
}

// parseFloatSlow is parseFloat for decimals that parseFloatFast rejects.
func parseFloatSlow(text []byte) (float uint32, v parseResult) {
	d, ok := scanDecimal(text)
	if !ok {
		return 0, numberSyntax
	}
	// The result is between 1e-22 and 1e38, where a float32 is normal.
	if double, ok := d.double(); ok {
		const half, low = 1 << 28, 1<<29 - 1 // bits that a float32 does not have
		if math.Float64bits(double)&low != half {
			return math.Float32bits(float32(double)), numberOK
		}
	}
	return parseFloatStrconv(text)
}

// tens are the powers of ten that are exact as double.
var tens = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// fastTens are the powers of ten by which parseFloatFast divides. They are exact as float32.
var fastTens = [8]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7}

// parseFloatFast parses an optional minus, and then at most 8 characters: digits with at most one
// point.
func parseFloatFast(text []byte) (float uint32, ok bool) {
	if len(text) < 2 { // of two bytes, digits is never empty, which saves instructions
		if len(text) == 0 || text[0]-'0' > 9 {
			return 0, false
		}
		return math.Float32bits(float32(text[0] - '0')), true
	}
	minus := isZero(uint64(text[0] ^ '-'))
	digits := text[minus&1:]
	n := len(digits)
	if n > 8 {
		return 0, false
	}
	sign := uint32(minus) << 31
	x := alignDigits(loadWord(digits), n)
	other := nonDigits(x)
	if other == 0 {
		return sign | math.Float32bits(float32(int64(joinDigits(x)))), true
	}
	// With a point, at most 7 digits remain, which a float32 holds exactly.
	at := uint(bits.TrailingZeros64(other)) & 0x38
	if other&(other-1) != 0 || byte(x>>at) != '.'^'0' || n == 1 {
		return 0, false
	}
	quotient := float32(int64(joinDigits(removePoint(x, at)))) / fastTens[7-at/8&7]
	return sign | math.Float32bits(quotient), true
}

// removePoint removes the byte at bit offset at from x, and moves the bytes below it up by one. The
// byte must be a point in the form of alignDigits.
func removePoint(x uint64, at uint) uint64 {
	point := uint64(1) << (at & 63)
	below := x & (point - 1)
	return x + below<<8 - below - ('.'^'0')*point
}

// parseFloatStrconv parses a decimal, which is known to be valid, with strconv.
func parseFloatStrconv(text []byte) (float uint32, v parseResult) {
	f, err := strconv.ParseFloat(string(text), 32)
	switch {
	case err != nil:
		return 0, numberRange
	case f == 0: // digits that are all 0 do not get here
		return math.Float32bits(float32(f)), numberUnderflow
	}
	return math.Float32bits(float32(f)), numberOK
}

// A decimal is digits × 10^exponent. If more is set, further digits follow that are not all 0.
type decimal struct {
	digits   uint64
	exponent int
	negative bool
	more     bool
}

// double returns the nearest double, if it is zero or the quotient or product of two exact doubles, which is
// rounded once.
func (d *decimal) double() (x float64, ok bool) {
	switch {
	case d.digits == 0:
	case d.digits > 1<<53 || d.exponent < -22 || d.exponent > 22: // also those with more than 19 digits
		return 0, false
	case d.exponent < 0:
		x = float64(d.digits) / tens[-d.exponent]
	default:
		x = float64(d.digits) * tens[d.exponent]
	}
	return signedFloat(d.negative, x), true
}

// maxDigits is the number of decimal digits that always fit a uint64.
const maxDigits = 19

// scanDecimal parses an optional sign, digits with an optional point, and an optional exponent. It
// rejects everything else, such as 0x10, 1_000, and inf.
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

// scanExponent adds the exponent that is all of text to d. It reports whether text is one.
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
		if exponent < 1<<40 { // enough for any float, and no overflow
			exponent = exponent*10 + int(c-'0')
		}
	}
	if negative {
		exponent = -exponent
	}
	d.exponent += exponent
	return len(text) > 0
}

// nonfinite parses nan, inf, and infinity in any case; inf and infinity may have a sign.
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

// equalFold reports whether text equals lower in any case. lower has only letters from a to z.
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
