package schema_test

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"runtime"
	"slices"
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
		return nil, err
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
		{"cut values are not read", padded(), []schema.Value{list(number("1"), number("2"), number("3"), number("4"),
			object())}, []string{"1", "2", "3", "4"}},
		{"empty", padded(), []schema.Value{list()}, []string{"-1", "-1", "-1", "-1"}},
		{"missing", omitted, []schema.Value{{}}, nil},
		{"numbers", padded(), []schema.Value{array(schema.Int8, 7, 0xff)}, []string{"7", "-1", "-1", "-1"}},
		{"many numbers", padded(), []schema.Value{array(schema.Uint8, 1, 2, 3, 4, 5)}, []string{"1", "2", "3", "4"}},
		{"a cell", split, cells("1;2"), []string{"1", "2", "-1", "-1"}},
		{"a long cell", split, cells("1;2;3;4;x;;"), []string{"1", "2", "3", "4"}},
		{"an empty cell", split, cells(""), []string{"-1", "-1", "-1", "-1"}},
		{"mapped", mapped, cells("a;a"), []string{"1", "1", "7", "7"}},
		{"repeated", repeated, []schema.Value{number("3"), list(number("0"))}, []string{"3", "-1", "-1", "-1"}},
		{"repeated too often", repeated, []schema.Value{number("3"), ints("0", "0", "0", "0", "0")},
			[]string{"3", "3", "3", "3"}},
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

// TestFillBeyondTheLimit fills shapes with more than 2 GiB. Compile rejects what is always too large; otherwise the
// row is invalid. No memory is filled before that.
func TestFillBeyondTheLimit(t *testing.T) {
	texts := func(n, size int) schema.Value {
		return list(slices.Repeat([]schema.Value{jsonString(strings.Repeat("x", size))}, n)...)
	}
	of := func(kind schema.Type, shape []int, pad, def *schema.Value) schema.Feature {
		f := padded()
		f.Type, f.Shape, f.Pad, f.Default, f.Truncate = kind, shape, pad, def, false
		if def != nil {
			f.OnMissing = schema.MissingDefault
		}
		return f
	}
	megabyte := ptr(text(strings.Repeat("x", 1<<20)))
	minus := ptr(text("-1")) // 10 bytes
	var before, after runtime.MemStats
	for _, test := range []struct {
		feature schema.Feature
		row     schema.Value
		want    string // of Compile; empty: LIMIT_RECORD of the row
	}{
		{of(schema.StringType, []int{1<<30 - 1}, ptr(jsonString("")), nil), texts(1, 100), ""},
		{of(schema.StringType, []int{-1, 2047}, nil, megabyte), list(texts(2047, 600), schema.Value{}), ""},
		{of(schema.Int64, []int{math.MaxInt32}, minus, nil), list(), "found [2147483647]; pad fills up to " +
			"21474836470 bytes"},
		{of(schema.Int64, []int{math.MaxInt32}, nil, minus), list(),
			"found [2147483647]; the default fills up to 21474836470 bytes"},
	} {
		runtime.ReadMemStats(&before)
		_, err := encodeOne(t, test.feature, test.row)
		runtime.ReadMemStats(&after)
		if bad, isRow := errors.AsType[*schema.RowError](err); test.want == "" &&
			(!isRow || bad.Code != "LIMIT_RECORD") || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, cmp.Or(test.want, "LIMIT_RECORD"))
		}
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 8<<20 {
			t.Errorf("allocated %d bytes", allocated)
		}
	}
}

func TestPadRejects(t *testing.T) {
	for want, change := range map[string]func(f *schema.Feature){
		"pad makes lists of one length: expected a shape such as [8], found " +
			"[-1]": func(f *schema.Feature) { f.Shape = []int{-1} },
		"pad makes lists of one length: expected a shape such as [8], found [2, " +
			"2]": func(f *schema.Feature) { f.Shape = []int{2, 2} },
		"truncate makes lists of one length: expected a shape such as [8], found []": func(f *schema.Feature) {
			f.Shape, f.Pad = []int{}, nil
		},
		"pad is for the list in one column; from has 4": func(f *schema.Feature) {
			f.Columns = []string{"a", "b", "c", "d"}
		},
		"value and pad exclude each other: a constant is one value": func(f *schema.Feature) {
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
		if err := f.Check(schema.ExampleMessage, false, math.MaxInt32); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
