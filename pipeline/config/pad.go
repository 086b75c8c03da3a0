package config

import (
	"math"

	"tfr-build/schema"
)

// checkPad checks the keys that make lists equally long.
func (c featureCheck) checkPad() {
	if c.MultiHot {
		return // checkMultiHot reports them
	}
	for _, key := range c.givenKeys("pad", "truncate") {
		switch {
		case c.Value != nil && c.Repeat == "":
			c.report(c.keyPath(key), "value and %s exclude each other: a constant is one value", key)
		case c.EachRow && key == "pad" && (!c.IsSequence || !c.isGiven(c.keyPath("shape")) || len(c.Shape.Dims) != 1 || len(c.From.Columns) > 1):
			continue // it fills windows
		case len(c.From.Columns) > 1 && !c.IsSequence:
			c.report(c.keyPath(key), "%s is for the list in one column; from has %d", key, len(c.From.Columns))
		case !c.isValidInside(c.keyPath("shape")):
		case !c.isGiven(c.keyPath("shape")):
			c.reportWithHint(c.keyPath(key), "shape: [8]", "%s makes lists of one length: expected a shape", key)
		case len(c.Shape.Dims) != 1 || c.Shape.Dims[0] < 1:
			c.reportWithHint(c.keyPath("shape"), "shape: [8]", "found %s; %s makes lists of one length", schema.ShapeText(c.Shape.Dims), key)
		default:
			continue
		}
		return
	}
}

// checkFillSize checks that the lists that pad or a default fills are smaller than a row may be.
// So a shape cannot make the schema, and each worker, fill gigabytes.
func (c featureCheck) checkFillSize() {
	if !c.isValidInside(c.At) || !c.isValid("limits.record") {
		return
	}
	for _, fill := range []struct {
		key   string
		value *Constant
	}{{"pad", c.Pad}, {"the default", c.Missing.Default}} {
		if fill.value == nil {
			continue
		}
		if size := c.fillSize(fill.value, c.maxRecord); size > c.maxRecord {
			c.report(c.keyPath("shape"), "found %s; %s fills up to %d bytes, and limits.record allows %d", schema.ShapeText(c.Shape.Dims), fill.key, size, c.maxRecord)
		}
	}
}

// fillSize returns the bytes of a list of the shape in which each element is value, or a little
// less. Dimensions of any length count as 1, and those after the limit is exceeded are ignored.
func (f *Feature) fillSize(value *Constant, limit int64) int64 {
	size := int64(f.elementSize(value))
	for _, n := range f.Shape.Dims {
		if size <= limit {
			size *= int64(max(1, min(n, math.MaxInt32)))
		}
	}
	return size
}

// elementSize returns the bytes that a value of a list takes, or a little less.
func (f *Feature) elementSize(value *Constant) int {
	t, _ := schema.ParseType(f.Type)
	switch {
	case f.Classes == nil && f.Map == nil && t.IsText():
		return 2 + len(value.Text)
	case f.Tensor || f.Raw || t.IsFloat():
		return max(1, t.Size())
	}
	return 1
}
