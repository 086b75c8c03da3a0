package schema

// This file detects which types the strings of an untyped column fit.

// IsInteger reports whether a string is an int64, and whether it has unnecessary leading zeros.
func IsInteger(text []byte) (zeros, ok bool) {
	_, zeros, v := parseInt(text)
	return zeros, v == numberOK
}

// IsFloat reports whether a string is a number in the range of a float32. nan and inf are not.
func IsFloat(text []byte) bool { return isFloat(text) }
