package config

import (
	"errors"
	"slices"
	"testing"
)

// TestRestOfAnInvalidConfig reads the rest of a config without the features that have a problem.
func TestRestOfAnInvalidConfig(t *testing.T) {
	const source = "source: {csv: a.csv}\n"
	for text, want := range map[string][]string{
		source + "features: {a: int65, b: int64}":                                                         {"b"},
		source + "features: {a: {type: int64, form: x}, b: int64, \"c.d\": int65}":                        {"b"},
		source + "features: {b: int64, c: int64}\nchecks: {features: {d: {min: 1}}}":                      {"b", "c"},
		"source: {jsonl: a.jsonl}\nrecord: sequence\ncontext: {a: int65, b: int64}\nsequence: {c: int64}": {"b", "c"},
		// nothing is left
		source + "features: {a: int65}": nil,
		// rows could be others
		source + "features: {a: int65, b: int64}\nwehre: b > 1":            nil,
		source + "features: []":                                            nil,
		"source: {csv: {files: a.csv, delimter: x}}\nfeatures: {b: int64}": nil,
	} {
		_, err := Parse("c.yaml", []byte("name: d\noutput: out\n"+text+"\n"),
			func(string) (string, bool) { return "", false })
		problems, ok := errors.AsType[*Problems](err)
		if !ok {
			t.Fatalf("%s: %v", text, err)
		}
		var got []string
		if problems.Rest != nil {
			for _, f := range problems.Rest.AllFeatures() {
				got = append(got, f.Key)
			}
			if problems.Rest.Checks != nil {
				t.Errorf("%s: checks are left", text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: features %q are left, want %q", text, got, want)
		}
	}
}
