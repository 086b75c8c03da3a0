package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"tfr-build/internal/nameset"
)

// Check returns all problems of f, a feature of message m with records of at most limit bytes: settings that
// exclude each other, a default or constant that cannot be converted. steps means that it is in Record.Sequence.
//
// Call it also before everything about f is known: no Type, a nil Shape, and Classes without Names are not known yet.
// Compile makes the same checks.
func (f *Feature) Check(m Message, steps bool, limit int64) Problems {
	names := f.ClassNames()
	c := compiler{target: target{m, steps}, limit: limit, slot: func(Column) int { return 0 }, collects: names != nil &&
		names.Names == nil}
	c.fields(f)
	return c.problems
}

// exclusions are settings that exclude all of others. The problem is one of the other.
var exclusions = []struct {
	setting string
	others  []string
	reason  string
}{
	{"from", []string{"value"}, ""},
	{"value", []string{"missing", "null_values", "separator", "map", "thousands", "decimal"},
		": a constant is one value, never missing"},
	{"multi_hot", []string{"value", "classes", "map", "date", "thousands", "decimal"},
		": a vector is made of the labels in a column"},
	{"multi_hot", []string{"repeat", "pad", "truncate"}, ": a vector has a place for each class"},
	{"date", []string{"classes", "map", "int_from_float", "thousands", "decimal"}, ""},
	{"classes", []string{"map", "thousands", "decimal"}, ""},
	{"map", []string{"thousands", "decimal"}, ""},
	{"tensor", []string{"raw"}, ""},
	{"repeat", []string{"separator"}, ""},
}

// onlyFor are settings of some types.
var onlyFor = []struct {
	setting, what string
	fits          func(f *Feature) bool
}{
	{"encoding", "bytes", func(f *Feature) bool { return f.Type == BytesType || f.Encoding == JSON }},
	{"nonfinite", "floats", func(f *Feature) bool { return f.Type.IsFloat() }},
	{"raw", "numbers", func(f *Feature) bool { return !f.Type.IsText() }},
	{"thousands", "numbers", (*Feature).isNumber},
	{"decimal", "numbers", (*Feature).isNumber},
	{"int_from_float", "integers that are not classes", func(f *Feature) bool {
		return f.Date != nil || f.Type.IsInteger() && (f.ClassNames() == nil || f.ClassNames().Numbers)
	}},
}

// Has reports whether f has a setting, by its name in configs, that is not its default.
func (f *Feature) Has(setting string) bool {
	switch setting {
	case "from":
		return len(f.Columns) > 0
	case "value":
		return f.Constant != nil
	case "classes":
		return f.Classes != nil
	case "multi_hot":
		return f.MultiHot != nil
	case "map":
		return f.Map != nil
	case "date":
		return f.Date != nil
	case "repeat":
		return f.Repeat != ""
	case "pad":
		return f.Pad != nil
	case "truncate":
		return f.Truncate
	case "separator":
		return f.Separator != ""
	case "missing":
		return f.OnMissing != MissingError
	case "null_values":
		return f.NullValues != nil
	case "encoding":
		return f.Encoding != Plain
	case "thousands":
		return f.Thousands != ""
	case "decimal":
		return f.Decimal != ""
	case "int_from_float":
		return f.IntFromFloat
	case "nonfinite":
		return f.AllowNonfinite
	case "tensor":
		return f.Tensor
	}
	return f.Raw
}

func (f *Feature) isNumber() bool { return f.Type.IsInteger() || f.Type.IsFloat() }

// check reports each inconsistency that shows without converting a value.
func (c *compiler) check(f *Feature) {
	if !utf8.ValidString(f.Key) {
		c.report("", "the key is not UTF-8")
	}
	for _, x := range exclusions {
		for _, other := range x.others {
			if f.Has(x.setting) && f.Has(other) {
				c.report(other, "%s and %s exclude each other%s", x.setting, other, x.reason)
			}
		}
	}
	c.checkColumns(f)
	if f.Type != 0 {
		c.checkType(f)
	}
	if f.Shape != nil {
		c.checkShape(f)
	}
	c.checkMissing(f)
	c.checkMarks(f)
	if names := f.ClassNames(); names != nil {
		c.checkClasses(names)
	}
	if f.Map != nil {
		c.checkMap(f.Map)
	}
	if f.Date != nil {
		c.checkDate(f.Date)
	}
}

// checkType checks that the message can store the type in this way, and settings that only some types have.
func (c *compiler) checkType(f *Feature) {
	switch {
	case f.MultiHot != nil && f.Type != Int64 && f.Type != Float:
		c.report("type", "the type is %s; a vector of classes is stored as int64 or float", f.Type)
	case f.Classes != nil && f.Type != Int64:
		c.report("type", "the type is %s; classes are stored as int64", f.Type)
	case f.Date != nil && f.Type != Int64:
		c.report("type", "the type is %s; dates are stored as int64", f.Type)
	case f.Raw && f.Type.IsText(): // in onlyFor
	case f.storage(c.message).to == toNothing && f.Type.IsFloat():
		c.reportWithHint("", "tensor: true, or raw: true", "the type is %s, which no list of a record holds", f.Type)
	case f.storage(c.message).to == toNothing:
		c.report("type", "the type is %s, which cannot be stored in %s", f.Type, c.message)
	}
	for _, x := range onlyFor {
		if f.Has(x.setting) && !x.fits(f) {
			c.report(x.setting, "%s is for %s; the type is %s", x.setting, x.what, f.Type)
		}
	}
}

func (c *compiler) checkColumns(f *Feature) {
	n := len(f.Columns)
	switch {
	case n == 0 && f.Constant == nil:
		c.report("from", "it has neither a column nor a constant")
	case n > 1 && f.Separator != "":
		c.report("separator", "separator splits the cell of one column; from has %d", n)
	case n > 1 && f.Repeat != "":
		c.report("repeat", "repeat takes one column; from has %d", n)
	}
	switch {
	case f.Encoding > JSON:
		c.report("encoding", "the encoding is unknown")
	case f.Encoding.isOfText() && f.Map != nil:
		c.report("map", "encoding and map exclude each other")
	case f.Encoding == JSON && n == 0:
		c.report("encoding", "json is the encoding of a column; value is a constant")
	case f.Encoding == JSON && f.Separator != "":
		c.report("separator", "separator splits a string, and encoding: json parses all of it; they exclude each other")
	}
	setting := "pad"
	if f.Pad == nil {
		setting = "truncate"
	}
	switch {
	case !f.Has(setting) || f.MultiHot != nil:
	case f.Constant != nil && f.Repeat == "":
		c.report(setting, "value and %s exclude each other: a constant is one value", setting)
	case n > 1 && !c.steps:
		c.report(setting, "%s is for the list in one column; from has %d", setting, n)
	case f.Shape != nil && (len(f.Shape) != 1 || f.Shape[0] < 1):
		c.reportWithHint(setting, "shape: [8]", "%s makes lists of one length: expected a shape such as [8], found %s",
			setting, ShapeText(f.Shape))
	}
}

// checkShape checks the shape against the settings that produce its values. A feature list has a shape for each step.
func (c *compiler) checkShape(f *Feature) {
	found := ShapeText(f.Shape)
	if at, problem := CheckShape(f.Shape); problem != "" {
		c.report("shape"+at, "%s", problem)
		return
	}
	size, inner := shapeSize(f.Shape)
	n, isConstant := len(f.Columns), f.Constant != nil && f.Repeat == ""
	switch {
	case f.IsRagged() && (f.Constant != nil || n > 1 || f.Separator != "" || f.Repeat != ""):
		c.report("shape", "lists of lists come from one JSON value, alone in from")
	case f.IsRagged() && (f.Tensor || f.Raw):
		c.report("shape", "found %s; tensor and raw have a fixed length in each list", found)
	case f.MultiHot != nil && (len(f.Shape) != 1 || f.MultiHot.Names != nil && f.Shape[0] != len(f.MultiHot.Names)):
		c.report("shape", "found %s; a vector has a place for each of the %d classes", found, len(f.MultiHot.Names))
	case c.steps && f.IsRagged():
		c.report("shape", "found %s; a step has one list of values", found)
	case c.steps && f.Separator != "" && len(f.Shape) > 0 && f.Part != EachRow:
		c.report("shape", "found %s; separator splits a string into steps of one value each", found)
	case c.steps && isConstant:
		c.reportWithHint("value", "repeat: a column of lists", "sequence has lists of steps; a constant is one value")
	case c.steps || f.MultiHot != nil:
	case f.Repeat != "" && len(f.Shape) != 1:
		c.report("shape", "found %s; repeat makes a list, of a shape such as [-1]", found)
	case f.Separator != "" && len(f.Shape) == 0 && !isConstant:
		c.report("shape", "separator makes a list; expected a shape such as [-1]")
	case n > 1 && f.Pad == nil && !f.Truncate && !fitsShape(n, size, inner):
		c.report("shape", "found %s; %d columns do not fill it", found, n)
	case isConstant && !fitsShape(1, size, inner):
		c.report("shape", "found %s; a constant is one value, which does not fill it", found)
	}
}

// CheckShape returns what is wrong with a shape, and where: an index such as [1], or an empty string for all of it.
func CheckShape(shape []int) (at, problem string) {
	for i, n := range shape {
		at = "[" + strconv.Itoa(i) + "]"
		switch {
		case n == 0 || n < -1:
			return at, fmt.Sprintf("found %d; expected a length of at least 1, or -1 for any", n)
		case n < 0 && i >= raggedDims(shape):
			return at, "found -1; expected it first, or after another -1"
		}
	}
	if size, inner := shapeSize(shape); len(shape) > 32 || inner > math.MaxInt32 || size > math.MaxInt32 {
		return "", fmt.Sprintf("found more than %d values; expected fewer", math.MaxInt32)
	}
	return "", ""
}

func (c *compiler) checkMissing(f *Feature) {
	switch {
	case f.OnMissing > MissingEmptyList:
		c.report("missing", "it does not say what to do without a value")
	case (f.OnMissing == MissingDefault) != (f.Default != nil):
		c.report("missing", "a default goes with MissingDefault")
	case f.OnMissing == MissingEmptyList && f.Shape != nil && !c.steps && f.MultiHot == nil && !f.IsRagged() &&
		!slices.Equal(f.Shape, []int{-1}):
		c.reportWithHint("missing", f.insteadOfEmpty(), "empty_list is for shape [-1]")
	}
}

func (c *compiler) checkClasses(of *Classes) {
	if n := int64(len(of.Names)); n > 0 && of.First > math.MaxInt64-(n-1) {
		c.report("classes", "%d classes from %d on go beyond the largest int64", n, of.First)
	}
	if of.index != nil { // Index builds it only for unique names
		return
	}
	if _, first, second := nameset.Of(of.Names); second >= 0 {
		c.report("classes", "duplicate class %s, as name %d and %d", quote(of.Names[second]), first+1, second+1)
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
