package expr

import "tfr-build/schema"

// A Number is an int64, or a finite float64.
type Number struct{ value num }

// NumberOf returns the number that v is, or that its string is. ok is false for other values, such as
// NaN.
func NumberOf(v *schema.Value) (x Number, ok bool) {
	switch {
	case v.Kind == schema.Text || v.Kind == schema.String || v.Kind == schema.Number:
		x.value, ok = readNum(v.Text)
	case v.Kind == schema.Array && v.Len() == 1:
		x.value.int, x.value.float, x.value.isFloat = v.NumberAt(0)
		ok = x.value.float-x.value.float == 0
	}
	return x, ok
}

// IsInt reports whether x is an int64.
func (x Number) IsInt() bool { return !x.value.isFloat }

// Compare returns -1, 0, or 1 if x is less than y, equal, or more. It compares an int64 with a float64
// without rounding.
func (x Number) Compare(y Number) int { return x.value.compare(y.value) }
