package config

import (
	"fmt"
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A featureCheck checks a feature, and fills in the keys that follow from others.
type featureCheck struct {
	*checker
	*Feature
	message   schema.Message
	hasCells  bool  // a column may have strings without a type, such as cells of CSV
	maxRecord int64 // limits.record
}

// keyPath returns the path of a key of the feature.
func (c featureCheck) keyPath(key string) string { return c.At + "." + key }

func (c featureCheck) check() {
	if c.Value != nil && len(c.From.Columns) > 0 {
		c.report(c.keyPath("value"), "from and value exclude each other")
		return
	}
	if c.Value == nil && c.From.Columns == nil && c.isValid(c.keyPath("from"), c.keyPath("value")) {
		c.From.Columns = []string{c.Key}
	}
	if c.IsSequence && !c.EachRow && c.Value == nil && !c.isGiven(c.keyPath("missing")) {
		c.Missing.Form = "omit" // a row without the column has no list
	}
	before := len(c.list)
	c.checkDate()
	c.resolveType()
	c.checkConstants()
	c.resolveShape()
	c.checkExclusions()
	c.checkPad()
	c.checkFillSize()
	c.checkMultiHot()
	c.checkLabelMap()
	c.checkMarks()
	c.checkStorage()
	if len(c.list) == before && c.isValidInside(c.At) && c.Type != "" && !c.isArray() {
		c.checkSchema()
	}
}

// isArray reports whether a column of the feature is, or may be, an array in a source. The file of
// an array has its type and shape, which are known when it is opened.
func (c featureCheck) isArray() bool {
	return slices.ContainsFunc(c.From.Columns, func(name string) bool {
		return c.sets.each(name).Array || c.sets.mayBeTyped(name)
	})
}

// resolveType sets the type. If the config has no type, the columns may determine it.
func (c featureCheck) resolveType() {
	if !c.isValid(c.At, c.keyPath("type"), c.keyPath("from"), c.keyPath("value"), c.keyPath("classes"), c.keyPath("date")) {
		return
	}
	fixed := c.fixedType()
	switch {
	case c.MultiHot && (c.Type == "float" || c.Type == "float32"):
	case c.MultiHot && c.Type != "" && c.Type != "int64":
		c.report(c.keyPath("type"), "found %s; a vector of classes is stored as int64 or float", quoteValue(c.Type))
	case c.Classes != nil && c.Type != "" && c.Type != "int64":
		c.report(c.keyPath("type"), "found %s; classes are stored as int64", quoteValue(c.Type))
	case c.Classes != nil:
		c.Type = "int64"
	case c.Date != "" && c.Type != "" && c.Type != "int64":
		c.report(c.keyPath("type"), "found %s; dates are stored as int64", quoteValue(c.Type))
	case c.Date != "":
		c.Type = "int64"
	case c.Value != nil && c.Type == "":
		c.Type = c.constantType(c.keyPath("value"), c.Value)
	case c.Type == "" && fixed == "" && c.isArray():
	case c.Type == "" && fixed == "" && c.columnsUnknown:
		return // a column of the unclear source may determine it
	case c.Type == "" && fixed == "" && c.reportMissingColumn():
	case c.Type == "" && fixed == "":
		c.report(c.At, "the type is missing; expected "+typeExamples)
	case c.Type == "":
		c.Type = fixed
	}
	c.IsImage = len(c.From.Columns) > 0
	for i, name := range c.From.Columns {
		what := c.sets.each(name)
		c.IsImage = c.IsImage && what.Image
		if what.Content {
			c.checkContent(i)
		}
	}
}

// reportMissingColumn reports a column that a source does not have. The type is missing for that
// reason.
func (c featureCheck) reportMissingColumn() bool {
	at := c.At
	if c.isGiven(c.keyPath("from")) {
		at = c.keyPath("from")
	}
	for _, name := range c.From.Columns {
		for _, set := range c.sets {
			found := set.Names()
			if _, ok := set.Find(name); !ok && len(found) > 0 { // otherwise the source is invalid
				c.reportWithHint(at, nearest.Hint(name, found), "no column %s; found: %s", quoteValue(name), input.NameList(found))
				return true
			}
		}
	}
	return false
}

// fixedType returns the type that all columns of the feature have in every source; empty if none.
func (c featureCheck) fixedType() string {
	fixed := ""
	for i, name := range c.From.Columns {
		what := c.sets.each(name)
		if i > 0 && what.Type != fixed {
			return ""
		}
		fixed = what.Type
	}
	return fixed
}

// checkContent reports keys that cannot apply to the content of a file.
func (c featureCheck) checkContent(i int) {
	name := quoteValue(c.From.Columns[i])
	what := "bytes, or string where it is UTF-8"
	if c.sets.mayBeImage(c.From.Columns[i]) {
		what = "bytes"
	}
	if c.Type != "bytes" && (c.Type != "string" || what == "bytes") && c.Classes == nil {
		c.report(c.keyPath("type"), "found %s; the column %s is the content of a file, %s", quoteValue(c.Type), name, what)
	}
	for _, key := range c.givenKeys("classes", "map", "date", "separator", "encoding", "null_values") {
		c.report(c.keyPath(key), "the column %s is the content of a file, which has no %s", name, key)
	}
}

// givenKeys returns the keys that do not have their defaults.
func (f *Feature) givenKeys(keys ...string) []string {
	said := map[string]bool{
		"classes": f.Classes != nil, "separator": f.Separator != "", "encoding": f.Encoding != "",
		"null_values": f.NullValues != nil, "missing": f.Missing.Form != "error" && f.Missing.Form != "",
		"thousands": f.Thousands != "", "decimal": f.decimalMark() != "", "pad": f.Pad != nil, "multi_hot": f.MultiHot, "truncate": f.Truncate,
		"map": f.Map != nil, "date": f.Date != "", "tensor": f.Tensor, "raw": f.Raw, "int_from_float": f.IntFromFloat, "nonfinite": f.Nonfinite == "allow", "repeat": f.Repeat != "",
	}
	return slices.DeleteFunc(keys, func(key string) bool { return !said[key] })
}

// resolveShape sets the shape if it follows from the other keys.
func (c featureCheck) resolveShape() {
	if !c.isValid(c.At, c.keyPath("from"), c.keyPath("separator"), c.keyPath("repeat")) || !c.isValidInside(c.keyPath("shape")) {
		return
	}
	if c.MultiHot {
		return // the vector has a place for each class
	}
	columns := c.From.Columns
	one := len(columns) == 1 && c.Separator == "" && c.Repeat == ""
	if c.IsSequence && !c.EachRow {
		c.resolveSteps(one)
		return
	}
	if c.Shape.Known {
		if len(c.Shape.Dims) > 0 && one && c.readsStrings() && !slices.Equal(c.Shape.Dims, []int{1}) && !c.sets.mayList(columns[0]) && !c.columnsUnknown {
			c.reportWithHint(c.keyPath("shape"), listHint(c.Shape.Dims), "the column %s holds single values; a list needs separator, or a column for each value", quoteValue(columns[0]))
		}
		return
	}
	switch {
	case c.isArray() && one:
	case c.From.IsList:
		c.Shape = Shape{Dims: []int{len(columns)}, Known: true}
	case !one && c.Value == nil || c.Repeat != "" || one && (c.sets.isStarred(columns[0]) || c.sets.each(columns[0]).List):
		c.Shape = Shape{Dims: []int{-1}, Known: true}
	case !one || !c.sets.mayBeMany(columns[0]):
		c.Shape.Known = true // one value; otherwise the files of the lookup table decide
	}
}

// resolveSteps sets the shape of one step, and checks that the feature has a list of steps.
func (c featureCheck) resolveSteps(one bool) {
	columns := c.From.Columns
	switch {
	case c.Value != nil && c.Repeat == "":
		c.reportWithHint(c.keyPath("value"), "repeat: a column of lists", "a feature of sequence is a list of steps; a constant is one value")
	case one && c.readsStrings() && !c.sets.mayList(columns[0]) && !c.sets.isStarred(columns[0]) && !c.sets.mayBeMany(columns[0]) && !c.columnsUnknown:
		c.reportWithHint(c.At, listHint([]int{-1}), "a feature of sequence is a list of steps; the column %s holds single values", quoteValue(columns[0]))
	}
	if !c.Shape.Known && !c.isArray() {
		c.Shape = Shape{Dims: []int{}, Known: true}
	}
}

// readsStrings reports whether the feature reads cells as strings, and not as JSON, which may be a
// list.
func (c featureCheck) readsStrings() bool {
	return c.Encoding != "json" && c.isValid(c.keyPath("encoding"))
}

// listHint returns a hint that shows how cells become a list of a shape.
func listHint(dims []int) string {
	const separator = `separator: " "`
	values := valueCount(dims)
	switch {
	case len(dims) > 1 && dims[1] < 0:
		return "encoding: json"
	case values < 0:
		return separator
	}
	return fmt.Sprintf("%s, or from: a list of %d columns", separator, values)
}

// checkExclusions checks keys that only apply to some features. This and checkStorage check rules
// that the schema has, too, so that the problem names the key. Problems that only checkSchema finds
// are reported at the feature.
func (c featureCheck) checkExclusions() {
	if c.Value != nil {
		for _, key := range c.givenKeys("missing", "null_values", "separator", "map", "thousands", "decimal") {
			c.report(c.keyPath(key), "value and %s exclude each other: a constant is one value, never missing", key)
		}
		if c.Classes != nil && c.Classes.Auto {
			c.report(c.keyPath("classes"), "auto takes the classes from a column, not from value")
		}
	}
	if c.NullValues != nil && !c.hasCells && !c.columnsUnknown {
		c.report(c.keyPath("null_values"), "null_values are for strings such as the cells of CSV; no source has them")
	}
	switch {
	case len(c.From.Columns) > 1 && c.Separator != "":
		c.report(c.keyPath("separator"), "separator splits the cell of one column; from has %d", len(c.From.Columns))
	case c.Repeat != "" && c.Separator != "":
		c.report(c.keyPath("separator"), "repeat and separator exclude each other")
	case len(c.From.Columns) > 1 && c.Repeat != "":
		c.report(c.keyPath("repeat"), "repeat takes one column; from has %d", len(c.From.Columns))
	case c.Separator != "" && c.Encoding == "json":
		c.report(c.keyPath("separator"), "separator splits a string, and encoding: json parses all of it; they exclude each other")
	case c.Separator != "" && c.Value == nil && !c.IsSequence && c.Shape.Known && len(c.Shape.Dims) == 0 && c.isValid(c.keyPath("shape")):
		c.report(c.keyPath("shape"), "separator makes a list; expected a shape such as [-1]")
	}
	if c.Type == "" || !c.isValid(c.keyPath("type")) {
		return
	}
	t, _ := schema.ParseType(c.Type)
	only := func(key, what string, fits bool) {
		if !fits && len(c.givenKeys(key)) > 0 {
			c.report(c.keyPath(key), "%s is for %s; the type is %s", key, what, c.Type)
		}
	}
	if c.Encoding != "json" && c.isValid(c.keyPath("encoding")) {
		only("encoding", "bytes", t == schema.BytesType)
	}
	only("int_from_float", "integers that are not classes", t.IsInteger() && c.Classes == nil || c.Date != "")
	only("nonfinite", "floats", t.IsFloat())
	if c.Missing.Form == "empty_list" && !c.IsSequence && !c.isRagged() && c.Shape.Known && !slices.Equal(c.Shape.Dims, []int{-1}) {
		c.reportWithHint(c.keyPath("missing"), c.Feature.insteadOfEmpty(), "empty_list is for shape [-1]")
	}
}

// insteadOfEmpty returns the help for a feature that cannot be an empty list.
func (f *Feature) insteadOfEmpty() string {
	if len(f.Shape.Dims) == 0 || f.Shape.Dims[0] < 0 {
		return "missing: omit, or " + f.exampleDefault()
	}
	return f.exampleDefault() + ", which fills the list, or missing: omit"
}

// exampleDefault returns a default of the feature's type, as text to paste.
func (f *Feature) exampleDefault() string {
	t, _ := schema.ParseType(f.Type)
	value := exampleValue(t)
	switch {
	case f.Classes != nil || f.Map != nil:
		value = "…"
	case f.Pad != nil && !t.IsText():
		value = f.Pad.Text
	case f.Pad != nil:
		value = quoteValue(f.Pad.Text)
	}
	return "missing: {default: " + value + "}"
}

// exampleValue returns an empty value of a type, as text to paste.
func exampleValue(t schema.Type) string {
	switch {
	case t.IsText():
		return `""`
	case t == schema.BoolType:
		return "false"
	}
	return "0"
}
