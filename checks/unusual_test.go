package checks

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tfr-build/statistics"
)

// TestUnusualProperties checks that each unusual property is found, and similar usual ones are not.
func TestUnusualProperties(t *testing.T) {
	far := func(end string, bin statistics.Bin) statistics.Feature {
		return numbers(func(train, _ *statistics.Values) {
			n := train.Numbers
			n.Histogram = append(n.Histogram, bin)
			if n.Max = "10"; end[0] == '-' {
				slices.Reverse(n.Histogram)
				n.Min = json.Number(end)
			} else {
				n.Max = json.Number(end)
			}
		})
	}
	unique := func(distinct int64, estimated bool) statistics.Feature {
		all := statistics.Values{Distinct: distinct, Other: 100, Most: 1, Estimated: estimated}
		return texts(all, statistics.Values{Distinct: 50, Other: 50, Most: 1})
	}
	long := func(longest json.Number, deviation float64) statistics.Feature {
		sizes := &statistics.Numbers{Max: longest, Mean: 40, Deviation: deviation}
		return texts(statistics.Values{Distinct: 100, Other: 100, Most: 1, Sizes: sizes}, statistics.Values{})
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
	skewed := func(median, last float64) statistics.Feature {
		return numbers(func(train, _ *statistics.Values) {
			train.Numbers.Quantiles = []float64{1, 1, 1, 1, median, 2, 2, 2, last}
		})
	}
	sized := func(images int64, height json.Number) statistics.Feature {
		of := func(low, high json.Number) statistics.Numbers {
			return statistics.Numbers{Finite: images, Min: low, Max: high}
		}
		v := statistics.Values{Images: &statistics.Images{Width: of("28", "28"), Height: of("30", height)}}
		return statistics.Feature{Key: "image", Kind: statistics.Image, Splits: []statistics.Values{v, {}}}
	}
	blank := func(values, empty int64) statistics.Feature {
		v := statistics.Values{Present: 3, Count: values, Empty: empty, Distinct: 2}
		return statistics.Feature{Key: "note", Kind: statistics.Text, Splits: []statistics.Values{v, v}}
	}
	copies := func(distinct int64, estimated bool) statistics.Feature {
		v := statistics.Values{Present: 100, Count: 100, Distinct: distinct, Estimated: estimated}
		return statistics.Feature{Key: "image", Kind: statistics.Image, Splits: []statistics.Values{v, {}}}
	}
	sentinel := func() statistics.Feature {
		f := far("-99", statistics.Bin{Low: -99, High: -98, Count: 7})
		f.Splits[0].Numbers.Quantiles = []float64{-99, 1, 1, 1, 2, 2, 2, 2, 3}
		return f
	}
	few := func(f statistics.Feature) statistics.Feature {
		f.Splits[0].Distinct = 9
		return f
	}
	for name, c := range map[string]struct {
		feature statistics.Feature
		want    string
	}{
		"mostly missing":       {missing(110), `missing "fare": missing in 52.4% of the records`},
		"half of them missing": {missing(100), ""},
		"zeros":                {zeros(91), `zeros "fare": 91% of the values are 0`},
		"fewer zeros":          {zeros(90), ""},
		"zeros alone":          {zeros(100), ""},
		"identifiers":          {unique(100, false), `identifier "vendor": 150 values that all differ`},
		"nearly identifiers":   {unique(96, true), `identifier "vendor": 150 values that nearly all differ`},
		"perhaps identifiers":  {unique(95, true), ""},
		"long identifiers":     {long("64", 10), `identifier "vendor": 100 values that all differ`},
		"too long for these":   {long("65", 10), ""},
		"texts":                {long("64", 10.1), ""},
		"no identifiers":       {unique(99, false), ""},
		"imbalance": {classFeature([]int64{210, 10, 20, 20}, []int64{0, 0, 0, 0}),
			`classes.imbalance "label": "a" has 210 values, "b" has 10`},
		"balance": {classFeature([]int64{200, 10, 20, 20}, []int64{0, 0, 0, 0}), ""},
		"too far below": {far("-5", statistics.Bin{Low: -5, High: -4, Count: 7}),
			`far "fare" in the split "train": 7 values at -5, far from all others`},
		"too far above": {far("99", statistics.Bin{Low: 98, High: 99, Count: 7}),
			`far "fare" in the split "train": 7 values at 99, far from all others`},
		"a code": {few(far("99", statistics.Bin{Low: 98, High: 99, Count: 7})), ""},
		"a negative one": {few(far("-5", statistics.Bin{Low: -5, High: -4, Count: 7})),
			`far "fare" in the split "train": 7 values at -5, far from all others`},
		"near":            {far("12", statistics.Bin{Low: 11, High: 12, Count: 7}), ""},
		"many":            {far("99", statistics.Bin{Low: 98, High: 99, Count: 26}), ""},
		"beyond the bins": {far("99", statistics.Bin{Low: 98, High: 99, Count: 7, Open: true}), ""},
		"a long tail": {skewed(2, 12.1),
			`skew "fare": a long tail: the median is 2, the quantiles of 1% and 99% are 1 and 12.1`},
		"a tail":              {skewed(2, 12), ""},
		"no lower half":       {skewed(1, 12), ""},
		"images of one size":  {sized(100, "30"), `image.size "image": all images are 28 × 30 pixels`},
		"images of two sizes": {sized(100, "31"), ""},
		"copies of images": {copies(50, false),
			`duplicates "image" in the split "train": 50 different images among 100`},
		"many copies": {copies(18, true),
			`duplicates "image" in the split "train": about 18 different images among 100`},
		"fewer copies":           {copies(51, false), ""},
		"a sentinel and no tail": {sentinel(), `far "fare" in the split "train": 7 values at -99, far from all others`},
		"few images":             {sized(99, "30"), ""},
		"no value":               {blank(0, 0), `empty "note": no value in any record`},
		"empty strings":          {blank(3, 3), `empty "note": an empty string in every record`},
		"some empty strings":     {blank(3, 2), ""},
		"once":                   {far("99", statistics.Bin{Low: 98, High: 99, Count: 1}), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := slices.DeleteFunc(textsOf(Remarks(document(c.feature), nil)), func(text string) bool {
				return strings.HasPrefix(text, "split_skew") || strings.HasPrefix(text, "classes.in_every")
			})
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestAdvice says what to do about each remark.
func TestAdvice(t *testing.T) {
	for check, text := range advice {
		if text == "" || Advice(check) != text {
			t.Errorf("%s: %q", check, Advice(check))
		}
	}
	constant := texts(statistics.Values{Top: top(100, "x"), Distinct: 1},
		statistics.Values{Top: top(50, "x"), Distinct: 1})
	for _, f := range Remarks(document(constant, classFeature([]int64{5, 5, 0, 0}, []int64{3, 3, 2, 0})), nil) {
		if Advice(f.Check) == "" {
			t.Errorf("no advice for %s", f.Check)
		}
	}
	if Advice("other") != "" {
		t.Error("advice for a check that does not exist")
	}
}
