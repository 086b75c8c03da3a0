package schema_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

func TestCompileRefuses(t *testing.T) {
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
		{one(func(f *schema.Feature) { f.Shape = []int{0} }), `feature "age": shape [0]: a dimension is 1 or more; -1 stands before all others`},
		{one(func(f *schema.Feature) { f.Shape = []int{2, -1} }), `feature "age": shape [2, -1]: a dimension is 1 or more; -1 stands before all others`},
		{one(func(f *schema.Feature) { f.Shape = []int{-2} }), `feature "age": shape [-2]: a dimension is 1 or more; -1 stands before all others`},
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
		{one(func(f *schema.Feature) {
			f.Type, f.Columns, f.Constant = schema.StringType, nil, ptr(jsonString("\xff"))
		}), `feature "age": constant: "\xff" is not UTF-8 at its byte 1`},
	}
	for _, test := range tests {
		_, err := schema.Compile(test.features)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
		if f := test.features[0]; len(test.features) == 1 {
			if checked := f.Check(); checked == nil || checked.Error() != err.Error() {
				t.Errorf("Check says %v; Compile says %v", checked, err)
			}
		}
	}
}

func TestCompileNamesAllFaults(t *testing.T) {
	_, err := schema.Compile([]schema.Feature{
		{Key: "a", AllowNonfinite: true},
		{Key: "b", Type: schema.Int64, Columns: []string{"b"}},
		{Key: "c", Type: schema.Int64, Constant: ptr(text("x"))},
	})
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

// The names of classes may be found only later, in the rows.
func TestCheckWithoutNames(t *testing.T) {
	f := scalar("class", schema.Int64)
	f.Classes, f.OnMissing, f.Default = &schema.Classes{}, schema.MissingDefault, ptr(text("other"))
	if err := f.Check(); err != nil {
		t.Error(err)
	}
	if _, err := schema.Compile([]schema.Feature{f}); err == nil {
		t.Error("Compile takes a default that is no class")
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
	for _, f := range s.Features() {
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
		if !ok || raw.StoredAs(schema.ExampleMessage) != message.BytesList {
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
			t.Errorf("%q is taken for the type %v", name, typ)
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
		if got := [2]message.List{f.StoredAs(schema.ExampleMessage), f.StoredAs(schema.OFRecordMessage)}; got != want {
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
