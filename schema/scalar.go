package schema

import (
	"math"
	"math/bits"
)

// This file reads single values, for those who compute with them.

// ReadNumber reads a decimal: as an int64 where it is written as an integer that one
// holds, else as the nearest float64. What is too small for a float64 is 0; what is
// too large is no number, and neither are nan and inf.
func ReadNumber(text []byte) (i int64, f float64, isFloat, ok bool) {
	if i, f, isFloat, ok := shortNumber(text); ok {
		return i, f, isFloat, true
	}
	if i, ok := shortInt(text); ok {
		return i, 0, false, true
	}
	if i, _, v := parseInt(text); v == numberFine {
		return i, 0, false, true
	}
	double, v := parseDouble(text)
	return 0, math.Float64frombits(double), true, v == numberFine || v == numberUnderflow
}

// shortNumber reads a minus or nothing, then at most 8 digits with or without a point
// among them.
func shortNumber(text []byte) (i int64, f float64, isFloat, ok bool) {
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	if n := len(digits); n == 0 || n > 8 || cap(digits) < 8 {
		return 0, 0, false, false
	}
	x := loadDigits(digits)
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
	// Both are exact, and so their quotient is rounded once.
	if f = float64(joinDigits(closePoint(x, at))) / tens[7-at/8&7]; len(digits) < len(text) {
		f = -f
	}
	return 0, f, true, true
}

// ReadBool reads true, false, 1 and 0, in any case.
func ReadBool(text []byte) (x, ok bool) {
	bit, ok := parseBool(text)
	return bit == 1, ok
}

// AppendFloat appends the text of a float, which shows that it is one: 3.0, 0.1, 1e+30.
func AppendFloat(dst []byte, x float64) []byte { return appendFloatText(dst, x, 64) }

// Lone is the element of a list that may stand for one value, and has one; else v.
func (v *Value) Lone() *Value { return v.lone() }

// Len is how many elements a List or an Array has; -1 for any other value.
func (v *Value) Len() int { return v.length() }

// NumberAt is the i-th number of an Array: a float64 if it is a float, or an integer
// that no int64 holds. True is 1.
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

// NullHint proposes that a text means missing, if it looks like that.
func NullHint(v *Value) string { return nullHint(nil, v) }
