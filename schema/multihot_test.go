package schema_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"tfr-build/schema"
)

// hot is a vector of three classes, which count from 1. Other labels get the number 0.
func hot() schema.Feature {
	unknown := int64(0)
	f := scalar("x", schema.Int64)
	f.MultiHot, f.Shape = &schema.Classes{Names: []string{"cat", "dog", "eel"}, First: 1, Unknown: &unknown}, []int{3}
	return f
}

func TestMultiHot(t *testing.T) {
	with := func(change func(f *schema.Feature)) schema.Feature {
		f := hot()
		change(&f)
		return f
	}
	split := with(func(f *schema.Feature) { f.Separator = ";" })
	numbers := with(func(f *schema.Feature) { f.MultiHot.Numbers = true })
	plain := scalar("x", schema.Int64)
	plain.Shape = []int{3}
	for _, test := range []struct {
		name    string
		feature schema.Feature
		row     schema.Value
		want    string
		unknown uint64
	}{
		{"labels", hot(), list(jsonString("eel"), jsonString("cat")), "1 0 1", 0},
		{"a label twice", hot(), list(jsonString("dog"), jsonString("dog")), "0 1 0", 0},
		{"none", hot(), list(), "0 0 0", 0},
		{"a label alone", hot(), text("dog"), "0 1 0", 0},
		{"a cell", split, text("cat;dog;eel"), "1 1 1", 0},
		{"an empty cell", split, text(""), "0 0 0", 0},
		{"no list", with(func(f *schema.Feature) { f.OnMissing = schema.MissingEmptyList }), schema.Value{},
			"0 0 0", 0},
		{"unknown labels", hot(), list(jsonString("ant"), jsonString("cat"), jsonString("bee")), "1 0 0", 2},
		{"an unknown label with a place", with(func(f *schema.Feature) { *f.MultiHot.Unknown = 3 }),
			list(jsonString("ant")), "0 0 1", 0},
		{"numbers", numbers, list(number("1"), number("3")), "1 0 1", 0},
		{"a number without a place", numbers, list(number("4"), number("-9223372036854775808"), number("2")),
			"0 1 0", 2},
		{"an array", numbers, array(schema.Int8, 2, 3), "0 1 1", 0},
	} {
		s, err := schema.Compile(schema.Record{Features: []schema.Feature{test.feature}})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		e := s.NewEncoder()
		got, err := e.Append(nil, []schema.Value{test.row})
		var want []schema.Value
		for _, n := range strings.Fields(test.want) {
			want = append(want, number(n))
		}
		if expected, plainErr := encodeOne(t, plain, list(want...)); err != nil || plainErr != nil ||
			!bytes.Equal(got, expected) {
			t.Errorf("%s: got %x, %v; want %x, %v", test.name, got, err, expected, plainErr)
		}
		var unknown uint64
		for _, n := range e.TakeWarnings() {
			unknown += n.Unknown
		}
		if unknown != test.unknown {
			t.Errorf("%s: %d labels without a place, want %d", test.name, unknown, test.unknown)
		}
	}
}

func TestMultiHotRejectsRows(t *testing.T) {
	strict := hot()
	strict.MultiHot.Unknown = nil
	for _, test := range []struct {
		row  schema.Value
		want string
	}{
		{list(jsonString("cat"), jsonString("cow")),
			`column "x" (feature "x"): element 1: "cow" is not one of the 3 classes [LABEL_UNKNOWN]`},
		{schema.Value{}, `column "x" (feature "x"): the value is missing [MISSING]`},
		{list(schema.Value{}), `column "x" (feature "x"): element 0: no value [MISSING]`},
		{list(object()), `column "x" (feature "x"): element 0: found an object; expected a class's name [TYPE]`},
		{object(), `column "x" (feature "x"): found an object; expected a class's name [TYPE]`},
	} {
		if _, err := encodeOne(t, strict, test.row); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

func TestMultiHotRejects(t *testing.T) {
	for want, change := range map[string]func(f *schema.Feature){
		"type: the type is bool; a vector of classes is stored as int64 or " +
			"float": func(f *schema.Feature) { f.Type = schema.BoolType },
		"shape: found [2]; a vector has a place for each of the 3 " +
			"classes": func(f *schema.Feature) { f.Shape = []int{2} },
		"multi_hot and classes exclude each other": func(
			f *schema.Feature) {
			f.Classes = f.MultiHot
		},
		"repeat: multi_hot and repeat exclude each other": func(f *schema.Feature) { f.Repeat = "y" },
		"truncate: multi_hot and truncate exclude each other": func(
			f *schema.Feature) {
			f.Truncate = true
		},
		`default: "x" is not one of the 3 classes`: func(f *schema.Feature) {
			f.OnMissing, f.Default, f.MultiHot.Unknown = schema.MissingDefault, ptr(text("x")), nil
		},
		`duplicate class "cat", as name 1 and 2`: func(f *schema.Feature) {
			f.MultiHot.Names = []string{"cat", "cat",
				"eel"}
		},
	} {
		f := hot()
		change(&f)
		if err := f.Check(schema.ExampleMessage, false, math.MaxInt32); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
