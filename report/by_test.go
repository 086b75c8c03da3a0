package report

import (
	"testing"

	"tfr-build/statistics"
)

// TestValuesByClass shows the values of a text as classes, where the config says so, and no other
// classes then.
func TestValuesByClass(t *testing.T) {
	d := &statistics.Document{
		Splits: []statistics.Split{{Name: "train", Records: 5}, {Name: "test", Records: 3}},
		Features: []statistics.Feature{
			{Key: "label", Kind: statistics.Class, Classes: []string{"a", "b"},
				Splits: []statistics.Values{{ByClass: []int64{3, 2}}, {ByClass: []int64{1, 2}}}},
			{Key: "town", Kind: statistics.Text, Splits: []statistics.Values{
				{Count: 5, Top: []statistics.Top{{Value: "Ulm", Count: 3}, {Value: "Bonn", Count: 1}}, Other: 1},
				{Count: 3, Top: []statistics.Top{{Value: "Kiel", Count: 3}}},
			}},
		},
	}
	list, _ := viewClasses(d, "town")
	if len(list) != 1 || list[0].Key != "town" {
		t.Fatalf("%+v", list)
	}
	got := map[string][]string{}
	for _, row := range list[0].Largest {
		got[row.Name] = row.Counts
	}
	for name, want := range map[string]string{"Ulm": "3 0", "Bonn": "1 0", "Kiel": "0 3"} {
		if c := got[name]; len(c) != 2 || c[0]+" "+c[1] != want {
			t.Errorf("%s: %v, want %s", name, c, want)
		}
	}
	if list, _ := viewClasses(d, ""); len(list) != 1 || list[0].Key != "label" {
		t.Errorf("%+v", list)
	}
}
