package schema

import "bytes"

// This file detects which types the strings of an untyped column fit.

// IsInteger reports whether a string is an int64, and whether it has unnecessary leading zeros.
func IsInteger(text []byte) (zeros, ok bool) {
	_, zeros, v := parseInt(text)
	return zeros, v == numberOK
}

// IsFloat reports whether a string is a number in the range of a float32. nan and inf are not.
func IsFloat(text []byte) bool { return isFloat(text) }

// IsNonfinite reports whether a string is nan or an infinity.
func IsNonfinite(text []byte) bool {
	_, ok := nonfinite(text)
	return ok
}

// ReadMarked returns the number with these marks in text without them, as a feature with Thousands and
// Decimal reads it; nil if text is not such a number. It is certain of the marks if the string has both,
// or two thousands marks: 1,299 may also be a fraction.
func ReadMarked(text []byte, thousands, decimal string) (plain []byte, certain bool) {
	m := marks{thousands: thousands, decimal: decimal}
	plain, ok := m.appendPlain(nil, text)
	if !ok || !isFloat(plain) {
		return nil, false
	}
	groups := m.count(text)
	return plain, groups > 1 || groups == 1 && bytes.ContainsRune(plain, '.')
}
