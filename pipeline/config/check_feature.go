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

func (c featureCheck) check() {
	if c.Value == nil && c.From.Columns == nil && c.isValid(c.pathOf("from"), c.pathOf("value")) {
		c.From.Columns = []string{c.Key}
	}
	if c.IsSequence && !c.EachRow && c.Value == nil && !c.isGiven(c.pathOf("missing")) {
		c.Missing.Form = "omit" // a row without the column has no list
	}
	c.resolveType()
	c.checkConstants()
	c.resolveShape()
	c.checkKeys()
	c.checkSchema()
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
	if !c.isValid(c.At, c.pathOf("type"), c.pathOf("from"), c.pathOf("value"), c.pathOf("classes"), c.pathOf("date")) {
		return
	}
	fixed := c.fixedType()
	switch {
	case c.Type != "":
	case c.Classes != nil || c.Date != "":
		c.Type = "int64"
	case c.Value != nil:
		c.Type = c.constantType(c.pathOf("value"), c.Value)
	case fixed != "":
		c.Type = fixed
	case c.isArray():
	case c.columnsUnknown:
		return // a column of the unclear source may determine it
	case !c.reportMissingColumn():
		c.report(c.At, "the type is missing; expected "+typeExamples)
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
	if c.isGiven(c.pathOf("from")) {
		at = c.pathOf("from")
	}
	for _, name := range c.From.Columns {
		for _, set := range c.sets {
			found := set.Names()
			if _, ok := set.Find(name); !ok && len(found) > 0 { // otherwise the source is invalid
				c.reportWithHint(at, nearest.Hint(name, found), "no column %s; found: %s", quoteValue(name),
					input.NameList(found))
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
		c.report(c.pathOf("type"), "found %s; the column %s is the content of a file, %s", quoteValue(c.Type), name,
			what)
	}
	compiled := c.Compile(nil, nil)
	for _, key := range []string{"classes", "map", "date", "separator", "encoding", "null_values"} {
		if compiled.Has(key) {
			c.report(c.pathOf(key), "the column %s is the content of a file, which has no %s", name, key)
		}
	}
}

// resolveShape sets the shape if it follows from the other keys.
func (c featureCheck) resolveShape() {
	if !c.isValid(c.At, c.pathOf("from"), c.pathOf("separator"), c.pathOf("repeat")) ||
		!c.isValidInside(c.pathOf("shape")) {
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
		if len(c.Shape.Dims) > 0 && one && c.readsStrings() && !slices.Equal(c.Shape.Dims, []int{1}) &&
			!c.sets.mayList(columns[0]) && !c.columnsUnknown {
			c.reportWithHint(c.pathOf("shape"), listHint(c.Shape.Dims),
				"the column %s holds single values; a list needs separator, or a column for each value",
				quoteValue(columns[0]))
		}
		return
	}
	switch {
	case c.isArray() && one:
	case c.From.IsList:
		c.Shape = Shape{Dims: []int{len(columns)}, Known: true}
	case !one && c.Value == nil || c.Repeat != "" ||
		one && (c.sets.isStarred(columns[0]) || c.sets.each(columns[0]).List):
		c.Shape = Shape{Dims: []int{-1}, Known: true}
	case !one || !c.sets.mayBeMany(columns[0]):
		c.Shape = Shape{Dims: []int{}, Known: true} // one value; otherwise the files of the lookup table decide
	}
}

// resolveSteps sets the shape of one step, and checks that the feature has a list of steps.
func (c featureCheck) resolveSteps(one bool) {
	columns := c.From.Columns
	if one && c.readsStrings() && !c.sets.mayList(columns[0]) && !c.sets.isStarred(columns[0]) &&
		!c.sets.mayBeMany(columns[0]) && !c.columnsUnknown {
		c.reportWithHint(c.At, listHint([]int{-1}),
			"a feature of sequence is a list of steps; the column %s holds single values", quoteValue(columns[0]))
	}
	if !c.Shape.Known && !c.isArray() {
		c.Shape = Shape{Dims: []int{}, Known: true}
	}
}

// readsStrings reports whether the feature reads cells as strings, and not as JSON, which may be a
// list.
func (c featureCheck) readsStrings() bool {
	return c.Encoding != "json" && c.isValid(c.pathOf("encoding"))
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

// checkKeys checks keys that the schema does not have, and those that depend on the source.
func (c featureCheck) checkKeys() {
	if c.Date == "" && c.isValid(c.pathOf("date")) {
		for _, key := range []string{"unit", "zone"} {
			if c.isGiven(c.pathOf(key)) {
				c.reportWithHint(c.pathOf(key), `date: "%Y-%m-%d"`, "%s is for dates, but the key date is missing", key)
			}
		}
	}
	switch {
	case c.MultiHot && c.Classes == nil && c.isValidInside(c.pathOf("classes")):
		c.reportWithHint(c.pathOf("multi_hot"), "classes: [cat, dog]", "multi_hot needs classes")
	case c.MultiHot && c.Classes != nil && c.isGiven(c.pathOf("shape")):
		c.reportWithHint(c.pathOf("shape"), "remove it", "multi_hot gives the shape: one place for each class")
	case c.Value != nil && c.Classes != nil && c.Classes.Auto:
		c.report(c.pathOf("classes"), "auto takes the classes from a column, not from value")
	}
	c.checkLabelMap()
	c.checkBoxes()
	if c.NullValues != nil && c.Value == nil && !c.hasCells && !c.columnsUnknown {
		c.report(c.pathOf("null_values"), "null_values are for strings such as the cells of CSV; no source has them")
	}
}

// checkSchema lets the schema check the feature: once with what the config says, and again in Complete, where
// the files have given the type and the shape.
func (c featureCheck) checkSchema() {
	compiled := c.Compile(nil, nil)
	c.reportProblems(compiled.Check(c.message, c.IsSequence, c.maxRecord))
	if c.EachRow {
		c.checkRow(compiled.Pad)
	}
	if !c.isValidInside(c.At) || compiled.Type == 0 || compiled.Shape == nil {
		return
	}
	tfds := compiled.Stored(c.message, c.IsSequence)
	if c.inDataset {
		tfds = tfds.OfStep()
	}
	if err := tfds.CheckTFDS(); err != nil {
		c.report(c.pathOf("tfds"), "%v", err)
	}
}

// checkRow checks the value that each row of a record has. Without pad, whoever makes the list of a record fills it.
func (c featureCheck) checkRow(pad *schema.Value) {
	row := c.CompileRow(nil)
	row.Pad = nil
	c.reportProblems(slices.DeleteFunc(row.Check(schema.DefaultMessage, false, c.maxRecord),
		func(q schema.Problem) bool {
			return q.Setting != "separator" && q.Setting != "shape" // the others are about the list of the record
		}))
	if c.Pad == nil || pad != nil || !c.isValidInside(c.At) {
		return
	}
	if c.IsSequence && c.isGiven(c.pathOf("shape")) && len(row.Columns) == 1 && slices.Equal(row.Shape, []int{-1}) {
		c.reportWithHint(c.pathOf("pad"), "shape: [8]", "pad fills windows with steps of one length; found shape [-1]")
		return
	}
	row.OnMissing, row.Default, row.Truncate = schema.MissingDefault, c.PadValue(), false
	for _, q := range row.Check(c.message, c.IsSequence, c.maxRecord) {
		if q.Setting == "missing.default" {
			c.reportWithHint(c.pathOf("pad"), c.padHint(), "%s", q.Text)
		}
	}
}

// reportProblems reports problems of the schema at their keys, unless the value of a key is invalid already.
func (c featureCheck) reportProblems(problems schema.Problems) {
	for _, q := range problems {
		if path := c.pathOf(q.Setting); c.isValidInside(path) || q.Setting == "" {
			c.reportWithHint(path, q.Hint, "%s", q.Text)
		}
	}
}

// checkBoxes checks that a feature with boxes holds four numbers for each.
func (c featureCheck) checkBoxes() {
	dims := c.Shape.Dims
	switch path := c.pathOf("boxes"); {
	case c.Boxes == nil || !c.isValidInside(c.At):
	case c.TFDS == "BBox":
		c.reportWithHint(path, "remove boxes", "tfds: BBox is boxes of top, left, bottom, and right already")
	case len(c.boxKeys()) == 0:
		c.report(path, "boxes are numbers, without classes, date, multi_hot, tensor, or raw")
	case c.Shape.Known && (len(dims) == 0 || dims[len(dims)-1] != 4):
		c.reportWithHint(path, "shape: [-1, 4]", "a box has 4 numbers; the shape is %s", schema.ShapeText(dims))
	}
}
