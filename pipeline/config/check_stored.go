package config

import (
	"strconv"
	"strings"

	"tfr-build/schema"
)

// checkStorage checks how the values are stored, and the keys that depend on it.
func (c featureCheck) checkStorage() {
	exclude := func(key, other string) {
		if len(c.givenKeys(key)) > 0 && len(c.givenKeys(other)) > 0 {
			c.report(c.keyPath(key), "%s and %s exclude each other", other, key)
		}
	}
	exclude("raw", "tensor")
	exclude("map", "classes")
	if c.Encoding != "json" {
		exclude("map", "encoding")
	}
	t, ok := schema.ParseType(c.Type)
	if !ok || !c.isValid(c.keyPath("type")) {
		return
	}
	switch {
	case (t == schema.Float16 || t == schema.Bfloat16) && !c.Tensor && !c.Raw:
		c.reportWithHint(c.At, "tensor: true, or raw: true", "the type is %s, which no list of a record holds", c.Type)
	case c.Raw && t.IsText():
		c.report(c.keyPath("raw"), "raw is for numbers; the type is %s", c.Type)
	case c.isRagged() && c.isValidInside(c.keyPath("shape")) && (c.Value != nil || len(c.From.Columns) > 1 || c.Separator != "" || c.Repeat != ""):
		c.report(c.keyPath("shape"), "lists of lists come from one JSON value, alone in from")
	}
}

// isRagged reports whether the feature holds lists of lists.
func (f *Feature) isRagged() bool {
	return f.Shape.Known && len(f.Shape.Dims) > 1 && f.Shape.Dims[1] < 0
}

// checkSchema lets the schema check everything else: only the schema knows which values its types
// can have.
func (c featureCheck) checkSchema() {
	compiled := c.Compile(nil, nil)
	if c.HasOpenShape() && c.Missing.Form == "empty_list" {
		compiled.Shape = []int{-1}
	}
	tfds := compiled.Stored(c.message, c.IsSequence)
	if c.inDataset {
		tfds = tfds.OfStep()
	}
	if err := tfds.CheckTFDS(); err != nil && c.Shape.Known {
		c.report(c.keyPath("tfds"), "%v", err)
	}
	c.checkBoxes()
	if err := compiled.Check(c.message, c.IsSequence); err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			path := c.At
			key, text := settingOf(line)
			if key != "" {
				path = c.keyPath(key)
			}
			c.report(path, "%s", text)
		}
		return
	}
	if c.EachRow && c.Pad != nil && compiled.Pad == nil {
		c.checkWindowPad()
	}
}

// checkBoxes checks that a feature with boxes holds four numbers for each.
func (c featureCheck) checkBoxes() {
	dims := c.Shape.Dims
	switch path := c.keyPath("boxes"); {
	case c.Boxes == nil:
	case c.TFDS == "BBox":
		c.reportWithHint(path, "remove boxes", "tfds: BBox is boxes of top, left, bottom, and right already")
	case len(c.boxKeys()) == 0:
		c.report(path, "boxes are numbers, without classes, date, multi_hot, tensor, or raw")
	case c.Shape.Known && (len(dims) == 0 || dims[len(dims)-1] != 4):
		c.reportWithHint(path, "shape: [-1, 4]", "a box has 4 numbers; the shape is %s", schema.ShapeText(dims))
	}
}

// checkWindowPad checks the value that fills windows. It is converted as a default of a row.
func (c featureCheck) checkWindowPad() {
	row := c.CompileRow(nil)
	row.OnMissing, row.Default, row.Pad, row.Truncate = schema.MissingDefault, c.PadValue(), nil, false
	err := row.Check(c.message, c.IsSequence)
	if err == nil {
		return
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if key, text := settingOf(line); key == "missing.default" {
			c.reportWithHint(c.keyPath("pad"), c.padHint(), "%s", text)
		}
	}
}

// settingOf splits an error of the schema about a feature into the key that has the value, and the
// text. The key is empty for other errors.
func settingOf(line string) (key, text string) {
	// A quoted key may hold a colon, too, so the text begins after the quotes.
	_, text, found := strings.Cut(line, ": ")
	if quoted, _ := strconv.QuotedPrefix(strings.TrimPrefix(line, "feature ")); found && quoted != "" {
		text = strings.TrimPrefix(line, "feature "+quoted+": ")
	}
	for _, setting := range []struct{ prefix, key string }{
		{"default: ", "missing.default"}, {"constant: ", "value"}, {"pad: ", "pad"}, {"map: ", "map"},
	} {
		if rest, ok := strings.CutPrefix(text, setting.prefix); ok {
			return setting.key, rest
		}
	}
	return "", text
}
