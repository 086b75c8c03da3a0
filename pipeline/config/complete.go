package config

import (
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/column"
)

// Complete is the config with what only the files of arrays tell: the types and
// shapes of features that say none. arrays gives, for a column, what it is in each
// source, in their order. A fault is *Problems.
func (c *Config) Complete(arrays func(name string) []column.Column) (*Config, error) {
	whole := *c
	whole.Features, whole.Context, whole.Sequence = slices.Clone(c.Features), slices.Clone(c.Context), slices.Clone(c.Sequence)
	f := newFaults()
	f.places = c.places
	for _, feature := range whole.AllFeatures() {
		check := featureCheck{checker: &checker{faults: f}, Feature: feature, message: whole.Message()}
		if check.complete(arrays) && f.fineInside(feature.At) {
			check.compiles()
		}
	}
	(&checker{faults: f}).knowing(&whole)
	if len(f.list) > 0 {
		return nil, newProblems(c.File, c.lines, f.list)
	}
	return &whole, nil
}

// complete fills in what arrays tell; it reports whether the feature is made of one.
func (c featureCheck) complete(arrays func(name string) []column.Column) bool {
	isArray, typed := false, c.Type != ""
	for _, name := range c.From.Columns {
		found := arrays(name)
		k := slices.IndexFunc(found, func(of column.Column) bool { return of.Array })
		if k < 0 {
			continue
		}
		isArray = true
		array := found[k]
		alike := func(of column.Column) bool {
			return of.Type == array.Type && slices.Equal(of.Shape, array.Shape)
		}
		if j := slices.IndexFunc(found, func(of column.Column) bool { return !alike(of) }); j >= 0 && (c.Type == "" || !c.Shape.Known) {
			c.bad(c.At, "the column %s is %s in one source and %s in another; expected a type and a shape", quoteValue(name), describeArray(array), describeArray(found[j]))
			return true
		}
		switch {
		case c.Map != nil: // which has values of another type
		case c.Type == "":
			c.Type = array.Type
		case !typed && c.Type != array.Type:
			c.bad(c.At, "the columns are of the types %s and %s; expected a type", c.Type, array.Type)
		}
		if len(c.From.Columns) == 1 && c.Repeat == "" {
			c.arrayShape(array)
		}
	}
	switch {
	case isArray && c.Type == "":
		c.bad(c.At, "the type is missing; expected that of the values of map")
	case c.Type == "":
		c.bad(c.At, "the type is missing, and the files tell of no one type; expected "+typeExamples)
	}
	return isArray
}

// arrayShape fills in the shape of the array that the feature is made of, or holds
// the feature's own against it. An array of steps has these first.
func (c featureCheck) arrayShape(array column.Column) {
	dims := array.Shape
	if c.IsSequence && len(dims) > 0 {
		dims = dims[1:]
	}
	if !c.Shape.Known {
		c.Shape = Shape{Dims: append([]int{}, dims...), Known: true}
		return
	}
	have, want := valuesOf(dims), valuesOf(c.Shape.Dims)
	if isAny := have < 0; !isAny && have != want && (want > 0 || want == 0 || have%-want != 0) {
		c.bad(c.key("shape"), "the column is %s; its values do not fill shape %s", describeArray(array), schema.ShapeText(c.Shape.Dims))
	}
}

// valuesOf is how many values a shape holds; of one that begins with any number,
// less than zero: how many one element of that holds.
func valuesOf(dims []int) int {
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
