package schema_test

import (
	"slices"
	"testing"

	"tfr-build/schema"
)

func TestClassCollector(t *testing.T) {
	class := scalar("class", schema.Int64)
	class.Classes = &schema.Classes{}
	with := func(change func(f *schema.Feature)) schema.Feature {
		f := class
		change(&f)
		return f
	}
	lists := with(func(f *schema.Feature) { f.Shape, f.OnMissing = []int{-1}, schema.MissingOmit })
	split := with(func(f *schema.Feature) { f.Shape, f.Separator = []int{-1}, ";" })
	tests := []struct {
		name    string
		feature schema.Feature
		row     []schema.Value
		want    []string
	}{
		{"a cell", class, cells("cat"), []string{"cat"}},
		{"a number's own text", class, []schema.Value{number("1.50")}, []string{"1.50"}},
		{"a bool", class, []schema.Value{boolean("true")}, []string{"true"}},
		{"an empty string", class, []schema.Value{jsonString("")}, []string{""}},
		{"nothing", class, []schema.Value{{}}, nil},
		{"an empty cell", class, cells(""), nil},
		{"a file", class, []schema.Value{content()}, nil},
		{"a null value", with(func(f *schema.Feature) { f.NullValues = []string{"NA"} }), cells("NA"), nil},
		{"a list", lists, []schema.Value{list(jsonString("cat"), jsonString("dog"))}, []string{"cat", "dog"}},
		{"a list with a fault", lists, []schema.Value{list(jsonString("cat"), object())}, nil},
		{"no list", lists, []schema.Value{{}}, nil},
		{"a split cell", split, cells("cat;dog;cat"), []string{"cat", "dog", "cat"}},
		{"a padded cell", with(func(f *schema.Feature) {
			f.Shape, f.Separator, f.Pad = []int{3}, ";", ptr(text("none"))
		}),
			cells("cat"), []string{"cat", "none"}},
		{"a cut cell", with(func(f *schema.Feature) { f.Shape, f.Separator, f.Truncate = []int{2}, ";", true }),
			cells("cat;dog;eel"), []string{"cat", "dog"}},
		{"a split cell with a gap", split, cells("cat;;dog"), nil},
		{"columns", with(func(f *schema.Feature) { f.Columns, f.Shape = []string{"a", "b"}, []int{2} }),
			cells("cat", "dog"), []string{"cat", "dog"}},
		{"repeated", with(func(f *schema.Feature) { f.Repeat, f.Shape = "b", []int{-1} }),
			[]schema.Value{text("cat"), list(number("1"), number("2"))}, []string{"cat"}},
		{"a default", with(func(f *schema.Feature) {
			f.OnMissing, f.Default = schema.MissingDefault, ptr(text("other"))
		}),
			[]schema.Value{{}}, []string{"other"}},
		{"a default not needed", with(func(f *schema.Feature) {
			f.OnMissing, f.Default = schema.MissingDefault,
				ptr(text("other"))
		}), cells("cat"), []string{"cat", "other"}},
		{"an array", lists, []schema.Value{array(schema.Int8, 7, 0xff)}, []string{"7", "-1"}},
		{"a constant", with(func(f *schema.Feature) { f.Columns, f.Constant = nil, ptr(text("cat")) }), nil,
			[]string{"cat"}},
	}
	for _, test := range tests {
		c, err := schema.NewClassCollector(test.feature, false)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if n := len(c.Columns()); n != len(test.row) {
			t.Fatalf("%s: %d columns; want %d", test.name, n, len(test.row))
		}
		for range 2 {
			var got []string
			c.Collect(test.row, func(text []byte) { got = append(got, string(text)) })
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: got %q; want %q", test.name, got, test.want)
			}
		}
	}
	steps, err := schema.NewClassCollector(class, true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	steps.Collect([]schema.Value{list(text("cat"), text("dog"))}, func(text []byte) { got = append(got, string(text)) })
	if !slices.Equal(got, []string{"cat", "dog"}) {
		t.Errorf("steps: got %q", got)
	}
	got = nil
	if steps.Collect(cells("cat"), func(text []byte) { got = append(got, string(text)) }); got != nil {
		t.Errorf("a cell as steps: got %q", got)
	}
	if _, err := schema.NewClassCollector(scalar("x", schema.Float), false); err == nil {
		t.Error("a collector of floats")
	}
}

// Rows can be encoded with the classes that were collected from them.
func TestCollectedClassesEncode(t *testing.T) {
	f := scalar("class", schema.Int64)
	f.Shape, f.Separator, f.OnMissing, f.Default = []int{-1}, "|", schema.MissingDefault, ptr(text("none"))
	f.Classes = &schema.Classes{First: 1}
	rows := [][]schema.Value{cells("b|a"), cells("a||c"), cells(""), cells("d")}
	c, err := schema.NewClassCollector(f, false)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range rows {
		c.Collect(row, func(text []byte) { names = append(names, string(text)) })
	}
	slices.Sort(names)
	f.Classes.Names = slices.Compact(names)
	if !slices.Equal(f.Classes.Names, []string{"a", "b", "c", "d", "none"}) {
		t.Fatalf("collected %q", names)
	}
	s := compile(t, f)
	e := s.NewEncoder()
	for _, row := range rows {
		want, wantErr := oracle(s.Record(), s.Columns(), row)
		got, err := e.Append(nil, row)
		if err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("%s: %x, %v; want %x, %v", row[0].Text, got, err, want, wantErr)
		}
	}
}

func TestWarningsOfCollectors(t *testing.T) {
	whole := scalar("whole", schema.Int64)
	whole.IntFromFloat = true
	s := compile(t, scalar("zip", schema.Int64), scalar("tiny", schema.Float), scalar("text", schema.BytesType), whole)
	e := s.NewEncoder()
	rows := [][]schema.Value{
		cells("007", "1e-50", "007", "1"),
		cells("-01", "-1e-400", "0", "0"),
		cells("0", "0", "0", "0.0"),
		cells("10", "1e-30", "0", "1.50e1"),
		cells("+5", "0.0e-400", "0", "0"),
	}
	if got := e.TakeWarnings(); len(got) != 0 {
		t.Errorf("a new encoder has notices: %+v", got)
	}
	for _, row := range rows {
		if _, err := e.Append(nil, row); err != nil {
			t.Fatal(err)
		}
	}
	want := []schema.Warnings{{Feature: "tiny", Underflows: 2}, {Feature: "zip", LeadingZeros: 2}}
	if got := e.TakeWarnings(); !slices.Equal(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}
