package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"tfr-build/checks"
	"tfr-build/sources/column"
)

func TestStatistics(t *testing.T) {
	for text, want := range map[string]Statistics{
		"":                                       {On: true, Top: 20, Values: true},
		"statistics: true":                       {On: true, Top: 20, Values: true},
		"statistics: {}":                         {On: true, Top: 20, Values: true},
		"statistics: false":                      {Top: 20, Values: true},
		"statistics: {by: label, values: false}": {On: true, By: "label", Top: 20},
		"statistics: {by: n}":                    {On: true, By: "n", Top: 20, Values: true},
		"statistics: {top: 0}":                   {On: true, Values: true},
	} {
		c := mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {label: {classes: [a]}, n: "+
			"int64}\n"+text+"\n")
		if c.Statistics != want {
			t.Errorf("%q: got %+v, want %+v", text, c.Statistics, want)
		}
	}
}

// TestExpected compares the checks of a config with those that package checks gets: by the keys of
// records, with numbers in the form of statistics.
func TestExpected(t *testing.T) {
	share, empty, distinct, leakage, skew := uint64(1_500_000), uint64(250_000), int64(300), int64(0), 0.1
	want := &checks.Expected{
		Features: []checks.Feature{
			{Key: "fare", Min: "0", Max: "500", Missing: &share, Distinct: &distinct},
			{Key: "tip", Min: "-0.5", Finite: true},
			{Key: "passengers", Min: "1", Max: "6", Values: []string{"1", "2", "3", "4", "5", "6"}},
			{Key: "paid", Values: []string{"true"}},
			{Key: "vendor", Values: []string{"CMT"}},
			{Key: "zone", Empty: &empty, Values: []string{"JFK", "007", "NO"}},
			{Key: "stops/ragged_flat_values", Min: "0", Max: "1000"},
		},
		Rows: []checks.Rows{{Split: "train", Least: 100000}}, SplitSkew: &skew, Leakage: &leakage,
		Classes: &checks.Classes{InEverySplit: true}, By: "zone",
	}
	if got := mustParse(t, string(validConfig(t, "knowing"))).Expected(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := mustParse(t, digestBase).Expected(); got != nil {
		t.Errorf("a config without checks expects %+v", got)
	}
}

// TestChecksOfArrays checks limits of a feature whose type its file determines.
func TestChecksOfArrays(t *testing.T) {
	c := mustParse(t, `name: d
output: out
source: {arrays: {columns: {x: x.npy}}}
features: {x: {}}
checks: {features: {x: {min: 0, values: [1]}}}
statistics: {by: x}
`)
	floats := func(string) []column.Column { return []column.Column{{Array: true, Type: "float", Shape: []int{3}}} }
	_, err := c.Complete(floats)
	var problems *Problems
	if !errors.As(err, &problems) || len(problems.List) != 2 ||
		!strings.Contains(err.Error(), "c.yaml:5:41: checks.features.x.values: values is for integers") ||
		!strings.Contains(err.Error(), "c.yaml:6:18: statistics.by: the feature \"x\" is of floats") {
		t.Errorf("got %v", err)
	}
	whole := func(string) []column.Column { return []column.Column{{Array: true, Type: "int64", Shape: []int{}}} }
	if _, err := c.Complete(whole); err != nil {
		t.Error(err)
	}
}

// TestChecksWithoutFeatures: a config without features shows its columns; a check of an unknown
// feature is then not a problem.
func TestChecksWithoutFeatures(t *testing.T) {
	mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nchecks: {features: {x: {min: 0}}, classes: "+
		"{empty: false}}\nstatistics: {by: x}\n")
	mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {x: int64}\nstatistics: "+
		"false\nchecks: {rows: {train: 1}, leakage: 3}\n")
	mustParse(t, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nsplit: {column: part}\nfeatures: {x: "+
		"int64}\nchecks: {rows: {any: 1}}\n")
}
