package dataset

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
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
		{"all values of one split", map[string]Dropped{"a": {Mixed: 1}},
			map[string]Dropped{"a": {Mixed: 5, Empty: true}},
			[]string{`feature "a" is empty in every record of test, although its column has values: 6 values ` +
				`dropped, whose kind does not fit the path (mixed: empty)`}},
		{"all values, and those of another feature", map[string]Dropped{"b": {Mixed: 10, Empty: true}, "a": {Mixed: 1}},
			map[string]Dropped{"b": {Mixed: 5, Empty: true}},
			[]string{
				`feature "a": 1 value dropped, whose kind does not fit the path (mixed: empty)`,
				`feature "b" is empty in every record, although its column has values: 15 values dropped, whose ` +
					`kind does not fit the path (mixed: empty)`,
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
		{"more records than there are", Dropped{Missing: 4},
			`split train: feature "a": 4 of 3 records have no value, and 0 values are dropped`},
		{"less than no record", Dropped{Missing: -1, Mixed: 2},
			`split train: feature "a": -1 of 3 records have no value, and 2 values are dropped`},
		{"less than no value", Dropped{Missing: 1, Mixed: -2},
			`split train: feature "a": 1 of 3 records have no value, and -2 values are dropped`},
		{"empty, and nothing dropped", Dropped{Missing: 1, Empty: true},
			`split train: feature "a": 1 of 3 records have no value, and 0 values are dropped`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := shapedManifest()
			m.Splits[0].Dropped = map[string]Dropped{"a": c.count}
			expectRefusal(t, m, c.want)
		})
	}
}

// TestLossText checks the sentences about values that records miss.
func TestLossText(t *testing.T) {
	for want, l := range map[string]Loss{
		`feature "a": 1 value dropped, whose kind does not fit the path ` +
			`(mixed: empty)`: {Values: 1},
		`feature "a" is empty in every record, although its column has values: 2 values dropped, whose kind does ` +
			`not fit the path (mixed: empty)`: {Values: 2, Always: true, Empty: []string{"x"}},
		`feature "a" is empty in every record of x, y, although its column has values: 2 values dropped, whose kind ` +
			`does not fit the path (mixed: empty)`: {Values: 2, Empty: []string{"x", "y"}},
		`feature "a": 1 label without a place, not among the classes ` +
			`(unknown)`: {Labels: 1, Always: true},
		`feature "a": 2 values dropped, whose kind does not fit the path (mixed: empty): 3 labels without a place, ` +
			`not among the classes (unknown)`: {Values: 2, Labels: 3},
	} {
		l.Feature = "a"
		if got := l.Text(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	splits := []Split{{Name: "x", Records: 1, Dropped: map[string]Dropped{"a": {Unknown: 2}}},
		{Name: "y", Records: 1, Dropped: map[string]Dropped{"a": {Unknown: 1, Mixed: 4}}}}
	if got := Losses(splits); len(got) != 1 || got[0].Labels != 3 || got[0].Values != 4 {
		t.Errorf("got %+v", got)
	}
}

// TestClassesOfVectors checks what describes a vector of classes: its manifest says that it is one,
// TFDS reads a Tensor, and reader.py counts the names by place.
func TestClassesOfVectors(t *testing.T) {
	f := schema.Feature{Key: "tags", Type: schema.Int64,
		MultiHot: &schema.Classes{Names: []string{"cat", "dog"}, First: 1}, Shape: []int{2}}
	record := schema.Record{Features: []schema.Feature{f}}
	if got := NewClassLists(&record); len(got) != 1 || !got[0].MultiHot || got[0].First != 1 {
		t.Errorf("the manifest has %+v", got)
	}
	var b bytes.Buffer
	if writeClasses(&b, record.Stored()); !strings.Contains(b.String(),
		"\"first\": 0,\n        \"names\": [\n            \"cat\",\n            \"dog\",\n") {
		t.Errorf("reader.py has %s", b.String())
	}
	info := &Info{Record: record}
	n := connectors(info, newLabels(info))["tags"]
	if n["tensor"] == nil || n["description"] != "A 0 or 1 for each class. Line 1 of tags.labels.txt is the name of "+
		"the first class, and so on." {
		t.Errorf("features.json has %v", n)
	}
	w := newFeatureCheck(f.Stored(schema.ExampleMessage, false))
	if w.intProblem(1) != "" || w.intProblem(2) != "2; expected int64, 0 to 1" {
		t.Errorf("verify: %q, %q", w.intProblem(1), w.intProblem(2))
	}
}
