package schema_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

func TestCompileRejects(t *testing.T) {
	one := func(change func(f *schema.Feature)) []schema.Feature {
		f := scalar("age", schema.Int64)
		change(&f)
		return []schema.Feature{f}
	}
	classes := func(names ...string) *schema.Classes { return &schema.Classes{Names: names} }
	tests := []struct {
		features []schema.Feature
		want     string
	}{
		{[]schema.Feature{scalar("a", schema.Int64), scalar("a", schema.Float)}, `feature "a": duplicate key`},
		{one(func(f *schema.Feature) { f.Key = "\xff" }), `feature "\xff": the key is not UTF-8`},
		{one(func(f *schema.Feature) { f.Type = 0 }), `feature "age": it has no type`},
		{one(func(f *schema.Feature) { f.Type = 200 }), `feature "age": a Type(200) cannot be stored in an Example`},
		{one(func(f *schema.Feature) { f.Type = schema.Float16 }), `feature "age": a float16 cannot be stored in an Example`},
		{one(func(f *schema.Feature) { f.Columns = nil }), `feature "age": it has neither a column nor a constant`},
		{one(func(f *schema.Feature) { f.Constant = ptr(text("1")) }), `feature "age": it has a constant and a column; expected one of them`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape, f.Repeat = []string{"a", "b"}, []int{2}, "c" }), `feature "age": repeat goes with one column, not with 2`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape, f.Separator = []string{"a", "b"}, []int{2}, ";" }), `feature "age": separator goes with one column, without repeat`},
		{one(func(f *schema.Feature) { f.Shape = []int{0} }), `feature "age": shape [0]: a dimension is 1 or more; -1 comes before all others`},
		{one(func(f *schema.Feature) { f.Shape = []int{2, -1} }), `feature "age": shape [2, -1]: a dimension is 1 or more; -1 comes before all others`},
		{one(func(f *schema.Feature) { f.Shape = []int{-2} }), `feature "age": shape [-2]: a dimension is 1 or more; -1 comes before all others`},
		{one(func(f *schema.Feature) { f.Shape = []int{1 << 20, 1 << 20, 1 << 40} }), `feature "age": shape [1048576, 1048576, 1099511627776] holds too many values`},
		{one(func(f *schema.Feature) { f.Shape = []int{1 << 40} }), `feature "age": shape [1099511627776] holds too many values`},
		{one(func(f *schema.Feature) { f.Repeat = "b" }), `feature "age": repeat requires a shape of one dimension, such as [-1]; it has []`},
		{one(func(f *schema.Feature) { f.Separator = ";" }), `feature "age": separator requires a list's shape, such as [-1]`},
		{one(func(f *schema.Feature) { f.Columns = []string{"a", "b"} }), `feature "age": 2 columns do not fit shape []`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape = []string{"a", "b", "c"}, []int{-1, 2} }), `feature "age": 3 columns do not fit shape [-1, 2]`},
		{one(func(f *schema.Feature) { f.Columns, f.Constant, f.Shape = nil, ptr(text("1")), []int{4} }), `feature "age": a constant is one value, which does not fit shape [4]`},
		{one(func(f *schema.Feature) { f.OnMissing = schema.MissingDefault }), `feature "age": it has no default to put in where a value is missing`},
		{one(func(f *schema.Feature) { f.Default = ptr(text("1")) }), `feature "age": it has a default, but is not to use it`},
		{one(func(f *schema.Feature) { f.OnMissing = schema.MissingEmptyList }), `feature "age": an empty list requires shape [-1]; it has []`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Shape = schema.MissingEmptyList, []int{-1, 4} }), `feature "age": an empty list requires shape [-1]; it has [-1, 4]`},
		{one(func(f *schema.Feature) { f.OnMissing = 9 }), `feature "age": it does not say what to do without a value`},
		{one(func(f *schema.Feature) {
			f.Columns, f.Constant, f.OnMissing, f.Default = nil, ptr(text("1")), schema.MissingDefault, ptr(text("1"))
		}), `feature "age": a constant is never missing; it has no default`},
		{one(func(f *schema.Feature) { f.Encoding = schema.Base64 }), `feature "age": base64 and hex are of type bytes, not of int64`},
		{one(func(f *schema.Feature) { f.Type, f.Encoding = schema.BytesType, 7 }), `feature "age": the encoding is unknown`},
		{one(func(f *schema.Feature) { f.Type, f.IntFromFloat = schema.BoolType, true }), `feature "age": integers from floats require an integer type`},
		{one(func(f *schema.Feature) { f.AllowNonfinite = true }), `feature "age": nan and inf are of type float, not of int64`},
		{one(func(f *schema.Feature) { f.Type, f.Classes = schema.Int32, classes("a") }), `feature "age": classes are of type int64, not of int32`},
		{one(func(f *schema.Feature) { f.Classes = classes("a", "b", "a") }), `feature "age": duplicate class "a", as name 1 and 3`},
		{one(func(f *schema.Feature) { f.Classes = classes("a", "b"); f.Classes.First = math.MaxInt64 }), `feature "age": 2 classes from 9223372036854775807 on go beyond the largest int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(text("x")) }), `feature "age": default: "x" is not an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(text("")) }), `feature "age": default: it is empty; expected an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, &schema.Value{} }), `feature "age": default: it is empty; expected an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(list()) }), `feature "age": default: found a list of 0 elements; expected one value`},
		{one(func(f *schema.Feature) { f.Type, f.Columns, f.Constant = schema.Int8, nil, ptr(number("200")) }), `feature "age": constant: 200 is out of the range of int8, -128 to 127`},
		{one(func(f *schema.Feature) {
			f.Classes, f.OnMissing, f.Default = classes("cat"), schema.MissingDefault, ptr(text("cta"))
		}), `feature "age": default: "cta" is not the only class, "cat"`},
		{one(func(f *schema.Feature) { f.Date = &schema.Date{Format: "%Y-%Q"} }), `feature "age": date: unknown letter %Q at character 4; expected one of %Y`},
		{one(func(f *schema.Feature) { f.Date = &schema.Date{Format: "%Y", Zone: "Mars"} }), `feature "age": date: no zone "Mars" in tzdata `},
		{one(func(f *schema.Feature) { f.Date, f.Type = &schema.Date{Format: "%Y"}, schema.Int32 }), `feature "age": dates are of type int64, not of int32`},
		{one(func(f *schema.Feature) { f.Date, f.Classes = &schema.Date{Format: "%Y"}, classes("a") }), `feature "age": date and classes exclude each other`},
		{one(func(f *schema.Feature) { f.Date, f.Map = &schema.Date{Format: "%Y"}, yesNo }), `feature "age": date and map exclude each other`},
		{one(func(f *schema.Feature) { f.Date, f.IntFromFloat = &schema.Date{Format: "%Y"}, true }), `feature "age": date and integers from floats exclude each other`},
		{one(func(f *schema.Feature) {
			f.Date, f.OnMissing, f.Default = &schema.Date{Format: "%Y"}, schema.MissingDefault, ptr(text("0"))
		}), `feature "age": default: "0" is not a date of the form "%Y"`},
		{one(func(f *schema.Feature) {
			f.Type, f.Columns, f.Constant = schema.StringType, nil, ptr(jsonString("\xff"))
		}), `feature "age": constant: "\xff" is not UTF-8 at its byte 1`},
	}
	for _, test := range tests {
		_, err := schema.Compile(schema.Record{Features: test.features})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if f := test.features[0]; len(test.features) == 1 {
			if checked := f.Check(schema.ExampleMessage, false); checked == nil || checked.Error() != err.Error() {
				t.Errorf("Check says %v; Compile says %v", checked, err)
			}
		}
	}
}

func TestCompileReportsAllErrors(t *testing.T) {
	_, err := schema.Compile(schema.Record{Features: []schema.Feature{
		{Key: "a", AllowNonfinite: true},
		{Key: "b", Type: schema.Int64, Columns: []string{"b"}},
		{Key: "c", Type: schema.Int64, Constant: ptr(text("x"))},
	}})
	want := strings.Join([]string{
		`feature "a": it has no type`,
		`feature "a": it has neither a column nor a constant`,
		`feature "a": nan and inf are of type float, not of invalid`,
		`feature "c": constant: "x" is not an int64`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// The class names may be known only later, from the rows.
func TestCheckWithoutNames(t *testing.T) {
	f := scalar("class", schema.Int64)
	f.Classes, f.OnMissing, f.Default = &schema.Classes{}, schema.MissingDefault, ptr(text("other"))
	if err := f.Check(schema.ExampleMessage, false); err != nil {
		t.Error(err)
	}
	if _, err := schema.Compile(schema.Record{Features: []schema.Feature{f}}); err == nil {
		t.Error("Compile takes a default that is not a class")
	}
}

func TestColumnsAndFeatures(t *testing.T) {
	both := scalar("both", schema.Float)
	both.Columns, both.Shape = []string{"x", "z"}, []int{2}
	again := scalar("again", schema.Int64)
	again.Columns, again.Repeat, again.Shape = []string{"x"}, "boxes", []int{-1}
	s := compile(t, scalar("x", schema.Int64), both, again)
	if got := s.Columns(); !slices.Equal(got, []schema.Column{{Name: "x"}, {Name: "z"}, {Name: "boxes"}}) {
		t.Errorf("columns %v", got)
	}
	var keys []string
	for _, f := range s.Record().Features {
		keys = append(keys, f.Key)
	}
	if !slices.Equal(keys, []string{"again", "both", "x"}) {
		t.Errorf("features %q", keys)
	}
}

func TestTypes(t *testing.T) {
	for _, name := range schema.TypeNames() {
		typ, ok := schema.ParseType(name)
		raw := schema.Feature{Type: typ, Raw: true}
		if !ok || raw.Stored(schema.ExampleMessage, false).List != message.BytesList {
			t.Errorf("type %s: %v, %v", name, typ, ok)
		}
		wantName := map[string]string{"float32": "float", "double": "float64"}[name]
		if wantName == "" {
			wantName = name
		}
		if typ.String() != wantName || typ.IsInteger() != strings.Contains(name, "int") {
			t.Errorf("type %s is %v, an integer: %v", name, typ, typ.IsInteger())
		}
	}
	for _, name := range []string{"", "Int64", "int", "str", "half", "invalid"} {
		if typ, ok := schema.ParseType(name); ok || typ != 0 {
			t.Errorf("%q is treated as the type %v", name, typ)
		}
	}
	if len(schema.TypeNames()) != 17 || schema.Type(0).String() != "invalid" {
		t.Error("the invalid type passes for one")
	}
	stored := map[schema.Type][2]message.List{
		0:                   {"", ""},
		schema.Int16:        {message.Int64List, message.Int32List},
		schema.Uint32:       {message.Int64List, message.Int64List},
		schema.BoolType:     {message.Int64List, message.Int32List},
		schema.Float64:      {message.FloatList, message.DoubleList},
		schema.StringType:   {message.BytesList, message.BytesList},
		schema.Float16:      {"", ""},
		schema.Bfloat16 + 1: {"", ""},
	}
	for typ, want := range stored {
		f := schema.Feature{Type: typ}
		if got := [2]message.List{f.Stored(schema.ExampleMessage, false).List, f.Stored(schema.OFRecordMessage, false).List}; got != want {
			t.Errorf("%v is stored as %q; want %q", typ, got, want)
		}
	}
}

func TestKeys(t *testing.T) {
	tests := []struct {
		shape []int
		want  string
	}{
		{nil, "k"},
		{[]int{-1, 4}, "k"},
		{[]int{-1, -1}, "k/ragged_flat_values k/ragged_row_lengths_0"},
		{[]int{-1, -1, -1, 2}, "k/ragged_flat_values k/ragged_row_lengths_0 k/ragged_row_lengths_1"},
	}
	for _, test := range tests {
		f := schema.Feature{Key: "k", Shape: test.shape}
		if got := strings.Join(f.Keys(), " "); got != test.want || f.IsRagged() != strings.Contains(got, "ragged") {
			t.Errorf("shape %v: keys %s, ragged: %v; want %s", test.shape, got, f.IsRagged(), test.want)
		}
	}
}

// Compile rejects features that are invalid in their target, and inconsistent records.
func TestCompileRejectsRecords(t *testing.T) {
	with := func(change func(f *schema.Feature)) schema.Record {
		f := scalar("a", schema.Uint8)
		change(&f)
		return schema.Record{Features: []schema.Feature{f}}
	}
	steps := func(change func(f *schema.Feature)) schema.Record {
		r := with(change)
		r.Message, r.Features, r.Sequence = schema.SequenceMessage, nil, r.Features
		return r
	}
	omit := func(f *schema.Feature) { f.OnMissing = schema.MissingOmit }
	of := func(m schema.Message, r schema.Record) schema.Record {
		r.Message = m
		return r
	}
	a := func(shape ...int) schema.Feature {
		f := scalar("a", schema.Int64)
		f.Shape = shape
		return f
	}
	maps := func(texts, values int) *schema.Map {
		return &schema.Map{Strings: []string{"x", "y", "x"}[:texts], Values: cells("1", "2", "300")[:values]}
	}
	tests := []struct {
		record schema.Record
		want   string
	}{
		{with(func(f *schema.Feature) { f.Tensor, f.Raw = true, true }), `feature "a": tensor and raw exclude each other`},
		{with(func(f *schema.Feature) { f.Type, f.Raw = schema.StringType, true }), `feature "a": raw is of numbers, not of string`},
		{with(func(f *schema.Feature) { f.Type = schema.Float16 }), `feature "a": a float16 cannot be stored in an Example; it is for tensor and raw`},
		{of(schema.OFRecordMessage, with(func(f *schema.Feature) { f.Type = schema.Bfloat16 })), `feature "a": a bfloat16 cannot be stored in an OFRecord; it is for tensor and raw`},
		{with(func(f *schema.Feature) { f.Shape, f.Tensor = []int{-1, -1}, true }), `feature "a": shape [-1, -1] is of lists of their own lengths, which do not go with tensor`},
		{with(func(f *schema.Feature) { f.Shape, f.Raw = []int{-1, -1}, true }), `feature "a": shape [-1, -1] is of lists of their own lengths, which do not go with raw`},
		{with(func(f *schema.Feature) { f.Shape, f.Separator = []int{-1, -1}, ";" }), `feature "a": shape [-1, -1] is of lists of their own lengths, which do not go with separator`},
		{with(func(f *schema.Feature) { f.Shape, f.Columns = []int{-1, -1}, []string{"a", "b"} }), `feature "a": shape [-1, -1] is of lists of their own lengths, which do not go with several columns`},
		{with(func(f *schema.Feature) { f.Shape = []int{-1, 2, -1} }), `feature "a": shape [-1, 2, -1]: a dimension is 1 or more; -1 comes before all others`},
		{with(func(f *schema.Feature) { f.Encoding, f.Separator, f.Shape = schema.JSON, ";", []int{-1} }), `feature "a": separator splits a string, and a cell with the encoding json is parsed`},
		{with(func(f *schema.Feature) { f.Encoding, f.Columns, f.Constant = schema.JSON, nil, ptr(text("1")) }), `feature "a": json is the encoding of a column, and it has none`},
		{with(func(f *schema.Feature) { f.Encoding = schema.JSON + 1 }), `feature "a": the encoding is unknown`},
		{with(func(f *schema.Feature) { f.Map = maps(0, 0) }), `feature "a": the map has 0 strings and 0 values; expected one for each`},
		{with(func(f *schema.Feature) { f.Map = maps(2, 1) }), `feature "a": the map has 2 strings and 1 value; expected one for each`},
		{with(func(f *schema.Feature) { f.Map = maps(3, 3) }), `feature "a": duplicate string "x" in the map`},
		{with(func(f *schema.Feature) {
			f.Map = &schema.Map{Strings: []string{"x"}, Values: cells("300"), Unknown: ptr(text("y"))}
		}), "feature \"a\": map: \"x\": 300 is out of the range of uint8, 0 to 255\nfeature \"a\": map: unknown: \"y\" is not a uint8"},
		{with(func(f *schema.Feature) {
			f.Map, f.OnMissing, f.Default = maps(2, 2), schema.MissingDefault, ptr(text("1"))
		}), `feature "a": default: "1" is not one of the 2 strings of the map`},
		{with(func(f *schema.Feature) {
			f.Map, f.OnMissing, f.Default = maps(2, 2), schema.MissingDefault, ptr(text("1"))
			f.Map.Unknown = ptr(text("9"))
		}), `feature "a": default: "1" is not one of the 2 strings of the map`},
		{with(func(f *schema.Feature) {
			f.Type, f.Classes = schema.Int64, &schema.Classes{Names: []string{"p", "q"}, Numbers: true, Unknown: new(int64)}
			*f.Classes.Unknown, f.OnMissing, f.Default = 9, schema.MissingDefault, ptr(text("5"))
		}), `feature "a": default: 5 is not the number of a class, 0 to 1`},
		{with(func(f *schema.Feature) {
			f.Map, f.Type, f.Classes = maps(1, 1), schema.Int64, &schema.Classes{Names: []string{"1"}}
		}), `feature "a": map and classes exclude each other`},
		{with(func(f *schema.Feature) { f.Map, f.Type, f.Encoding = maps(1, 1), schema.BytesType, schema.Hex }), `feature "a": map and the encodings base64 and hex exclude each other`},
		{steps(func(f *schema.Feature) { f.Shape = []int{-1, -1} }), `feature "a": a step has one list of values; it has shape [-1, -1]`},
		{steps(func(f *schema.Feature) { f.Shape, f.Separator = []int{2}, ";" }), `feature "a": separator splits a string into steps of one value each; it has shape [2]`},
		{steps(func(f *schema.Feature) { f.Columns, f.Constant = nil, ptr(text("1")) }), `feature "a": a constant does not say how many steps there are; repeat does`},
		{schema.Record{Message: schema.OFRecordMessage}, `each feature may be missing, and an OFRecord without any cannot be read`},
		{of(schema.OFRecordMessage, with(omit)), `each feature may be missing, and an OFRecord without any cannot be read`},
		{of(schema.OFRecordMessage, with(func(f *schema.Feature) {
			omit(f)
			f.Columns, f.Constant, f.Repeat, f.Shape = nil, ptr(text("1")), "x", []int{-1}
		})), `each feature may be missing, and an OFRecord without any cannot be read`},
		{schema.Record{Sequence: []schema.Feature{a()}}, `the record is an Example, which has no feature lists`},
		{schema.Record{Message: schema.TextMessage}, `the record is the content of a column, and names none`},
		{schema.Record{Message: schema.BytesMessage, Column: "x", Features: []schema.Feature{a()}}, `the record is the content of a column, which has no features`},
		{schema.Record{Column: "x"}, `the record is an Example, which is not the content of a column`},
		{schema.Record{Message: schema.SequenceMessage, Features: []schema.Feature{a()}, Sequence: []schema.Feature{a()}}, `feature "a": duplicate key`},
		{schema.Record{Features: []schema.Feature{a(-1, -1), scalar("a/ragged_flat_values", schema.Int64)}}, `feature "a/ragged_flat_values": feature "a" has its key "a/ragged_flat_values"`},
	}
	for _, test := range tests {
		if _, err := schema.Compile(test.record); err == nil || err.Error() != test.want {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
}

func TestCompileAccepts(t *testing.T) {
	steps := scalar("a", schema.Int64)
	steps.OnMissing = schema.MissingEmptyList
	sometimes, always := scalar("b", schema.Int64), scalar("c", schema.Int64)
	sometimes.OnMissing = schema.MissingOmit
	always.Columns, always.Constant, always.OnMissing = nil, ptr(text("1")), schema.MissingOmit
	records := []schema.Record{
		{},
		{Message: schema.SequenceMessage, Features: []schema.Feature{sometimes}, Sequence: []schema.Feature{steps}},
		{Message: schema.OFRecordMessage, Features: []schema.Feature{sometimes, always}},
	}
	for _, r := range records {
		s, err := schema.Compile(r)
		if err != nil {
			t.Errorf("%+v: %v", r, err)
			continue
		}
		if got := s.Record(); got.Message != r.Message || len(got.Features) != len(r.Features) || len(got.Sequence) != len(r.Sequence) {
			t.Errorf("%+v was compiled; it says %+v", r, got)
		}
	}
}

// A JSON column has a slot for each distinct list of strings that mean missing.
func TestColumnsOfJSONAndNulls(t *testing.T) {
	var features []schema.Feature
	for i, nulls := range [][]string{nil, {"NA", ""}, {"NA"}, {"NA", ""}, {}} {
		f := scalar(string(rune('a'+i)), schema.Int64)
		f.Columns, f.Encoding, f.NullValues = []string{"x"}, schema.JSON, nulls
		features = append(features, f)
	}
	want := []schema.Column{{Name: "x", JSON: true}, schema.JSONColumn("x", []string{"NA", ""}), schema.JSONColumn("x", []string{"NA"})}
	got := compile(t, features...).Columns()
	if !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	if nulls := got[1].Nulls(); !slices.Equal(nulls, []string{"NA", ""}) || got[0].Nulls() != nil {
		t.Errorf("texts that mean missing: %q", nulls)
	}
}

// A column that is needed unchanged and as JSON has two slots.
func TestColumnsOfJSON(t *testing.T) {
	tree := scalar("tree", schema.Int64)
	tree.Columns, tree.Shape, tree.Encoding = []string{"x"}, []int{-1}, schema.JSON
	s := compile(t, scalar("x", schema.BytesType), tree)
	if got := s.Columns(); !slices.Equal(got, []schema.Column{{Name: "x"}, {Name: "x", JSON: true}}) {
		t.Errorf("columns %v", got)
	}
	got, err := s.NewEncoder().Append(nil, []schema.Value{text("[1,2]"), numbers("1", "2")})
	want, wantErr := oracle(s.Record(), s.Columns(), []schema.Value{text("[1,2]"), numbers("1", "2")})
	if err != nil || wantErr != nil || string(got) != string(want) {
		t.Errorf("got %x, %v; want %x, %v", got, err, want, wantErr)
	}
}
