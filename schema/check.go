package schema

import (
	"fmt"
	"math"
	"unicode/utf8"
)

func featureError(key, format string, args ...any) error {
	return fmt.Errorf("feature %s: %s", quote(key), fmt.Sprintf(format, args...))
}

// Check says what is inconsistent in f, all of it: settings that exclude each
// other, a default or constant that cannot be converted. Classes without Names
// are taken as not known yet. Compile checks the same.
func (f *Feature) Check() error {
	x := field{collects: f.Classes != nil && f.Classes.Names == nil}
	return x.compile(f, func(Column) int { return 0 })
}

// check reports to bad what can be seen without converting a value.
func (f *Feature) check(bad func(format string, args ...any)) {
	if !utf8.ValidString(f.Key) {
		bad("the key is not UTF-8")
	}
	if f.Type == 0 {
		bad("it has no type")
	}
	f.checkSource(bad)
	f.checkShape(bad)
	f.checkMissing(bad)
	f.checkConversion(bad)
	if f.Classes != nil {
		f.Classes.check(bad)
	}
}

func (f *Feature) checkSource(bad func(format string, args ...any)) {
	switch {
	case f.Constant != nil && len(f.Columns) > 0:
		bad("it has a constant and a column; expected one of them")
	case f.Constant == nil && len(f.Columns) == 0:
		bad("it has neither a column nor a constant")
	case f.Repeat != "" && len(f.Columns) > 1:
		bad("repeat goes with one column, not with %d", len(f.Columns))
	case f.Separator != "" && (f.Repeat != "" || len(f.Columns) != 1):
		bad("separator goes with one column, without repeat")
	}
}

func (f *Feature) checkShape(bad func(format string, args ...any)) {
	for i, n := range f.Shape {
		if n < 1 && (n != -1 || i > 0) {
			bad("shape %s: a dimension is 1 or more; only the first may be -1", shapeText(f.Shape))
			return
		}
	}
	size, inner := shapeSize(f.Shape)
	switch {
	case inner > math.MaxInt32 || size > math.MaxInt32:
		bad("shape %s holds too many values", shapeText(f.Shape))
	case f.Repeat != "" && len(f.Shape) != 1:
		bad("repeat requires a shape of one dimension, such as [-1]; it has %s", shapeText(f.Shape))
	case f.Separator != "" && len(f.Shape) == 0:
		bad("separator requires a list's shape, such as [-1]")
	case len(f.Columns) > 1 && !fits(len(f.Columns), size, inner):
		bad("%d columns do not fit shape %s", len(f.Columns), shapeText(f.Shape))
	case f.Constant != nil && f.Repeat == "" && !fits(1, size, inner):
		bad("a constant is one value, which does not fit shape %s", shapeText(f.Shape))
	}
}

func (f *Feature) checkMissing(bad func(format string, args ...any)) {
	switch {
	case f.Constant != nil && f.Default != nil:
		bad("a constant is never missing; it has no default")
	case f.OnMissing == MissingDefault && f.Default == nil:
		bad("it has no default to put in where a value is missing")
	case f.OnMissing != MissingDefault && f.Default != nil:
		bad("it has a default, but is not to use it")
	case f.OnMissing == MissingEmptyList && (len(f.Shape) != 1 || f.Shape[0] != -1):
		bad("an empty list requires shape [-1]; it has %s", shapeText(f.Shape))
	case f.OnMissing > MissingEmptyList:
		bad("it does not say what to do without a value")
	}
}

func (f *Feature) checkConversion(bad func(format string, args ...any)) {
	if f.Encoding > Hex {
		bad("the encoding is unknown")
	} else if f.Encoding != Plain && f.Type != BytesType {
		bad("base64 and hex are of type bytes, not of %s", f.Type)
	}
	if f.IntFromFloat && (!f.Type.IsInteger() || f.Classes != nil) {
		bad("integers from floats require an integer type")
	}
	if f.AllowNonfinite && f.Type != Float {
		bad("nan and inf are of type float, not of %s", f.Type)
	}
	if f.Classes != nil && f.Type != Int64 {
		bad("classes are of type int64, not of %s", f.Type)
	}
}

func (c *Classes) check(bad func(format string, args ...any)) {
	if n := int64(len(c.Names)); n > 0 && c.First > math.MaxInt64-(n-1) {
		bad("%d classes from %d on go beyond the largest int64", n, c.First)
	}
	seen := make(map[string]int, len(c.Names))
	for i, name := range c.Names {
		if first, double := seen[name]; double {
			bad("duplicate class %s, as name %d and %d", quote(name), first+1, i+1)
			return
		}
		seen[name] = i
	}
}

// shapeSize returns how many values a shape holds, -1 for any number, and how
// many one element of its first dimension holds.
func shapeSize(shape []int) (size, inner int) {
	inner = 1
	for i := 1; i < len(shape); i++ {
		if inner <= math.MaxInt32 {
			inner *= max(shape[i], 0)
		}
	}
	switch {
	case len(shape) == 0:
		return 1, 1
	case shape[0] < 0:
		return -1, inner
	case shape[0] > math.MaxInt32:
		return math.MaxInt, inner
	}
	return shape[0] * inner, inner
}

// fits says whether n values fill a shape of that size.
func fits(n, size, inner int) bool {
	if size < 0 {
		return inner > 0 && n%inner == 0
	}
	return n == size
}

// shapeText writes a shape as a config does: [2, 3].
func shapeText(shape []int) string {
	text := []byte{'['}
	for i, n := range shape {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = fmt.Append(text, n)
	}
	return string(append(text, ']'))
}
