package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/schema"
)

// TestEachRow converts lists with a value for each row of a group: each value has the shape of a row.
func TestEachRow(t *testing.T) {
	pair := schema.Feature{Key: "p", Columns: []string{"P"}, Type: schema.Int64, Shape: []int{-1, 2},
		Part: schema.EachRow}
	square, one, window := pair, pair, pair
	square.Shape, one.Shape, window.Shape = []int{-1, 2, 2}, []int{-1, 1}, []int{2, 2}
	filled := pair
	filled.OnMissing, filled.Default = schema.MissingDefault, ptr(number("9"))
	null := schema.Value{}
	for i, of := range []struct {
		feature schema.Feature
		rows    []schema.Value
		want    string // the values, or the end of the error
	}{
		{pair, []schema.Value{numbers("1", "2"), numbers("3", "4")}, "1 2 3 4"},
		{pair, []schema.Value{array(schema.Uint8, 1, 2), numbers("3", "4")}, "1 2 3 4"},
		{pair, []schema.Value{number("1"), number("2")}, "element 0: found the number 1; expected a list [SHAPE]"},
		{pair, []schema.Value{numbers("1", "2"), number("3")},
			"element 1: found the number 3; expected a list [SHAPE]"},
		{pair, []schema.Value{numbers("1"), numbers("2", "3", "4")},
			"element 0: found 1 value; expected 2 for shape [2] [SHAPE]"},
		{pair, []schema.Value{numbers("1", "2"), array(schema.Uint8, 3)},
			"element 1: found 1 value; expected 2 for shape [2] [SHAPE]"},
		{pair, []schema.Value{list(numbers("1", "2"))},
			"element 0.0: found a list of 2 elements; expected one value [SHAPE]"},
		{pair, []schema.Value{null, numbers("1", "2")}, "element 0: no value [MISSING]"},
		{filled, []schema.Value{null, numbers("1", "2"), null}, "9 9 1 2 9 9"},
		{filled, []schema.Value{null, number("7")}, "element 1: found the number 7; expected a list [SHAPE]"},
		{square, []schema.Value{numbers("1", "2", "3", "4"), list(numbers("5", "6"), numbers("7", "8"))},
			"1 2 3 4 5 6 7 8"},
		{square, []schema.Value{list(numbers("1", "2", "3", "4"))},
			"element 0: found a list of 1 element; expected 2 for shape [-1, 2, 2] [SHAPE]"},
		{one, []schema.Value{number("1"), numbers("2"), number("3")}, "1 2 3"},
		{window, []schema.Value{numbers("1", "2"), numbers("3", "4")}, "1 2 3 4"},
		{window, []schema.Value{numbers("1", "2")}, "found 2 values; expected 4 for shape [2, 2] [SHAPE]"},
	} {
		s, err := schema.Compile(schema.Record{Message: schema.DefaultMessage, Features: []schema.Feature{of.feature}})
		if err != nil {
			t.Fatal(err)
		}
		payload, err := s.NewEncoder().Append(nil, []schema.Value{list(of.rows...)})
		var values []string
		message.Each(message.Example, payload, func(_ []byte, f message.Feature) {
			for n := range f.Ints() {
				values = append(values, fmt.Sprint(n))
			}
		})
		got := strings.Join(values, " ")
		if err == nil && got != of.want || err != nil && !strings.HasSuffix(err.Error(), of.want) {
			t.Errorf("case %d: %s, %v\nexpected %s", i, got, err, of.want)
		}
	}
}
