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
		{[]schema.Feature{scalar("a", schema.Int64), scalar("a", schema.Float)},
			`feature "a": the record has the feature "a" twice; one of them needs another key`},
		{one(func(f *schema.Feature) { f.Key = "\xff" }), `feature "\xff": the key is not UTF-8`},
		{one(func(f *schema.Feature) { f.Type = 0 }), `feature "age": type: it has no type`},
		{one(func(f *schema.Feature) { f.Type = 200 }),
			`feature "age": type: the type is Type(200), which cannot be stored in an Example`},
		{one(func(f *schema.Feature) { f.Type = schema.Float16 }),
			`feature "age": the type is float16, which no list of a record holds`},
		{one(func(f *schema.Feature) {
			f.Columns = nil
		}), `feature "age": from: it has neither a column nor a constant`},
		{one(func(f *schema.Feature) { f.Constant = ptr(text("1")) }),
			`feature "age": value: from and value exclude each other`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape, f.Repeat = []string{"a", "b"}, []int{2}, "c" }),
			`feature "age": repeat: repeat takes one column; from has 2`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape, f.Separator = []string{"a", "b"}, []int{2}, ";" }),
			`feature "age": separator: separator splits the cell of one column; from has 2`},
		{one(func(f *schema.Feature) { f.Shape = []int{0} }),
			`feature "age": shape[0]: found 0; expected a length of at least 1, or -1 for any`},
		{one(func(f *schema.Feature) { f.Shape = []int{2, -1} }),
			`feature "age": shape[1]: found -1; expected it first, or after another -1`},
		{one(func(f *schema.Feature) { f.Shape = []int{-2} }),
			`feature "age": shape[0]: found -2; expected a length of at least 1, or -1 for any`},
		{one(func(f *schema.Feature) { f.Shape = []int{1 << 20, 1 << 20, 1 << 40} }),
			`feature "age": shape: found more than 2147483647 values; expected fewer`},
		{one(func(f *schema.Feature) { f.Shape = []int{1 << 40} }),
			`feature "age": shape: found more than 2147483647 values; expected fewer`},
		{one(func(f *schema.Feature) { f.Repeat = "b" }),
			`feature "age": shape: found []; repeat makes a list, of a shape such as [-1]`},
		{one(func(f *schema.Feature) { f.Separator = ";" }),
			`feature "age": shape: separator makes a list; expected a shape such as [-1]`},
		{one(func(f *schema.Feature) { f.Columns = []string{"a", "b"} }),
			`feature "age": shape: found []; 2 columns do not fill it`},
		{one(func(f *schema.Feature) { f.Columns, f.Shape = []string{"a", "b", "c"}, []int{-1, 2} }),
			`feature "age": shape: found [-1, 2]; 3 columns do not fill it`},
		{one(func(f *schema.Feature) { f.Columns, f.Constant, f.Shape = nil, ptr(text("1")), []int{4} }),
			`feature "age": shape: found [4]; a constant is one value, which does not fill it`},
		{one(func(f *schema.Feature) { f.OnMissing = schema.MissingDefault }),
			`feature "age": missing: a default goes with MissingDefault`},
		{one(func(f *schema.Feature) { f.Default = ptr(text("1")) }),
			`feature "age": missing: a default goes with MissingDefault`},
		{one(func(f *schema.Feature) { f.OnMissing = schema.MissingEmptyList }),
			`feature "age": missing: empty_list is for shape [-1]`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Shape = schema.MissingEmptyList, []int{-1, 4} }),
			`feature "age": missing: empty_list is for shape [-1]`},
		{one(func(f *schema.Feature) { f.OnMissing = 9 }),
			`feature "age": missing: it does not say what to do without a value`},
		{one(func(f *schema.Feature) {
			f.Columns, f.Constant, f.OnMissing, f.Default = nil, ptr(text("1")), schema.MissingDefault, ptr(text("1"))
		}), `feature "age": missing: value and missing exclude each other: a constant is one value, never missing`},
		{one(func(f *schema.Feature) { f.Encoding = schema.Base64 }),
			`feature "age": encoding: encoding is for bytes; the type is int64`},
		{one(func(f *schema.Feature) { f.Type, f.Encoding = schema.BytesType, 7 }),
			`feature "age": encoding: the encoding is unknown`},
		{one(func(f *schema.Feature) { f.Type, f.IntFromFloat = schema.BoolType, true }),
			`feature "age": int_from_float: int_from_float is for integers that are not classes; the type is bool`},
		{one(func(f *schema.Feature) { f.AllowNonfinite = true }),
			`feature "age": nonfinite: nonfinite is for floats; the type is int64`},
		{one(func(f *schema.Feature) { f.Type, f.Classes = schema.Int32, classes("a") }),
			`feature "age": type: the type is int32; classes are stored as int64`},
		{one(func(f *schema.Feature) { f.Classes = classes("a", "b", "a") }),
			`feature "age": classes: duplicate class "a", as name 1 and 3`},
		{one(func(f *schema.Feature) { f.Classes = classes("a", "b"); f.Classes.First = math.MaxInt64 }),
			`feature "age": classes: 2 classes from 9223372036854775807 on go beyond the largest int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(text("x")) }),
			`feature "age": missing.default: "x" is not an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(text("")) }),
			`feature "age": missing.default: it is empty; expected an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, &schema.Value{} }),
			`feature "age": missing.default: it is empty; expected an int64`},
		{one(func(f *schema.Feature) { f.OnMissing, f.Default = schema.MissingDefault, ptr(list()) }),
			`feature "age": missing.default: found a list of 0 elements; expected one value`},
		{one(func(f *schema.Feature) { f.Type, f.Columns, f.Constant = schema.Int8, nil, ptr(number("200")) }),
			`feature "age": value: 200 is out of the range of int8, -128 to 127`},
		{one(func(f *schema.Feature) {
			f.Classes, f.OnMissing, f.Default = classes("cat"), schema.MissingDefault, ptr(text("cta"))
		}), `feature "age": missing.default: "cta" is not the only class, "cat"`},
		{one(func(f *schema.Feature) { f.Date = &schema.Date{Format: "%Y-%Q"} }),
			`feature "age": date: found "%Y-%Q": unknown letter %Q at character 4; expected one of %Y %y %m %b %B ` +
				`%d %j %a %A %u %w %U %W %G %V %H %I %p %M %S %f %z %Z`},
		{one(func(f *schema.Feature) { f.Date = &schema.Date{Format: "%Y", Zone: "Mars"} }),
			`feature "age": zone: no zone "Mars" in tzdata `},
		{one(func(f *schema.Feature) { f.Date, f.Type = &schema.Date{Format: "%Y"}, schema.Int32 }),
			`feature "age": type: the type is int32; dates are stored as int64`},
		{one(func(f *schema.Feature) { f.Date, f.Classes = &schema.Date{Format: "%Y"}, classes("a") }),
			`feature "age": classes: date and classes exclude each other`},
		{one(func(f *schema.Feature) { f.Date, f.Map = &schema.Date{Format: "%Y"}, yesNo }),
			`feature "age": map: date and map exclude each other`},
		{one(func(f *schema.Feature) { f.Date, f.IntFromFloat = &schema.Date{Format: "%Y"}, true }),
			`feature "age": int_from_float: date and int_from_float exclude each other`},
		{one(func(f *schema.Feature) {
			f.Date, f.OnMissing, f.Default = &schema.Date{Format: "%Y"}, schema.MissingDefault, ptr(text("0"))
		}), `feature "age": missing.default: "0" is not a date of the form "%Y": found "0" at its character 1; ` +
			`expected a year of four digits`},
		{one(func(f *schema.Feature) {
			f.Type, f.Columns, f.Constant = schema.StringType, nil, ptr(jsonString("\xff"))
		}), `feature "age": value: "\xff" is not UTF-8 at its byte 1`},
	}
	for _, test := range tests {
		_, err := schema.Compile(schema.Record{Features: test.features})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if f := test.features[0]; len(test.features) == 1 && f.Type != 0 {
			if f.Shape == nil {
				f.Shape = []int{} // nil is not known yet
			}
			if checked := f.Check(schema.ExampleMessage, false, math.MaxInt32); checked == nil ||
				checked.Error() != err.Error() {
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
		`feature "a": type: it has no type`,
		`feature "a": from: it has neither a column nor a constant`,
		`feature "c": value: "x" is not an int64`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// The class names may be known only later, from the rows.
func TestCheckWithoutNames(t *testing.T) {
	f := scalar("class", schema.Int64)
	f.Classes, f.OnMissing, f.Default = &schema.Classes{}, schema.MissingDefault, ptr(text("other"))
	if err := f.Check(schema.ExampleMessage, false, math.MaxInt32); err != nil {
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
		if got := [2]message.List{f.Stored(schema.ExampleMessage, false).List,
			f.Stored(schema.OFRecordMessage, false).List}; got != want {
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
		{with(func(f *schema.Feature) { f.Tensor, f.Raw = true, true }),
			`feature "a": raw: tensor and raw exclude each other`},
		{with(func(f *schema.Feature) { f.Type, f.Raw = schema.StringType, true }),
			`feature "a": raw: raw is for numbers; the type is string`},
		{with(func(f *schema.Feature) { f.Type = schema.Float16 }),
			`feature "a": the type is float16, which no list of a record holds`},
		{of(schema.OFRecordMessage, with(func(f *schema.Feature) { f.Type = schema.Bfloat16 })),
			`feature "a": the type is bfloat16, which no list of a record holds`},
		{with(func(f *schema.Feature) { f.Shape, f.Tensor = []int{-1, -1}, true }),
			`feature "a": shape: found [-1, -1]; tensor and raw have a fixed length in each list`},
		{with(func(f *schema.Feature) { f.Shape, f.Raw = []int{-1, -1}, true }),
			`feature "a": shape: found [-1, -1]; tensor and raw have a fixed length in each list`},
		{with(func(f *schema.Feature) { f.Shape, f.Separator = []int{-1, -1}, ";" }),
			`feature "a": shape: lists of lists come from one JSON value, alone in from`},
		{with(func(f *schema.Feature) { f.Shape, f.Columns = []int{-1, -1}, []string{"a", "b"} }),
			`feature "a": shape: lists of lists come from one JSON value, alone in from`},
		{with(func(f *schema.Feature) { f.Shape = []int{-1, 2, -1} }),
			`feature "a": shape[2]: found -1; expected it first, or after another -1`},
		{with(func(f *schema.Feature) { f.Encoding, f.Separator, f.Shape = schema.JSON, ";", []int{-1} }),
			`feature "a": separator: separator splits a string, and encoding: json parses all of it; they exclude ` +
				`each other`},
		{with(func(f *schema.Feature) { f.Encoding, f.Columns, f.Constant = schema.JSON, nil, ptr(text("1")) }),
			`feature "a": encoding: json is the encoding of a column; value is a constant`},
		{with(func(f *schema.Feature) { f.Encoding = schema.JSON + 1 }),
			"feature \"a\": encoding: the encoding is unknown\nfeature \"a\": encoding: encoding is for bytes; the " +
				"type is uint8"},
		{with(func(f *schema.Feature) { f.Map = maps(0, 0) }),
			`feature "a": map: found 0 strings and 0 values; expected one for each`},
		{with(func(f *schema.Feature) { f.Map = maps(2, 1) }),
			`feature "a": map: found 2 strings and 1 value; expected one for each`},
		{with(func(f *schema.Feature) { f.Map = maps(3, 3) }), `feature "a": map: duplicate string "x"`},
		{with(func(f *schema.Feature) {
			f.Map = &schema.Map{Strings: []string{"x"}, Values: cells("300"), Unknown: ptr(text("y"))}
		}), "feature \"a\": map: \"x\": 300 is out of the range of uint8, 0 to 255\nfeature \"a\": map.unknown: " +
			"\"y\" is not a uint8"},
		{with(func(f *schema.Feature) {
			f.Map, f.OnMissing, f.Default = maps(2, 2), schema.MissingDefault, ptr(text("1"))
		}), `feature "a": missing.default: "1" is not one of the 2 strings of the map`},
		{with(func(f *schema.Feature) {
			f.Map, f.OnMissing, f.Default = maps(2, 2), schema.MissingDefault, ptr(text("1"))
			f.Map.Unknown = ptr(text("9"))
		}), `feature "a": missing.default: "1" is not one of the 2 strings of the map`},
		{with(func(f *schema.Feature) {
			f.Type, f.Classes = schema.Int64, &schema.Classes{Names: []string{"p", "q"}, Numbers: true,
				Unknown: new(int64)}
			*f.Classes.Unknown, f.OnMissing, f.Default = 9, schema.MissingDefault, ptr(text("5"))
		}), `feature "a": missing.default: 5 is not the number of a class, 0 to 1`},
		{with(func(f *schema.Feature) {
			f.Map, f.Type, f.Classes = maps(1, 1), schema.Int64, &schema.Classes{Names: []string{"1"}}
		}), `feature "a": map: classes and map exclude each other`},
		{with(func(f *schema.Feature) { f.Map, f.Type, f.Encoding = maps(1, 1), schema.BytesType, schema.Hex }),
			`feature "a": map: encoding and map exclude each other`},
		{steps(func(f *schema.Feature) { f.Shape = []int{-1, -1} }),
			`feature "a": shape: found [-1, -1]; a step has one list of values`},
		{steps(func(f *schema.Feature) { f.Shape, f.Separator = []int{2}, ";" }),
			`feature "a": shape: found [2]; separator splits a string into steps of one value each`},
		{steps(func(f *schema.Feature) { f.Columns, f.Constant = nil, ptr(text("1")) }),
			`feature "a": value: sequence has lists of steps; a constant is one value`},
		{schema.Record{Message: schema.OFRecordMessage},
			`features: all features may be missing; OneFlow reads no OFRecord without any feature`},
		{of(schema.OFRecordMessage, with(omit)),
			`features: all features may be missing; OneFlow reads no OFRecord without any feature`},
		{of(schema.OFRecordMessage, with(func(f *schema.Feature) {
			omit(f)
			f.Columns, f.Constant, f.Repeat, f.Shape = nil, ptr(text("1")), "x", []int{-1}
		})), "features: all features may be missing; OneFlow reads no OFRecord without any feature\nfeature \"a\": " +
			"missing: value and missing exclude each other: a constant is one value, never missing"},
		{schema.Record{Sequence: []schema.Feature{a()}},
			`sequence: the record is an Example, which has no feature lists`},
		{schema.Record{Message: schema.TextMessage}, `record: the record is the content of a column, and names none`},
		{schema.Record{Message: schema.BytesMessage, Column: "x", Features: []schema.Feature{a()}},
			`features: the record is the column "x" alone; it has no features`},
		{schema.Record{Column: "x"}, `record: the record is an Example, which is not the content of a column`},
		{schema.Record{Message: schema.SequenceMessage, Features: []schema.Feature{a()},
			Sequence: []schema.Feature{a()}},
			`feature "a": the record has the feature "a" twice; one of them needs another key`},
		{schema.Record{Features: []schema.Feature{a(-1, -1), scalar("a/ragged_flat_values", schema.Int64)}},
			`feature "a/ragged_flat_values": feature "a" has its key "a/ragged_flat_values"`},
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
	always.Columns, always.Constant = nil, ptr(text("1"))
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
		if got := s.Record(); got.Message != r.Message || len(got.Features) != len(r.Features) ||
			len(got.Sequence) != len(r.Sequence) {
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
	want := []schema.Column{{Name: "x", JSON: true}, schema.JSONColumn("x", []string{"NA", ""}),
		schema.JSONColumn("x", []string{"NA"})}
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
