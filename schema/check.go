package schema

import (
	"fmt"
	"math"
	"unicode/utf8"

	"tfr-build/internal/nameset"
)

func featureError(key, format string, args ...any) error {
	return fmt.Errorf("feature %s: %s", quote(key), fmt.Sprintf(format, args...))
}

// Check returns all inconsistencies of f, joined: settings that exclude each other, a default or
// constant that cannot be converted. Classes without Names count as not known yet. f is a feature
// of message m; steps means that it is in Record.Sequence. Compile makes the same checks.
func (f *Feature) Check(m Message, steps bool) error {
	c := compiler{target: target{m, steps}, slot: func(Column) int { return 0 }, collects: f.ClassNames() != nil && f.ClassNames().Names == nil}
	_, err := c.fields(f)
	return err
}

// check calls bad for each inconsistency that shows without converting a value.
func (f *Feature) check(at target, bad func(format string, args ...any)) {
	if !utf8.ValidString(f.Key) {
		bad("the key is not UTF-8")
	}
	f.checkType(at, bad)
	f.checkSource(bad)
	if at.steps {
		f.checkSteps(bad)
	} else {
		f.checkList(bad)
	}
	f.checkRagged(bad)
	f.checkPad(at, bad)
	f.checkMultiHot(bad)
	f.checkMissing(at, bad)
	f.checkConversion(bad)
	f.checkMarks(bad)
	if c := f.ClassNames(); c != nil {
		c.check(bad)
	}
	if f.Map != nil {
		f.Map.check(bad)
	}
	f.checkDate(bad)
}

// checkType checks that the message can store the type in this way.
func (f *Feature) checkType(at target, bad func(format string, args ...any)) {
	switch {
	case f.Type == 0:
		bad("it has no type")
	case f.Tensor && f.Raw:
		bad("tensor and raw exclude each other")
	case f.Raw && f.Type.IsText():
		bad("raw is of numbers, not of %s", f.Type)
	case f.storage(at.message).to == toNothing && f.Type.IsFloat():
		bad("%s cannot be stored in %s; it is for tensor and raw", f.Type.withArticle(), at.message)
	case f.storage(at.message).to == toNothing:
		bad("%s cannot be stored in %s", f.Type.withArticle(), at.message)
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
	case f.Encoding == JSON && len(f.Columns) == 0:
		bad("json is the encoding of a column, and it has none")
	case f.Encoding == JSON && f.Separator != "":
		bad("separator splits a string, and a cell with the encoding json is parsed")
	}
}

// checkShape reports whether the shape is valid on its own.
func (f *Feature) checkShape(bad func(format string, args ...any)) bool {
	for i, n := range f.Shape {
		if n < 1 && (n != -1 || i >= raggedDims(f.Shape)) {
			bad("shape %s: a dimension is 1 or more; -1 comes before all others", ShapeText(f.Shape))
			return false
		}
	}
	if size, inner := shapeSize(f.Shape); inner > math.MaxInt32 || size > math.MaxInt32 {
		bad("shape %s holds too many values", ShapeText(f.Shape))
		return false
	}
	return true
}

// checkList checks the shape of a feature against the settings that produce its values.
func (f *Feature) checkList(bad func(format string, args ...any)) {
	if !f.checkShape(bad) {
		return
	}
	size, inner := shapeSize(f.Shape)
	switch {
	case f.Repeat != "" && len(f.Shape) != 1:
		bad("repeat requires a shape of one dimension, such as [-1]; it has %s", ShapeText(f.Shape))
	case f.Separator != "" && len(f.Shape) == 0:
		bad("separator requires a list's shape, such as [-1]")
	case len(f.Columns) > 1 && f.MultiHot == nil && !fitsShape(len(f.Columns), size, inner):
		bad("%d columns do not fit shape %s", len(f.Columns), ShapeText(f.Shape))
	case f.Constant != nil && f.Repeat == "" && !fitsShape(1, size, inner):
		bad("a constant is one value, which does not fit shape %s", ShapeText(f.Shape))
	}
}

// checkSteps is checkList for a feature list, where the shape describes one step.
func (f *Feature) checkSteps(bad func(format string, args ...any)) {
	if !f.checkShape(bad) {
		return
	}
	switch {
	case f.IsRagged():
		bad("a step has one list of values; it has shape %s", ShapeText(f.Shape))
	case f.Separator != "" && len(f.Shape) > 0 && f.Part != EachRow:
		bad("separator splits a string into steps of one value each; it has shape %s", ShapeText(f.Shape))
	case f.Constant != nil && f.Repeat == "":
		bad("a constant does not say how many steps there are; repeat does")
	}
}

// checkRagged reports the settings that a ragged feature cannot have.
func (f *Feature) checkRagged(bad func(format string, args ...any)) {
	if !f.IsRagged() {
		return
	}
	what := ""
	switch {
	case f.Tensor:
		what = "tensor"
	case f.Raw:
		what = "raw"
	case f.Separator != "":
		what = "separator"
	case f.Repeat != "":
		what = "repeat"
	case f.Constant != nil:
		what = "a constant"
	case len(f.Columns) > 1:
		what = "several columns"
	default:
		return
	}
	bad("shape %s is of lists of their own lengths, which do not go with %s", ShapeText(f.Shape), what)
}

func (f *Feature) checkMissing(at target, bad func(format string, args ...any)) {
	switch {
	case f.Constant != nil && f.Default != nil:
		bad("a constant is never missing; it has no default")
	case f.OnMissing == MissingDefault && f.Default == nil:
		bad("it has no default to put in where a value is missing")
	case f.OnMissing != MissingDefault && f.Default != nil:
		bad("it has a default, but is not to use it")
	case f.OnMissing == MissingEmptyList && !at.steps && f.MultiHot == nil && !f.IsRagged() && (len(f.Shape) != 1 || f.Shape[0] != -1):
		bad("an empty list requires shape [-1]; it has %s", ShapeText(f.Shape))
	case f.OnMissing > MissingEmptyList:
		bad("it does not say what to do without a value")
	}
}

func (f *Feature) checkConversion(bad func(format string, args ...any)) {
	if f.Encoding > JSON {
		bad("the encoding is unknown")
	} else if f.Encoding.isOfText() && f.Type != BytesType {
		bad("base64 and hex are of type bytes, not of %s", f.Type)
	}
	isNamed := f.ClassNames() != nil && !f.ClassNames().Numbers
	if f.IntFromFloat && (!f.Type.IsInteger() || isNamed) {
		bad("integers from floats require an integer type")
	}
	if f.AllowNonfinite && !f.Type.IsFloat() {
		bad("nan and inf are of type float, not of %s", f.Type)
	}
	if f.Classes != nil && f.Type != Int64 {
		bad("classes are of type int64, not of %s", f.Type)
	}
	if f.Map != nil && f.Classes != nil {
		bad("map and classes exclude each other")
	}
	if f.Map != nil && f.Encoding.isOfText() {
		bad("map and the encodings base64 and hex exclude each other")
	}
}

func (c *Classes) check(bad func(format string, args ...any)) {
	if n := int64(len(c.Names)); n > 0 && c.First > math.MaxInt64-(n-1) {
		bad("%d classes from %d on go beyond the largest int64", n, c.First)
	}
	if c.index != nil { // Index builds it only for unique names
		return
	}
	if _, first, second := nameset.Of(c.Names); second >= 0 {
		bad("duplicate class %s, as name %d and %d", quote(c.Names[second]), first+1, second+1)
	}
}

// shapeSize returns the number of values of a shape, or -1 for any number, and the number of values
// of one element of the first dimension. For a ragged shape, both are about the innermost lists.
func shapeSize(shape []int) (size, inner int) {
	inner = 1
	for i := max(1, raggedDims(shape)); i < len(shape); i++ {
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

// fitsShape reports whether n values fill a shape with the results of shapeSize.
func fitsShape(n, size, inner int) bool {
	if size < 0 {
		return inner > 0 && n%inner == 0
	}
	return n == size
}

// ShapeText formats a shape as configs write it: [2, 3].
func ShapeText(shape []int) string {
	text := []byte{'['}
	for i, n := range shape {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = fmt.Append(text, n)
	}
	return string(append(text, ']'))
}
