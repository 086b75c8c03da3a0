package rows

import (
	"testing"

	"tfr-build/pipeline/strata"
)

// TestRestoredEnds restores the last rows of values, also of a column that no limit has.
func TestRestoredEnds(t *testing.T) {
	ends := LimitEnds{
		{},
		{Column: 1, Last: map[uint32]LastRow{1: {SortAt{5, 0}, 1}, 65_536: {SortAt{1<<64 - 1, 1<<63 + 7}, 300}, 2: {}}},
		{Column: 0},
	}
	l := &Limits{valueNumbers: valueNumbers{columns: make([]valueColumn, 1)}}
	for _, population := range []int{0, 1} {
		if err := l.Restore(strata.Values{{Population: population}},
			ends[:1+population]); (err != nil) != (population > 0) {
			t.Errorf("values of column %d: %v", population, err)
		}
	}
	if err := l.Restore(nil, ends); err == nil {
		t.Error("restored the last rows of a second column")
	}
}

// TestLimitEnds decides about rows before, at, and after the last row of a value.
func TestLimitEnds(t *testing.T) {
	ends := LimitEnds{{}, {Last: map[uint32]LastRow{3: {SortAt{7, 9}, 2}}}}
	if ends.Of(0) != nil || ends.Of(200) != nil || LimitEnds(nil).Of(0) != nil {
		t.Error("a split without limits has some")
	}
	of := ends.Of(1)
	for at, want := range map[SortAt]bool{{7, 9}: false, {7, 8}: false, {6, 10}: false, {7, 10}: true, {8, 0}: true} {
		if of.IsAbove(3, at) != want || of.IsAbove(2, at) {
			t.Errorf("%v: expected %t", at, want)
		}
	}
	for at, want := range map[SortAt]int{{7, 9}: 2, {7, 8}: 5} {
		if got := of.Windows(3, at, 5); got != want || of.Windows(3, at, 1) != 1 || of.Windows(2, at, 5) != 5 {
			t.Errorf("%v: %d windows, expected %d", at, got, want)
		}
	}
}
