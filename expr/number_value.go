package expr

import (
	"math"

	"tfr-build/schema"
)

// NumberOf returns the number that v is, or that its string is. ok is false for other values, such as
// NaN.
func NumberOf(v *schema.Value) (x Number, ok bool) {
	switch {
	case v.Kind == schema.Text || v.Kind == schema.String || v.Kind == schema.Number:
		x, ok = parseNum(v.Text)
	case v.Kind == schema.Array && v.Len() == 1:
		x, ok = numberAt(v, 0)
	}
	return x, ok
}

// IsInt reports whether x is an int64.
func (x Number) IsInt() bool { return !x.isFloat }

// isRoundedByDigits reports whether x may be halfway between two floats of 32 or 16 bits, and its decimal
// string, of 17 digits at most, above or below the middle. Then the string is rounded another way than x.
//
//	float32            the 29 bits that it lacks are 1000…, or x is below its normal numbers
//	float16, bfloat16  x has at most 12 bits, and more digits than the string
func (x Number) isRoundedByDigits() bool {
	bits, size := math.Float64bits(x.float), math.Abs(x.float)
	const hasAllDigits, aboveDigits = 0x1p-4, 0x1p64 // of a number of 12 bits
	return x.isFloat && size != 0 &&
		(bits<<(64-29) == 1<<63 || size < 0x1p-126 || bits<<(64-41) == 0 && (size < hasAllDigits ||
			size >= aboveDigits))
}
