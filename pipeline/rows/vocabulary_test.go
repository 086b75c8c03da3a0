package rows

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tfr-build/schema"
)

const labelled = "features:\n  c: {classes: auto}\n  x: int64\n"

// TestVocabulary collects class names from two parts of the rows, and merges them, as the merge of
// scans does.
func TestVocabulary(t *testing.T) {
	set := opened(t, "c,x\ndog,1\ncat,2\ndog,3\nbird,4\n", labelled)
	parts := []*Vocabulary{set.NewVocabulary(), set.NewVocabulary()}
	n := 0
	each(t, set, func(r *Row) {
		c, err := parts[n%2].NewCollector()
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Collect(r); err != nil {
			t.Fatal(err)
		}
		n++
	})
	if got := fmt.Sprint(parts[0].Collected(), parts[1].Collected()); got != "map[c:[dog]] map[c:[bird cat]]" {
		t.Errorf("the parts have %s", got)
	}
	if err := parts[1].Add(parts[0].Collected()); err != nil {
		t.Fatal(err)
	}
	names, missing := parts[1].Names()
	if fmt.Sprint(names) != "map[c:[bird cat dog]]" || missing != nil {
		t.Errorf("%v, %v", names, missing)
	}
	if names, missing := set.NewVocabulary().Names(); names != nil || missing == nil || missing.Key != "c" {
		t.Errorf("without a row: %v, %v", names, missing)
	}
}

// TestVocabularyIsLimited checks that too many class names, or too many bytes of them, are an error
// of the config.
func TestVocabularyIsLimited(t *testing.T) {
	set := opened(t, "c,x\n", labelled)
	for _, test := range []struct {
		name, want string
	}{
		{strings.Repeat("x", maxClassText+1), "auto: more than 67108864 bytes of names"},
		{strings.Repeat("x", maxClassText), ""},
	} {
		err := set.NewVocabulary().Add(map[string][]string{"c": {test.name}})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d bytes: %v", len(test.name), err)
		}
	}
}

// TestMetadataIsStored checks that observations survive the staging directory, and that the sum of two parts
// does not depend on their order.
func TestMetadataIsStored(t *testing.T) {
	var parts [2]Observations
	for i, list := range [][]schema.Warnings{
		{{Feature: "b", LeadingZeros: 2}, {Feature: "a", Underflows: 1}},
		{{Feature: "b", LeadingZeros: 3}, {Feature: "c", LeadingZeros: 1}},
	} {
		parts[i] = NewObservations()
		parts[i].addWarnings(list)
		text, err := json.Marshal(&parts[i])
		if err != nil {
			t.Fatal(err)
		}
		var stored Observations
		if err := json.Unmarshal(text, &stored); err != nil || !reflect.DeepEqual(stored, parts[i]) {
			t.Errorf("stored %s, read %+v, %v", text, stored, err)
		}
	}
	sums := [2]Observations{NewObservations(), NewObservations()}
	for i := range sums {
		sums[i].Add(&parts[i])
		sums[i].Add(&parts[1-i])
	}
	want := []string{
		`feature "a": 1 number too small for the stored type became 0`,
		`feature "b": 5 integers with leading zeros; names rather than numbers are better stored as bytes`,
		`feature "c": 1 integer with leading zeros; names rather than numbers are better stored as bytes`,
	}
	for i := range sums {
		var got []string
		for _, w := range sums[i].Warnings(true) {
			got = append(got, w.Text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sum %d:\n%s\nexpected\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
