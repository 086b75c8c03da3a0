package schema

import (
	"bytes"
	"math"
	"strconv"
)

// Numbers with more digits keep their notation as their key.
const mostKeyDigits = 400

// Key returns the string by which rows are joined: the result of AsText, but numbers of one value have one key. An
// integer has the key of its digits, so a number matches a string of digits: 324158, 324158.0, 3.24158e5, and
// "324158". A float of an Array has its exact value if it is an integer, and otherwise its shortest decimal. The key
// may be in buf, or in v.
func (v *Value) Key(buf []byte) (key []byte, ok bool) {
	v = v.unwrapSingle()
	text, ok := v.AsText(buf)
	switch {
	case !ok || v.Kind != Number && v.Kind != Array || isPlainInteger(text):
		return text, ok
	case v.Kind == Array:
		if _, x, isFloat := v.NumberAt(0); isFloat && x == math.Trunc(x) && !math.IsInf(x, 0) {
			return strconv.AppendFloat(buf[:0], x+0, 'f', 0, 64), true // x+0 is 0 for -0
		}
	}
	return plainDecimal(text), true
}

// isPlainInteger reports whether a number is written with digits alone, and is not -0.
func isPlainInteger(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(digits) > 0 && (digits[0] != '0' || len(text) == 1)
}

// plainDecimal returns a number of JSON's grammar without an exponent and without zeros that do not
// count. It returns text itself if that has no number, or one with too many digits.
func plainDecimal(text []byte) []byte {
	d, ok := parseDecimal(text)
	switch {
	case !ok:
		return text
	case len(d.digits) == 0:
		return []byte("0")
	case len(d.digits) > mostKeyDigits || d.exponent > mostKeyDigits || d.exponent < -mostKeyDigits:
		return text
	}
	var key []byte
	if d.sign == negative {
		key = append(key, '-')
	}
	whole := len(d.digits) + d.exponent // digits before the point
	if whole <= 0 {
		key = append(key, "0."...)
		key = append(key, bytes.Repeat([]byte{'0'}, -whole)...)
		return append(key, d.digits...)
	}
	if whole >= len(d.digits) {
		return append(append(key, d.digits...), bytes.Repeat([]byte{'0'}, d.exponent)...)
	}
	key = append(append(key, d.digits[:whole]...), '.')
	return append(key, d.digits[whole:]...)
}
