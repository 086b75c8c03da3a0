package order

import (
	"math"
	"slices"
	"testing"
)

func TestCutBy(t *testing.T) {
	for _, test := range []struct {
		rows, each int
		want       []Range
	}{
		{0, 10, []Range{{0, 0}}},
		{1, 10, []Range{{0, 1}}},
		{10, 10, []Range{{0, 10}}},
		{25, 10, []Range{{0, 10}, {10, 20}, {20, 25}}},
		{3, 1, []Range{{0, 1}, {1, 2}, {2, 3}}},
		{math.MaxInt, math.MaxInt, []Range{{0, math.MaxInt}}},
		{5, math.MaxInt, []Range{{0, 5}}},
	} {
		if got := CutBy(test.rows, test.each); !slices.Equal(got, test.want) {
			t.Errorf("%d rows, %d each: got %v, want %v", test.rows, test.each, got, test.want)
		}
	}
}
