package config

import (
	"reflect"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
)

// Features are the features of a record, in the order of the config.
type Features []Feature

// A Feature says how one key of a record is made.
type Feature struct {
	Key string
	At  string // path in the config: `features.image/encoded`

	IsImage     bool // its column is the content of image files
	IsSequence  bool // it is a list of steps of a SequenceExample
	EachRow     bool // with group: it has a value for each row of a record
	isMemberKey bool // it is the key of webdataset
	steps       int  // with EachRow in an Example: the number of values, or -1 for any number; 0 for other features
	inDataset   bool // with EachRow: TFDS reads it in the nested Dataset of group.dataset

	key position // position of its key

	Type         string     `yaml:"type" is:"type" doc:"Type of the stored values. Required unless classes, date, value, or the column fixes it." example:"float"`
	From         From       `yaml:"from" doc:"Column of the values, or a list of columns. Default: the column with the name of the feature." example:"bill_length_mm"`
	Value        *Constant  `yaml:"value" doc:"Constant that each record gets, instead of a column." example:"1"`
	Classes      *Classes   `yaml:"classes" doc:"Class names; the number of the name is stored. A list, a file, or auto." example:"[cat, dog]"`
	LabelMap     string     `yaml:"label_map" is:"labelmap" doc:"Name of a label map of the classes, which is written for the Object Detection API." example:"label_map.pbtxt"`
	Take         string     `yaml:"take" enum:"first last" doc:"With group: the row of the record whose value is taken. Default: all rows have the same value."`
	MultiHot     bool       `yaml:"multi_hot" default:"false" canonical:"set" doc:"Stores a vector with a 0 or 1 for each class, from a list of labels. Default: false."`
	Map          *ValueMap  `yaml:"map" doc:"Strings of the column and the values that are stored for them." example:"{'yes': 1, 'no': 0}"`
	Date         string     `yaml:"date" is:"text" doc:"Format of dates in the column: strptime letters, or rfc3339. Stored as an int64 since 1970." example:"'%Y-%m-%d'"`
	Unit         string     `yaml:"unit" default:"s" canonical:"set" enum:"s ms us ns days" doc:"Unit that a date counts since 1970. Default: s."`
	Zone         string     `yaml:"zone" default:"UTC" canonical:"set" is:"zone" doc:"Time zone of a date, by its IANA name. Default: UTC." example:"Europe/Paris"`
	Repeat       string     `yaml:"repeat" is:"column" doc:"List column whose length says how often the value is repeated." example:"objects.bbox"`
	Shape        Shape      `yaml:"shape" doc:"Shape of the values; -1 is any length. Default: one value, or the shape that the column has." example:"[-1]"`
	Pad          *Constant  `yaml:"pad" doc:"Value that fills lists shorter than the shape, at their end. Default: such a list is an error." example:"0"`
	Truncate     bool       `yaml:"truncate" default:"false" canonical:"set" doc:"Cuts lists longer than the shape, at their end. Default: false."`
	Separator    string     `yaml:"separator" is:"text" doc:"String between the values of a CSV cell that holds a list." example:"';'"`
	Missing      Missing    `yaml:"missing" default:"error" doc:"Action for a missing value: error, omit, empty_list, or a default such as 0. Default: error." example:"omit"`
	NullValues   []string   `yaml:"null_values" empty:"ok" one:"ok" doc:"Strings that mean a missing value, in place of those of the source." example:"[NA, '-']"`
	Encoding     string     `yaml:"encoding" enum:"base64 hex json" doc:"Encoding of the strings in the column: base64, hex, or json."`
	Thousands    string     `yaml:"thousands" is:"text" doc:"Mark between groups of three digits in strings that are numbers. Default: none." example:"','"`
	Decimal      string     `yaml:"decimal" default:"." canonical:"set" is:"text" doc:"Decimal mark in strings that are numbers. Default: a point." example:"','"`
	IntFromFloat bool       `yaml:"int_from_float" default:"false" doc:"Accepts whole numbers that are written as floats, such as 180.0. Default: false."`
	Nonfinite    string     `yaml:"nonfinite" default:"error" enum:"error allow" doc:"Action for nan, inf, and -inf in floats. Default: error."`
	Tensor       bool       `yaml:"tensor" default:"false" canonical:"set" doc:"Stores the values as one serialized TensorProto. Default: false."`
	Raw          bool       `yaml:"raw" default:"false" canonical:"set" doc:"Stores the values as little-endian bytes without a header. Default: false."`
	Boxes        *BoxLayout `yaml:"boxes" doc:"Layout of boxes in the feature, for the report. It changes no value." example:"{layout: xywh, unit: pixel}"`
	TFDS         string     `yaml:"tfds" enum:"Text Tensor Image BBox Audio" doc:"TFDS feature class that describes the values."`
}

// From names the columns of a feature; it has none if the feature is a constant.
type From struct {
	Columns []string
	IsList  bool // written as a list: the values of the columns form a list
}

// A Shape is a list of lengths; -1 is any length. If Known is false, the column determines the
// shape. It may be one value, a list from a lookup table with many matches, or the shape of an
// array.
type Shape struct {
	Dims  []int `range:"-1 2147483647" empty:"ok"`
	Known bool
}

// Missing is the action for a missing value.
type Missing struct {
	Form    string    `enum:"error omit empty_list"` // or default
	Default *Constant `yaml:"default" alone:"yes" doc:"Value that is stored for a missing one." example:"0"`
}

// maxFeatures is the largest number of features of a mapping: each takes some KiB of memory.
const maxFeatures = 100_000

func isKey(s string) bool { return s != "" && !strings.ContainsRune(s, 0) }

// finishFeatures sets what only the mapping of a feature tells.
func finishFeatures(_ *decoder, at spot, l *Features) {
	for i := range *l {
		(*l)[i].key, (*l)[i].IsSequence = at.pairs[i].at, at.path == "sequence"
	}
}

// writeFeature writes the keys of a feature; the short text has no default.
func writeFeature(e encoder, v reflect.Value) *node {
	n := e.encodeFields(v)
	if e.isShort {
		f := v.Interface().(Feature)
		n = f.shorten(n)
	}
	return n
}

// shorten removes keys with their defaults: the column with the name of the feature, and the shape
// of one value. If only the type is left, the result is the type alone.
func (f *Feature) shorten(n *node) *node {
	isOne := len(f.From.Columns) == 1 && f.Separator == "" && f.Map == nil && f.Repeat == ""
	n.pairs = slices.DeleteFunc(n.pairs, func(p pair) bool {
		switch p.key {
		case "from":
			return p.value.isScalar() && p.value.text == f.Key
		case "shape":
			return isOne && len(f.Shape.Dims) == 0
		}
		return false
	})
	if len(n.pairs) == 1 && n.pairs[0].key == "type" {
		return n.pairs[0].value
	}
	return n
}

// checkShape checks the lengths of a shape together.
func checkShape(d *decoder, at spot, s *Shape) {
	s.Known = true
	if element, problem := schema.CheckShape(s.Dims); problem != "" && d.isValidInside(at.path) {
		d.report(at.path+element, "%s", problem)
	}
}

func shapeSchema() object {
	return object{"type": "array", "items": orVariable(object{"type": "integer", "minimum": -1})}
}

var missingWords = []string{"error", "omit", "empty_list"}

// setMissingForm sets the form that a default means.
func setMissingForm(_ *decoder, _ spot, m *Missing) {
	if m.Default != nil {
		m.Form = "default"
	}
}

// isMissingWord reports whether a scalar is not the value for a missing one, as in missing: 0. A word that is close to
// a word of missing, or that another tool uses for it, is not a value.
func isMissingWord(_ *decoder, n *node) bool {
	switch {
	case !n.isScalar():
		return false
	case n.isNull() || slices.Contains(missingWords, n.text):
		return true
	case n.quoted:
		return false
	}
	return oldBool.MatchString(n.text) || nearest.Of(n.text, missingWords) != "" || wordHelp("missing", n) != ""
}

func missingSchema() object { return object{"enum": missingWords} }

// HasOpenShape reports whether a column decides the shape.
func (f *Feature) HasOpenShape() bool { return !f.Shape.Known && !f.MultiHot }

// Uses reports whether the feature reads a column.
func (f *Feature) Uses(column string) bool {
	return slices.Contains(f.From.Columns, column) || f.Repeat == column
}

// Compile returns the feature for the schema. The strings in nulls mean a missing value in its
// source, unless the feature has null_values. The classes are names, or those in the config if
// names is nil. A shape that is not known becomes the shape of one value.
func (f *Feature) Compile(nulls, names []string) schema.Feature {
	t, _ := schema.ParseType(f.Type)
	compiled := schema.Feature{
		Key: f.Key, Type: t, Columns: f.From.Columns, Map: f.Map.compile(), Date: f.date(), Repeat: f.Repeat,
		Shape:     f.Shape.Dims,
		Separator: f.Separator, NullValues: nulls, IntFromFloat: f.IntFromFloat,
		AllowNonfinite: f.Nonfinite == "allow", Image: f.IsImage, Tensor: f.Tensor, Raw: f.Raw, TFDS: f.TFDS,
		LabelMap: f.LabelMap,
		Constant: f.Value.value(), Default: f.Missing.Default.value(), Pad: f.Pad.value(), Truncate: f.Truncate,
		Thousands: f.Thousands, Decimal: f.decimalMark(), MemberKey: f.isMemberKey,
	}
	if f.NullValues != nil {
		compiled.NullValues = slices.Clone(f.NullValues)
		slices.Sort(compiled.NullValues)
	}
	f.compileRows(&compiled)
	switch f.Missing.Form {
	case "omit":
		compiled.OnMissing = schema.MissingOmit
	case "default":
		compiled.OnMissing = schema.MissingDefault
	case "empty_list":
		compiled.OnMissing = schema.MissingEmptyList
	}
	switch f.Encoding {
	case "base64":
		compiled.Encoding = schema.Base64
	case "hex":
		compiled.Encoding = schema.Hex
	case "json":
		compiled.Encoding = schema.JSON
	}
	if f.Classes != nil {
		if names == nil {
			names = f.Classes.Names
		}
		compiled.Classes = &schema.Classes{Names: names, First: f.Classes.First, Unknown: f.Classes.Unknown.Number,
			Numbers: f.Classes.Numbers}
		if f.MultiHot {
			compiled.MultiHot, compiled.Classes, compiled.Shape = compiled.Classes, nil, []int{max(1, len(names))}
		}
	}
	return compiled
}

// CompileRow returns the feature for the schema of one row, also if a record has several. It has no class
// names.
func (f *Feature) CompileRow(nulls []string) schema.Feature {
	row := *f
	row.EachRow, row.Take = false, ""
	compiled := row.Compile(nulls, nil)
	if f.EachRow && len(f.Shape.Dims) == 0 {
		compiled.Pad = nil // of the list of the record
	}
	return compiled
}

// compileRows sets what a feature of a group needs: one list with a value for each row, or the value
// of one row.
func (f *Feature) compileRows(compiled *schema.Feature) {
	switch {
	case f.EachRow:
		compiled.Part = schema.EachRow
		compiled.Columns = []string{strings.Join(f.From.Columns, ", ")}
		if f.steps != 0 {
			compiled.Shape = append([]int{f.steps}, f.Shape.Dims...)
		}
		if f.steps != 0 || len(f.Shape.Dims) != 1 || f.Shape.Dims[0] < 1 {
			compiled.Pad = nil // whoever makes the list fills it
		}
	case f.Take == "last":
		compiled.Part = schema.LastRow
	}
}

// decimalMark returns the decimal mark for the schema; empty if it is a point.
func (f *Feature) decimalMark() string {
	if f.Decimal == "." {
		return ""
	}
	return f.Decimal
}

// PadValue returns the value of pad; nil without pad.
func (f *Feature) PadValue() *schema.Value {
	v := f.Pad.value()
	if v != nil && (f.Thousands != "" || f.decimalMark() != "") {
		v.Kind = schema.Number // the config has numbers without marks
	}
	return v
}

// RowPad returns the value that a row of padding has: PadValue, or a list of the feature's shape; nil without pad.
func (f *Feature) RowPad() *schema.Value {
	pad := f.PadValue()
	if pad == nil || f.MultiHot {
		return pad
	}
	return nestedPad(f.Shape.Dims, pad)
}

// nestedPad returns pad, or lists of the dimensions dims whose elements are pad.
func nestedPad(dims []int, pad *schema.Value) *schema.Value {
	if len(dims) == 0 {
		return pad
	}
	return &schema.Value{Kind: schema.List, List: slices.Repeat([]schema.Value{*nestedPad(dims[1:], pad)},
		max(dims[0], 0))}
}
