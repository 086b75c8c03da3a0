package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/schema/date"
)

// TestStored compares what is said of features with what their forms store.
func TestStored(t *testing.T) {
	names := &schema.Classes{Names: []string{"a", "b"}, First: 3}
	for _, test := range []struct {
		feature schema.Feature
		message schema.Message
		want    string
	}{
		{schema.Feature{Type: schema.Uint8}, schema.ExampleMessage, "[k] int64_list  [] 0..255"},
		{schema.Feature{Type: schema.Uint8}, schema.OFRecordMessage, "[k] int32_list  [] 0..255"},
		{schema.Feature{Type: schema.Int8, Shape: []int{-1, 2}}, schema.ExampleMessage,
			"[k] int64_list  [-1 2] variable -128..127"},
		{schema.Feature{Type: schema.Int8, Shape: []int{-1, -1, 2}}, schema.ExampleMessage,
			"[k/ragged_flat_values k/ragged_row_lengths_0] int64_list  [-1 2] variable -128..127"},
		{schema.Feature{Type: schema.Uint8, Shape: []int{-1}, Tensor: true}, schema.ExampleMessage,
			"[k] bytes_list tensor [] binary 0..255"},
		{schema.Feature{Type: schema.Uint8, Shape: []int{-1}, Raw: true, OnMissing: schema.MissingOmit},
			schema.ExampleMessage, "[k] bytes_list raw [] optional binary 0..255"},
		{schema.Feature{Type: schema.Int64, Classes: names}, schema.ExampleMessage,
			"[k] int64_list  [] classes 3..4"},
		{schema.Feature{Type: schema.Float, Shape: []int{2}, MultiHot: names}, schema.ExampleMessage,
			"[k] float_list  [2] places 0..1"},
		{schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%Y", Unit: date.Days}}, schema.ExampleMessage,
			"[k] int64_list  [] days -9223372036854775808..9223372036854775807"},
	} {
		test.feature.Key = "k"
		s := test.feature.Stored(test.message, false)
		facts := []string{fmt.Sprint(s.Keys), string(s.List), string(s.Packing), fmt.Sprint(s.ListShape())}
		for _, fact := range []struct {
			name string
			is   bool
		}{
			{"variable", s.IsVariable()}, {"optional", s.IsOptional()}, {"binary", s.IsBinary()},
			{"classes", s.Classes != nil}, {"places", s.Places != nil}, {s.Unit, s.Unit != ""},
		} {
			if fact.is {
				facts = append(facts, fact.name)
			}
		}
		if got := strings.Join(facts, " ") + fmt.Sprintf(" %d..%d", s.Lowest, s.Highest); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// TestValueOf finds what records have for a text of the input.
func TestValueOf(t *testing.T) {
	words := &schema.Map{Strings: []string{"yes", "7"},
		Values: []schema.Value{{Text: []byte("1")}, {Text: []byte("0")}}}
	for _, test := range []struct {
		feature    schema.Feature
		text, want string
	}{
		{schema.Feature{Type: schema.Int64, Map: words}, "yes", "1"},
		{schema.Feature{Type: schema.Int64, Map: words}, "7", "0"},
		{schema.Feature{Type: schema.Int64, Map: words}, "1", "1"},
		{schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%Y-%m", Unit: date.Days}}, "1970-02", "31"},
		{schema.Feature{Type: schema.Int64, Date: &schema.Date{Format: "%Y-%m", Unit: date.Days}}, "31", "31"},
		{schema.Feature{Type: schema.Int64}, "1970-02", "1970-02"},
	} {
		if got := test.feature.Stored(schema.ExampleMessage, false).ValueOf(test.text); got != test.want {
			t.Errorf("%s is %s, want %s", test.text, got, test.want)
		}
	}
}

// TestStoredOfRecord lists features and their keys.
func TestStoredOfRecord(t *testing.T) {
	r := schema.Record{
		Message: schema.SequenceMessage,
		Features: []schema.Feature{
			{Key: "b", Type: schema.Int64}, {Key: "a", Type: schema.Int64, Shape: []int{-1, -1}},
			{Key: "a/0", Type: schema.Int64},
		},
		Sequence: []schema.Feature{{Key: "a/1", Type: schema.Int64}},
	}
	var keys []string
	for _, e := range r.Entries() {
		keys = append(keys, fmt.Sprint(e.Key, " ", e.Steps, e.IsLengths))
	}
	want := []string{
		"a/0 false false", "a/ragged_flat_values false false",
		"a/ragged_row_lengths_0 false true", "b false false", "a/1 true false",
	}
	if !slices.Equal(keys, want) {
		t.Errorf("%q", keys)
	}
	if all := r.Stored(); len(all) != 4 || all[0].Key != "b" || all[2].Steps || !all[3].Steps {
		t.Errorf("%v", all)
	}
}
