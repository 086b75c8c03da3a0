package config

import (
	"fmt"
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A featureCheck checks a feature, and fills in what follows from its other
// keys.
type featureCheck struct {
	*checker
	*Feature
	message  schema.Message
	hasCells bool // some column may hold texts without a type
}

// key is the path of a key of the feature.
func (c featureCheck) key(key string) string { return c.At + "." + key }

func (c featureCheck) all() {
	if c.Value != nil && len(c.From.Columns) > 0 {
		c.bad(c.key("value"), "from and value exclude each other")
		return
	}
	if c.Value == nil && c.From.Columns == nil && c.fine(c.key("from"), c.key("value")) {
		c.From.Columns = []string{c.Key}
	}
	if c.IsSequence && c.Value == nil && !c.faults.given(c.key("missing")) {
		c.Missing.Form = "omit" // a row without the column has no list
	}
	before := len(c.list)
	c.dated()
	c.typed()
	c.constants()
	c.shaped()
	c.exclusions()
	c.stored()
	if len(c.list) == before && c.fineInside(c.At) && c.Type != "" && !c.isArray() {
		c.compiles()
	}
}

// isArray reports whether a column of the feature is an array's in some source, or may
// be one: that tells its type and its shape when it is opened.
func (c featureCheck) isArray() bool {
	return slices.ContainsFunc(c.From.Columns, func(name string) bool {
		return c.sets.each(name).Array || c.sets.mayBeTyped(name)
	})
}

// typed resolves the type, from what fixes it if the config says none.
func (c featureCheck) typed() {
	if !c.fine(c.At, c.key("type"), c.key("from"), c.key("value"), c.key("classes"), c.key("date")) {
		return
	}
	fixed := c.fixedType()
	switch {
	case c.Classes != nil && c.Type != "" && c.Type != "int64":
		c.bad(c.key("type"), "found %s; classes are stored as int64", quoteValue(c.Type))
	case c.Classes != nil:
		c.Type = "int64"
	case c.Date != "" && c.Type != "" && c.Type != "int64":
		c.bad(c.key("type"), "found %s; dates are stored as int64", quoteValue(c.Type))
	case c.Date != "":
		c.Type = "int64"
	case c.Value != nil && c.Type == "":
		c.Type = c.constantType(c.key("value"), c.Value)
	case c.Type == "" && fixed == "" && c.isArray():
	case c.Type == "" && fixed == "" && c.unsure:
		return // a column of the source that is unclear may fix it
	case c.Type == "" && fixed == "" && c.lacksColumn():
	case c.Type == "" && fixed == "":
		c.bad(c.At, "the type is missing; expected "+typeExamples)
	case c.Type == "":
		c.Type = fixed
	}
	c.IsImage = len(c.From.Columns) > 0
	for i, name := range c.From.Columns {
		what := c.sets.each(name)
		c.IsImage = c.IsImage && what.Image
		if what.Content {
			c.contentOnly(i)
		}
	}
}

// lacksColumn reports a column that a source is known not to have: its type is
// missing because of that.
func (c featureCheck) lacksColumn() bool {
	at := c.At
	if c.faults.given(c.key("from")) {
		at = c.key("from")
	}
	for _, name := range c.From.Columns {
		for _, set := range c.sets {
			found := set.Names()
			if _, ok := set.Find(name); !ok && len(found) > 0 { // else the source has a fault of its own
				c.hinted(at, nearest.DidYouMean(nearest.Of(name, found)), "no column %s; found: %s", quoteValue(name), input.NameList(found))
				return true
			}
		}
	}
	return false
}

// fixedType is the type that the columns of the feature have in every source.
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

// contentOnly refuses what the content of a file cannot be.
func (c featureCheck) contentOnly(i int) {
	name := quoteValue(c.From.Columns[i])
	what := "bytes, or string where it is UTF-8"
	if c.sets.mayBeImage(c.From.Columns[i]) {
		what = "bytes"
	}
	if c.Type != "bytes" && (c.Type != "string" || what == "bytes") && c.Classes == nil {
		c.bad(c.key("type"), "found %s; the column %s is the content of a file, %s", quoteValue(c.Type), name, what)
	}
	for _, key := range c.given("classes", "map", "date", "separator", "encoding", "null_values") {
		c.bad(c.key(key), "the column %s is the content of a file, which has no %s", name, key)
	}
}

// given are those of keys that say more than their defaults.
func (f *Feature) given(keys ...string) []string {
	said := map[string]bool{
		"classes": f.Classes != nil, "separator": f.Separator != "", "encoding": f.Encoding != "",
		"null_values": f.NullValues != nil, "missing": f.Missing.Form != "error" && f.Missing.Form != "",
		"map": f.Map != nil, "date": f.Date != "", "tensor": f.Tensor, "raw": f.Raw, "int_from_float": f.IntFromFloat, "nonfinite": f.Nonfinite == "allow", "repeat": f.Repeat != "",
	}
	return slices.DeleteFunc(keys, func(key string) bool { return !said[key] })
}

// shaped fills in the shape that follows from the other keys.
func (c featureCheck) shaped() {
	if !c.fine(c.At, c.key("from"), c.key("separator"), c.key("repeat")) || !c.fineInside(c.key("shape")) {
		return
	}
	columns := c.From.Columns
	one := len(columns) == 1 && c.Separator == "" && c.Repeat == ""
	if c.IsSequence {
		c.steps(one)
		return
	}
	if c.Shape.Known {
		if len(c.Shape.Dims) > 0 && one && c.isText() && !slices.Equal(c.Shape.Dims, []int{1}) && !c.sets.mayList(columns[0]) && !c.unsure {
			c.hinted(c.key("shape"), listHint(c.Shape.Dims), "the column %s holds single values; a list needs separator, or a column for each value", quoteValue(columns[0]))
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
		c.Shape.Known = true // one value; else the files of the side table say
	}
}

// steps fills in the shape of one step, and checks that there is a list of them.
func (c featureCheck) steps(one bool) {
	columns := c.From.Columns
	switch {
	case c.Value != nil && c.Repeat == "":
		c.hinted(c.key("value"), "repeat: a column of lists", "a feature of sequence is a list of steps; a constant is one value")
	case one && c.isText() && !c.sets.mayList(columns[0]) && !c.sets.isStarred(columns[0]) && !c.sets.mayBeMany(columns[0]) && !c.unsure:
		c.hinted(c.At, listHint([]int{-1}), "a feature of sequence is a list of steps; the column %s holds single values", quoteValue(columns[0]))
	}
	if !c.Shape.Known && !c.isArray() {
		c.Shape = Shape{Dims: []int{}, Known: true}
	}
}

// isText reports whether cells are texts to the feature, and not JSON that may be a
// list.
func (c featureCheck) isText() bool { return c.Encoding != "json" && c.fine(c.key("encoding")) }

// listHint is how cells become a list of that shape.
func listHint(dims []int) string {
	const separator = `separator: " "`
	values := valuesOf(dims)
	switch {
	case len(dims) > 1 && dims[1] < 0:
		return "encoding: json"
	case values < 0:
		return separator
	}
	return fmt.Sprintf("%s, or from: a list of %d columns", separator, values)
}

// exclusions checks keys that go with some features only. It and stored say what the
// schema would say, of the key at fault and in the words of a config; what they
// leave to the schema (compiles) is told of the feature as a whole.
func (c featureCheck) exclusions() {
	if c.Value != nil {
		for _, key := range c.given("missing", "null_values", "separator", "map") {
			c.bad(c.key(key), "value and %s exclude each other: a constant is one value, never missing", key)
		}
		if c.Classes != nil && c.Classes.Auto {
			c.bad(c.key("classes"), "auto takes the classes from a column, not from value")
		}
	}
	if c.NullValues != nil && !c.hasCells && !c.unsure {
		c.bad(c.key("null_values"), "null_values are for texts such as the cells of CSV; no source has them")
	}
	switch {
	case len(c.From.Columns) > 1 && c.Separator != "":
		c.bad(c.key("separator"), "separator splits the cell of one column; from has %d", len(c.From.Columns))
	case c.Repeat != "" && c.Separator != "":
		c.bad(c.key("separator"), "repeat and separator exclude each other")
	case len(c.From.Columns) > 1 && c.Repeat != "":
		c.bad(c.key("repeat"), "repeat takes one column; from has %d", len(c.From.Columns))
	case c.Separator != "" && c.Encoding == "json":
		c.bad(c.key("separator"), "separator splits a text, and encoding: json takes the whole of it; they exclude each other")
	case c.Separator != "" && c.Value == nil && !c.IsSequence && c.Shape.Known && len(c.Shape.Dims) == 0 && c.fine(c.key("shape")):
		c.bad(c.key("shape"), "separator makes a list; expected a shape such as [-1]")
	}
	if c.Type == "" || !c.fine(c.key("type")) {
		return
	}
	t, _ := schema.ParseType(c.Type)
	only := func(key, what string, fits bool) {
		if !fits && len(c.given(key)) > 0 {
			c.bad(c.key(key), "%s is for %s; the type is %s", key, what, c.Type)
		}
	}
	if c.Encoding != "json" && c.fine(c.key("encoding")) {
		only("encoding", "bytes", t == schema.BytesType)
	}
	only("int_from_float", "integers that are no classes", t.IsInteger() && c.Classes == nil || c.Date != "")
	only("nonfinite", "floats", t.IsFloat())
	if c.Missing.Form == "empty_list" && !c.IsSequence && !c.isRagged() && c.Shape.Known && !slices.Equal(c.Shape.Dims, []int{-1}) {
		c.bad(c.key("missing"), "empty_list is for shape [-1]")
	}
}
