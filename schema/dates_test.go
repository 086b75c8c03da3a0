package schema_test

import (
	"testing"

	"tfr-build/schema"
	"tfr-build/schema/date"
)

// TestDates compares features of dates in each form with features of the corresponding numbers.
func TestDates(t *testing.T) {
	minutes := &schema.Date{Format: "%Y-%m-%d %H:%M", Unit: date.Milliseconds, Zone: "Asia/Kolkata"}
	const first, second, firstMillis, secondMillis = "2024-02-29 12:30", "1969-12-31 23:00", "1709190000000",
		"-23400000"
	for name, tt := range map[string]struct {
		feature    schema.Feature
		row, plain []schema.Value
	}{
		"one":     {schema.Feature{}, []schema.Value{text(first)}, []schema.Value{text(firstMillis)}},
		"string":  {schema.Feature{}, []schema.Value{jsonString(second)}, []schema.Value{number(secondMillis)}},
		"missing": {schema.Feature{OnMissing: schema.MissingOmit}, []schema.Value{text("")}, []schema.Value{{}}},
		"null": {schema.Feature{OnMissing: schema.MissingOmit, NullValues: []string{"never"}},
			[]schema.Value{text("never")}, []schema.Value{{}}},
		"list": {schema.Feature{Shape: []int{-1}}, []schema.Value{list(jsonString(first), jsonString(second))},
			[]schema.Value{numbers(firstMillis, secondMillis)}},
		"separator": {schema.Feature{Shape: []int{-1}, Separator: "|"}, []schema.Value{text(first + "|" + second)},
			[]schema.Value{text(firstMillis + "|" + secondMillis)}},
		"columns": {schema.Feature{Shape: []int{2}, Columns: []string{"a", "b"}},
			[]schema.Value{text(first), text(second)}, []schema.Value{text(firstMillis), text(secondMillis)}},
		"tensor": {schema.Feature{Tensor: true}, []schema.Value{text(first)}, []schema.Value{text(firstMillis)}},
		"raw": {schema.Feature{Raw: true, Shape: []int{1, 2}}, []schema.Value{list(text(first), text(second))},
			[]schema.Value{numbers(firstMillis, secondMillis)}},
		"ragged": {schema.Feature{Shape: []int{-1, -1}}, []schema.Value{list(list(), list(text(first)))},
			[]schema.Value{list(list(), numbers(firstMillis))}},
	} {
		f := tt.feature
		f.Key, f.Type = "when", schema.Int64
		if f.Columns == nil {
			f.Columns = []string{"at"}
		}
		want := appended(t, f, tt.plain)
		f.Date = minutes
		if got := appended(t, f, tt.row); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	f := schema.Feature{Key: "when", Type: schema.Int64, Columns: []string{"at"}, OnMissing: schema.MissingDefault,
		Default: ptr(text("0"))}
	want := appended(t, f, []schema.Value{{}})
	f.Date, f.Default = &schema.Date{Format: "%Y"}, ptr(text("1970"))
	if got := appended(t, f, []schema.Value{{}}); got != want {
		t.Errorf("default: got %q, want %q", got, want)
	}
}

// appended returns the record of a row.
func appended(t *testing.T, f schema.Feature, row []schema.Value) string {
	t.Helper()
	got, err := compile(t, f).NewEncoder().Append(nil, row)
	if err != nil {
		t.Fatalf("%+v: %v", f, err)
	}
	return string(got)
}
