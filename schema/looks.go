package schema

// This file says what a text without a type can become, for those who look for one.

// IsInteger reports whether a text is an int64, and whether zeros lead it that a
// number does not need.
func IsInteger(text []byte) (zeros, ok bool) {
	_, zeros, v := parseInt(text)
	return zeros, v == numberFine
}

// IsFloat reports whether a text is a number that a float can hold; nan and the
// infinities are none.
func IsFloat(text []byte) bool { return isFloat(text) }
