package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
)

// TestCompile compares features of the config with those of the schema.
func TestCompile(t *testing.T) {
	text := func(s string) *schema.Value { return &schema.Value{Kind: schema.Text, Text: []byte(s)} }
	unknown := int64(-1)
	c := []string{"x"}
	for _, tt := range []struct {
		config string
		want   schema.Feature
	}{
		{"int64", schema.Feature{Type: schema.Int64, Columns: c, Shape: []int{}}},
		{"double", schema.Feature{Type: schema.Float64, Columns: c}},
		{"{type: string, from: y, missing: omit}", schema.Feature{Type: schema.StringType, Columns: []string{"y"},
			OnMissing: schema.MissingOmit}},
		{"{type: bytes, encoding: hex, missing: {default: ff}}",
			schema.Feature{Type: schema.BytesType, Columns: c, Encoding: schema.Hex, OnMissing: schema.MissingDefault,
				Default: text("ff")}},
		{"{type: bytes, encoding: base64}", schema.Feature{Type: schema.BytesType, Columns: c,
			Encoding: schema.Base64}},
		{"{type: float, from: [a, b], nonfinite: allow}",
			schema.Feature{Type: schema.Float, Columns: []string{"a", "b"}, Shape: []int{2}, AllowNonfinite: true}},
		{"{type: int8, separator: ' ', missing: empty_list, int_from_float: true}",
			schema.Feature{Type: schema.Int8, Columns: c, Shape: []int{-1}, Separator: " ",
				OnMissing: schema.MissingEmptyList, IntFromFloat: true}},
		{"{classes: [a, b]}", schema.Feature{Type: schema.Int64, Columns: c,
			Classes: &schema.Classes{Names: []string{"a", "b"}}}},
		{"{classes: {names: [a], first: 1, unknown: -1}, repeat: y}",
			schema.Feature{Type: schema.Int64, Columns: c, Repeat: "y", Shape: []int{-1},
				Classes: &schema.Classes{Names: []string{"a"}, First: 1, Unknown: &unknown}}},
		{"{value: 7}", schema.Feature{Type: schema.Int64, Constant: text("7")}},
		{"{value: 7.5}", schema.Feature{Type: schema.Float, Constant: text("7.5")}},
		{"{value: 1e3}", schema.Feature{Type: schema.Float, Constant: text("1e3")}},
		{"{value: true}", schema.Feature{Type: schema.BoolType, Constant: text("true")}},
		{"{value: 'true'}", schema.Feature{Type: schema.BytesType, Constant: text("true")}},
		{"{value: 2024-01-01}", schema.Feature{Type: schema.BytesType, Constant: text("2024-01-01")}},
		{"{value: .inf, type: float, nonfinite: allow}",
			schema.Feature{Type: schema.Float, Constant: text("inf"), AllowNonfinite: true}},
		{"{type: int64, null_values: [a]}", schema.Feature{Type: schema.Int64, Columns: c, NullValues: []string{"a"}}},
		{"{type: int64, null_values: []}", schema.Feature{Type: schema.Int64, Columns: c, NullValues: []string{}}},
	} {
		f := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures:\n"+
			"  x: "+tt.config+"\n").Features[0]
		tt.want.Key = "x"
		nulls := []string{"NA"}
		if f.Value != nil {
			nulls = nil // no source has a constant
		}
		if tt.want.NullValues == nil {
			tt.want.NullValues = nulls
		}
		got := f.Compile(nulls, nil)
		if len(got.Shape) == 0 && len(tt.want.Shape) == 0 {
			got.Shape, tt.want.Shape = nil, nil
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s\n got %+v\nwant %+v", tt.config, got, tt.want)
		}
		if _, err := schema.Compile(schema.Record{Features: []schema.Feature{got}}); err != nil {
			t.Errorf("%s: %v", tt.config, err)
		}
	}
}

// TestColumnsFixTypesAndShapes checks the types and shapes that follow from a column.
func TestColumnsFixTypesAndShapes(t *testing.T) {
	const sources = `name: d
output: out
sources:
- images: {dir: p}
  rename: {image.height: tall}
  join:
  - csv: {files: boxes.csv, columns: [filename, xmin]}
    on: filename
    many: true
  load: {mask: {path: "{stem}.png", dir: m}, raw: {path: "{stem}.raw", dir: m, as: bytes}}
features:
  x: `
	for _, tt := range []struct {
		config, kind string
		shape        []int
		image        bool
	}{
		{"{from: image}", "bytes", []int{}, true},
		{"{from: image.format}", "bytes", []int{}, false},
		{"{from: tall}", "int64", []int{}, false},
		{"{from: image.width, type: float}", "float", []int{}, false},
		{"{from: [image.width, image.channels]}", "int64", []int{2}, false},
		{"{from: mask}", "bytes", []int{}, true},
		{"{from: mask.colorspace}", "bytes", []int{}, false},
		{"{from: raw}", "bytes", []int{}, false},
		{"{from: xmin, type: float}", "float", []int{-1}, false},
		{"{from: xmin, type: float, shape: [-1, 4]}", "float", []int{-1, 4}, false},
		{"{from: class, classes: auto, repeat: xmin}", "int64", []int{-1}, false},
	} {
		f := mustParse(t, sources+tt.config+"\n").Features[0]
		if f.Type != tt.kind || !f.Shape.Known || !slices.Equal(f.Shape.Dims, tt.shape) || f.IsImage != tt.image {
			t.Errorf("%s: got %s %+v image=%v", tt.config, f.Type, f.Shape, f.IsImage)
		}
	}
}

// TestShapeOfLookupColumn leaves a shape open if a lookup table with many matches may have the
// column.
func TestShapeOfLookupColumn(t *testing.T) {
	const source = "name: d\noutput: out\nsource:\n  csv: {files: a.csv}\n  join: [{csv: {files: b.csv}, on: id, " +
		"many: %MANY}]\nfeatures: {x: float}\n"
	for many, known := range map[string]bool{
		"true": false, "true, prefix: x": false, "true, prefix: b.": true, "false": true,
	} {
		f := mustParse(t, strings.ReplaceAll(source, "%MANY", many)).Features[0]
		if f.Shape.Known != known {
			t.Errorf("many: %s: got %+v", many, f.Shape)
		}
	}
}

// TestIsImageOnlyIfAllSourcesAgree mixes image files with other files.
func TestIsImageOnlyIfAllSourcesAgree(t *testing.T) {
	const first = "name: d\noutput: out\nfeatures: {x: {from: image}}\nsources:\n- images: {dir: p}\n"
	for more, want := range map[string]bool{
		"":                     true,
		"- images: {dir: q}\n": true,
		"- folder: {dir: q}\n  rename: {content: image}\n": false,
	} {
		if f := mustParse(t, first+more).Features[0]; f.IsImage != want || f.Type != "bytes" {
			t.Errorf("%q: got %s, image=%v", more, f.Type, f.IsImage)
		}
	}
}
