package dataset

import (
	"slices"
	"testing"
)

// droppedSplits are three splits, of which one has no records.
func droppedSplits(train, test map[string]Dropped) []Split {
	return []Split{
		{Name: "train", Records: 10, Dropped: train},
		{Name: "test", Records: 5, Dropped: test},
		{Name: "none"},
	}
}

func TestLosses(t *testing.T) {
	for _, c := range []struct {
		name        string
		train, test map[string]Dropped
		want        []string
	}{
		{"nothing", nil, nil, nil},
		{"values that the rows do not have", map[string]Dropped{"a": {Missing: 10}}, nil, nil},
		{"some values", map[string]Dropped{"a": {Mixed: 1}}, map[string]Dropped{"a": {Mixed: 3, Missing: 2}},
			[]string{`feature "a": 4 values dropped, whose kind does not fit the path (mixed: empty)`}},
		{"all values of one split", map[string]Dropped{"a": {Mixed: 1}}, map[string]Dropped{"a": {Mixed: 5, Empty: true}},
			[]string{`feature "a" is empty in every record of test, although its column has values: 6 values dropped, whose kind does not fit the path (mixed: empty)`}},
		{"all values, and those of another feature", map[string]Dropped{"b": {Mixed: 10, Empty: true}, "a": {Mixed: 1}}, map[string]Dropped{"b": {Mixed: 5, Empty: true}},
			[]string{
				`feature "a": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
				`feature "b" is empty in every record, although its column has values: 15 values dropped, whose kind does not fit the path (mixed: empty)`,
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range Losses(droppedSplits(c.train, c.test)) {
				got = append(got, l.Text())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestDroppedAddsUp has counts that no build writes.
func TestDroppedAddsUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		count Dropped
		want  string
	}{
		{"a value", Dropped{Missing: 1}, ""},
		{"every value", Dropped{Missing: 3, Mixed: 9, Empty: true}, ""},
		{"nothing", Dropped{}, `split train: feature "a": 0 of 3 records have no value, and 0 values are dropped`},
		{"more records than there are", Dropped{Missing: 4}, `split train: feature "a": 4 of 3 records have no value, and 0 values are dropped`},
		{"less than no record", Dropped{Missing: -1, Mixed: 2}, `split train: feature "a": -1 of 3 records have no value, and 2 values are dropped`},
		{"less than no value", Dropped{Missing: 1, Mixed: -2}, `split train: feature "a": 1 of 3 records have no value, and -2 values are dropped`},
		{"empty, and nothing dropped", Dropped{Missing: 1, Empty: true}, `split train: feature "a": 1 of 3 records have no value, and 0 values are dropped`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := shapedManifest()
			m.Splits[0].Dropped = map[string]Dropped{"a": c.count}
			expectRefusal(t, m, c.want)
		})
	}
}
