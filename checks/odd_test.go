package checks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tfr-build/statistics"
)

// TestOdd remarks each thing that is odd in a feature, and no neighbor of it.
func TestOdd(t *testing.T) {
	far := func(end string, bin statistics.Bin, count int64) statistics.Feature {
		return numbers(func(train, _ *statistics.Values) {
			n := train.Numbers
			n.Histogram = append(n.Histogram, bin)
			if n.Max = "10"; end[0] == '-' {
				slices.Reverse(n.Histogram)
				n.Min = json.Number(end)
			} else {
				n.Max = json.Number(end)
			}
			train.Top = []statistics.Top{{Value: end, Count: count}}
		})
	}
	unique := func(estimated bool) statistics.Feature {
		all := statistics.Values{Distinct: 100, Other: 100, Most: 1, Estimated: estimated}
		return texts(all, statistics.Values{Distinct: 50, Other: 50, Most: 1})
	}
	missing := func(n int64) statistics.Feature {
		return numbers(func(train, test *statistics.Values) {
			train.Missing, test.Missing = n, n
		})
	}
	zeros := func(n int64) statistics.Feature {
		return numbers(func(train, test *statistics.Values) {
			train.Numbers.Zeros, test.Numbers.Zeros = n, n
		})
	}
	for name, c := range map[string]struct {
		feature statistics.Feature
		want    string
	}{
		"mostly missing":       {missing(110), `missing "fare": missing in 52.4 % of the records; is it worth a feature?`},
		"half of them missing": {missing(100), ""},
		"zeros":                {zeros(91), `zeros "fare": 91 % of the values are 0; if 0 means missing, set null_values`},
		"fewer zeros":          {zeros(90), ""},
		"zeros alone":          {zeros(100), ""},
		"identifiers":          {unique(false), `distinct "vendor": another value in every record; a model learns nothing from an identifier`},
		"perhaps identifiers":  {unique(true), ""},
		"imbalance":            {classFeature([]int64{210, 10, 20, 20}, []int64{0, 0, 0, 0}), `classes.imbalance "label": "a" has 210 values, "b" has 10; weigh the classes, or sample them`},
		"balance":              {classFeature([]int64{200, 10, 20, 20}, []int64{0, 0, 0, 0}), ""},
		"too far below":        {far("-5", statistics.Bin{Low: -5, High: -4, Count: 7}, 7), `far "fare": -5 is far from all other values, in 7 values; if it means missing, set null_values and missing`},
		"too far above":        {far("99", statistics.Bin{Low: 98, High: 99, Count: 7}, 7), `far "fare": 99 is far from all other values, in 7 values; if it means missing, set null_values and missing`},
		"near":                 {far("12", statistics.Bin{Low: 11, High: 12, Count: 7}, 7), ""},
		"not alone there":      {far("99", statistics.Bin{Low: 98, High: 99, Count: 8}, 7), ""},
		"once":                 {far("99", statistics.Bin{Low: 98, High: 99, Count: 1}, 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := slices.DeleteFunc(told(Remarks(document(c.feature), nil)), func(text string) bool {
				return strings.HasPrefix(text, "split_skew") || strings.HasPrefix(text, "classes.in_every")
			})
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
