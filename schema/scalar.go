package schema

import (
	"math"
	"math/bits"
)

// This file parses single values, for packages that compute with them.

// ReadNumber parses a decimal: an integer in the range of int64 as that, everything else as the
// nearest float64. Numbers too small for a float64 become 0. ok is false for numbers too large, and
// for nan and inf.
func ReadNumber(text []byte) (i int64, f float64, isFloat, ok bool) {
	if i, f, isFloat, ok := readNumberFast(text); ok {
		return i, f, isFloat, true
	}
	if i, ok := parseIntFast(text); ok {
		return i, 0, false, true
	}
	if i, _, v := parseInt(text); v == numberOK {
		return i, 0, false, true
	}
	double, v := parseDouble(text)
	return 0, math.Float64frombits(double), true, v == numberOK || v == numberUnderflow
}

// readNumberFast parses an optional minus, and then at most 8 characters: digits with at most one
// point.
func readNumberFast(text []byte) (i int64, f float64, isFloat, ok bool) {
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	if n := len(digits); n == 0 || n > 8 {
		return 0, 0, false, false
	}
	x := alignDigits(loadWord(digits), len(digits))
	other := nonDigits(x)
	if other == 0 {
		if i = int64(joinDigits(x)); len(digits) < len(text) {
			i = -i
		}
		return i, 0, false, true
	}
	at := uint(bits.TrailingZeros64(other)) & 0x38
	if other&(other-1) != 0 || byte(x>>at) != '.'^'0' || len(digits) == 1 {
		return 0, 0, false, false
	}
	// Both are exact, so their quotient is rounded once.
	if f = float64(joinDigits(removePoint(x, at))) / tens[7-at/8&7]; len(digits) < len(text) {
		f = -f
	}
	return 0, f, true, true
}

// ReadBool parses true, false, 1, and 0, in any case.
func ReadBool(text []byte) (x, ok bool) {
	bit, ok := parseBool(text)
	return bit == 1, ok
}

// AppendFloat appends the decimal string of a float, always with a point or an exponent: 3.0, 0.1,
// 1e+30.
func AppendFloat(dst []byte, x float64) []byte { return appendFloatString(dst, x, 64) }

// Single returns the only element of a list that is accepted as one value, and v for all other
// values.
func (v *Value) Single() *Value { return v.unwrapSingle() }

// Len returns the number of elements of a List or an Array, and -1 for any other value.
func (v *Value) Len() int { return v.length() }

// Element returns the i-th element of a List, or the i-th number of an Array as an Array of one.
func (v *Value) Element(i int) Value {
	if v.Kind == List {
		return v.List[i]
	}
	return v.subarray(i, 1)
}

// NumberAt returns the i-th number of an Array: a float64 if it is a float or an integer above
// 2^63-1, and otherwise an int64. True is 1.
func (v *Value) NumberAt(i int) (n int64, f float64, isFloat bool) {
	size := v.Elem.Size()
	bits := loadNumber(v.Text[i*size:], size)
	switch {
	case v.Elem.IsFloat():
		return 0, v.Elem.double(bits), true
	case v.Elem == Uint64 && bits > math.MaxInt64:
		return 0, float64(bits), true
	case v.Elem == Int64 || Int8 <= v.Elem && v.Elem <= Int32:
		shift := 64 - 8*size
		return int64(bits) << shift >> shift, 0, false
	}
	return int64(bits), 0, false
}

// NullHint suggests null_values if v looks like a missing value, and otherwise returns an empty
// string.
func NullHint(v *Value) string { return nullHint(nil, v) }
