package config

import (
	"fmt"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/column"
)

// Complete returns the config with the types and shapes that only the files of arrays have. It sets
// them for features that do not set them. The function arrays returns the column of a name in each
// source, in their order. The error is *Problems.
func (c *Config) Complete(arrays func(name string) []column.Column) (*Config, error) {
	whole := *c
	whole.Features, whole.Context, whole.Sequence = slices.Clone(c.Features), slices.Clone(c.Context), slices.Clone(
		c.Sequence)
	problems := c.collect(func(f *collector) {
		for _, feature := range whole.AllFeatures() {
			check := featureCheck{checker: &checker{collector: f}, Feature: feature, message: whole.Message(),
				maxRecord: c.Limits.Record}
			if check.fillFromArrays(arrays) && f.isValidInside(feature.At) {
				check.checkSchema()
			}
		}
		(&checker{collector: f}).checkStatistics(&whole)
		(&checker{collector: f}).checkMembers(&whole)
	})
	if problems != nil {
		return nil, problems
	}
	return &whole, nil
}

// fillFromArrays sets the type and shape from arrays. It reports whether the feature reads an
// array.
func (c featureCheck) fillFromArrays(arrays func(name string) []column.Column) bool {
	isArray, typed := false, c.Type != ""
	for _, name := range c.From.Columns {
		found := arrays(name)
		k := slices.IndexFunc(found, func(of column.Column) bool { return of.Array })
		if k < 0 {
			continue
		}
		isArray = true
		array := found[k]
		differs := func(of column.Column) bool {
			return !slices.Equal(of.Shape, array.Shape) || !of.Array && of.MayList || !typed && of.Type != array.Type
		}
		if j := slices.IndexFunc(found, differs); j >= 0 && (!typed || !c.Shape.Known) {
			c.report(c.At, "the column %s is %s in one source and %s in another; expected a type and a shape",
				quoteValue(name), describeArray(array), describeArray(found[j]))
			return true
		}
		switch {
		case c.Map != nil: // its values have another type
		case c.Type == "":
			c.Type = array.Type
		case !typed && c.Type != array.Type:
			c.report(c.At, "the columns are of the types %s and %s; expected a type", c.Type, array.Type)
		}
		if len(c.From.Columns) == 1 && c.Repeat == "" && !c.MultiHot {
			c.resolveArrayShape(array)
		}
	}
	if !isArray && c.HasOpenShape() && len(c.From.Columns) == 1 &&
		!slices.ContainsFunc(arrays(c.From.Columns[0]), func(of column.Column) bool { return of.List }) {
		c.Shape = Shape{Dims: []int{}, Known: true}
	}
	switch {
	case isArray && c.Type == "":
		c.report(c.At, "the type is missing; expected the type of the values of map")
	case c.Type == "":
		c.reportMissingType(arrays)
	}
	return isArray
}

// reportMissingType reports a feature without a type that the files do not determine.
func (c featureCheck) reportMissingType(columnsOf func(name string) []column.Column) {
	for _, name := range c.From.Columns {
		for _, of := range columnsOf(name) {
			if of.Type != "" && of.Depth > 1 {
				hint := fmt.Sprintf("type: %s, shape: [-1, 4] if each inner list has 4 values; shape: [-1, -1] for "+
					"any number", of.Type)
				if of.Depth > 2 {
					hint = fmt.Sprintf("type: %s, shape: %s", of.Type,
						schema.ShapeText(slices.Repeat([]int{-1}, of.Depth)))
				}
				c.reportWithHint(c.At, hint, "the column %s is a list of lists; expected a type and a shape",
					quoteValue(name))
				return
			}
		}
	}
	c.report(c.At, "the type is missing, and the column has no type that all files agree on; expected "+typeExamples)
}

// resolveArrayShape sets the shape from the array, or compares the feature's own shape with it. The
// first dimension of an array in a sequence counts the steps.
func (c featureCheck) resolveArrayShape(array column.Column) {
	dims := array.Shape
	if c.IsSequence && !c.EachRow && len(dims) > 0 {
		dims = dims[1:]
	}
	if !c.Shape.Known {
		c.Shape = Shape{Dims: append([]int{}, dims...), Known: true}
		return
	}
	have, want := valueCount(dims), valueCount(c.Shape.Dims)
	fits := have < 0 || have == want || have < want && c.Pad != nil || have > want && c.Truncate
	if !fits && (want > 0 || want == 0 || have%-want != 0) {
		c.report(c.pathOf("shape"), "the column is %s; its values do not fill shape %s", describeArray(array),
			schema.ShapeText(c.Shape.Dims))
	}
}

// valueCount returns the number of values in a shape. If the first length is -1, the result is
// negative: minus the number of values in one element.
func valueCount(dims []int) int {
	values := 1
	for _, n := range dims {
		values *= n
	}
	return values
}

func describeArray(c column.Column) string {
	switch {
	case !c.Array:
		return "no array"
	case len(c.Shape) == 0:
		return "an array of one " + c.Type + " a row"
	}
	return "an array of " + c.Type + " of shape " + schema.ShapeText(c.Shape) + " a row"
}
