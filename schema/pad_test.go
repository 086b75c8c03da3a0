package schema_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"tfr-build/schema"
)

// padded is a feature of four int64s, whose lists are padded with -1 and cut.
func padded() schema.Feature {
	f := scalar("x", schema.Int64)
	f.Shape, f.Pad, f.Truncate = []int{4}, ptr(text("-1")), true
	return f
}

func encodeOne(t *testing.T, f schema.Feature, row ...schema.Value) ([]byte, error) {
	t.Helper()
	s, err := schema.Compile(schema.Record{Features: []schema.Feature{f}})
	if err != nil {
		t.Fatal(err)
	}
	return s.NewEncoder().Append(nil, row)
}

func TestPad(t *testing.T) {
	split := padded()
	split.Separator = ";"
	mapped := split
	mapped.Map = &schema.Map{Strings: []string{"a", ""}, Values: []schema.Value{text("1"), text("7")}}
	mapped.Pad = ptr(text(""))
	repeated := padded()
	repeated.Repeat = "y"
	omitted := padded()
	omitted.OnMissing = schema.MissingOmit
	ints := func(of ...string) schema.Value {
		var v []schema.Value
		for _, s := range of {
			v = append(v, number(s))
		}
		return list(v...)
	}
	tests := []struct {
		name    string
		feature schema.Feature
		row     []schema.Value
		want    []string // nil: the key is absent
	}{
		{"short", padded(), []schema.Value{ints("1", "2")}, []string{"1", "2", "-1", "-1"}},
		{"as long", padded(), []schema.Value{ints("1", "2", "3", "4")}, []string{"1", "2", "3", "4"}},
		{"long", padded(), []schema.Value{ints("1", "2", "3", "4", "5")}, []string{"1", "2", "3", "4"}},
		{"cut values are not read", padded(), []schema.Value{list(number("1"), number("2"), number("3"), number("4"), object())}, []string{"1", "2", "3", "4"}},
		{"empty", padded(), []schema.Value{list()}, []string{"-1", "-1", "-1", "-1"}},
		{"missing", omitted, []schema.Value{{}}, nil},
		{"numbers", padded(), []schema.Value{array(schema.Int8, 7, 0xff)}, []string{"7", "-1", "-1", "-1"}},
		{"many numbers", padded(), []schema.Value{array(schema.Uint8, 1, 2, 3, 4, 5)}, []string{"1", "2", "3", "4"}},
		{"a cell", split, cells("1;2"), []string{"1", "2", "-1", "-1"}},
		{"a long cell", split, cells("1;2;3;4;x;;"), []string{"1", "2", "3", "4"}},
		{"an empty cell", split, cells(""), []string{"-1", "-1", "-1", "-1"}},
		{"mapped", mapped, cells("a;a"), []string{"1", "1", "7", "7"}},
		{"repeated", repeated, []schema.Value{number("3"), list(number("0"))}, []string{"3", "-1", "-1", "-1"}},
		{"repeated too often", repeated, []schema.Value{number("3"), ints("0", "0", "0", "0", "0")}, []string{"3", "3", "3", "3"}},
	}
	plain := scalar("x", schema.Int64)
	plain.Shape, plain.OnMissing = []int{4}, schema.MissingOmit
	for _, test := range tests {
		got, err := encodeOne(t, test.feature, test.row...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		want := schema.Value{}
		if test.want != nil {
			want = ints(test.want...)
		}
		if expected, err := encodeOne(t, plain, want); err != nil || !bytes.Equal(got, expected) {
			t.Errorf("%s: got %x, want %x, %v", test.name, got, expected, err)
		}
	}
}

// TestPadAlone checks that each of pad and truncate permits one direction.
func TestPadAlone(t *testing.T) {
	short, long := list(number("1")), list(number("1"), number("2"), number("3"), number("4"), number("5"))
	onlyPad, onlyCut := padded(), padded()
	onlyPad.Truncate, onlyCut.Pad = false, nil
	for _, test := range []struct {
		feature schema.Feature
		row     schema.Value
		want    string
	}{
		{onlyPad, long, `column "x" (feature "x"): found 5 values; expected 4 for shape [4] [SHAPE]`},
		{onlyCut, short, `column "x" (feature "x"): found 1 value; expected 4 for shape [4] [SHAPE]`},
		{onlyCut, list(), `column "x" (feature "x"): found 0 values; expected 4 for shape [4] [SHAPE]`},
		{padded(), list(number("1"), schema.Value{}), `column "x" (feature "x"): element 1: no value [MISSING]`},
		{padded(), number("1"), `column "x" (feature "x"): found the number 1; expected a list [SHAPE]`},
	} {
		if _, err := encodeOne(t, test.feature, test.row); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// TestPadBeyondTheLimit pads a list to more than 2 GiB. The row is invalid, and no memory is
// filled before that.
func TestPadBeyondTheLimit(t *testing.T) {
	f := padded()
	f.Shape, f.Pad = []int{math.MaxInt32}, ptr(text("-1")) // 10 bytes each
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := encodeOne(t, f, list(number("1")))
	runtime.ReadMemStats(&after)
	if bad := new(schema.RowError); !errors.As(err, &bad) || bad.Code != "LIMIT_RECORD" {
		t.Errorf("got %v, want LIMIT_RECORD", err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("allocated %d bytes", allocated)
	}
}

// TestDefaultBeyondTheLimit fills shapes with more than 2 GiB of default values. Compile rejects a
// fixed shape; with lists of any length, the row is invalid. No memory is filled before that.
func TestDefaultBeyondTheLimit(t *testing.T) {
	f := padded()
	f.Pad, f.OnMissing, f.Default = nil, schema.MissingDefault, ptr(text("-1")) // 10 bytes each
	f.Shape = []int{math.MaxInt32}
	fixed, lists := f, f
	lists.Shape, lists.Truncate = []int{-1, math.MaxInt32}, false
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, ofFixed := schema.Compile(schema.Record{Features: []schema.Feature{fixed}})
	_, ofLists := encodeOne(t, lists, list(schema.Value{}))
	runtime.ReadMemStats(&after)
	if want := `feature "x": default: it fills shape [2147483647] with 21474836470 bytes; a record has at most 2147483647`; ofFixed == nil || ofFixed.Error() != want {
		t.Errorf("got %v, want %s", ofFixed, want)
	}
	if bad := new(schema.RowError); !errors.As(ofLists, &bad) || bad.Code != "LIMIT_RECORD" {
		t.Errorf("got %v, want LIMIT_RECORD", ofLists)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 1<<20 {
		t.Errorf("allocated %d bytes", allocated)
	}
}

func TestPadRejects(t *testing.T) {
	for want, change := range map[string]func(f *schema.Feature){
		"pad requires a fixed shape of one dimension, such as [8]; it has [-1]":   func(f *schema.Feature) { f.Shape = []int{-1} },
		"pad requires a fixed shape of one dimension, such as [8]; it has [2, 2]": func(f *schema.Feature) { f.Shape = []int{2, 2} },
		"truncate requires a fixed shape of one dimension, such as [8]; it has []": func(f *schema.Feature) {
			f.Shape, f.Pad = nil, nil
		},
		"pad is for the list in one column, not for 4 columns": func(f *schema.Feature) { f.Columns = []string{"a", "b", "c", "d"} },
		"pad is for lists; a constant is one value": func(f *schema.Feature) {
			f.Columns, f.Constant, f.Shape = nil, ptr(text("1")), []int{1}
		},
		`pad: "x" is not an int64`:            func(f *schema.Feature) { f.Pad = ptr(text("x")) },
		"pad: it is empty; expected an int64": func(f *schema.Feature) { f.Pad = ptr(text("")) },
		`pad: "bird" is not one of the 2 classes`: func(f *schema.Feature) {
			f.Classes, f.Pad = &schema.Classes{Names: []string{"cat", "dog"}}, ptr(text("bird"))
		},
	} {
		f := padded()
		change(&f)
		if err := f.Check(schema.ExampleMessage, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
