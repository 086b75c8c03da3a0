package report

import (
	"encoding/json"
	"html/template"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/statistics"
)

func texts(ticks []tick) string {
	var list []string
	for _, t := range ticks {
		list = append(list, t.text)
	}
	return strings.Join(list, " ")
}

// TestTicks writes round numbers and dates below an axis.
func TestTicks(t *testing.T) {
	days := formatOf(&statistics.Feature{}, "days")
	seconds := formatOf(&statistics.Feature{}, "s")
	for _, c := range []struct {
		got  []tick
		want string
	}{
		{numberTicks(0, 38, false), "0 10 20 30"},
		{numberTicks(-0.25, 0.3, false), "−0.2 0 0.2"},
		{numberTicks(2007, 2009, true), "2007 2008 2009"},
		{numberTicks(0, 1e6, true), "0 200,000 400,000 600,000 800,000 1,000,000"},
		{numberTicks(1e-7, 5e-7, false), "1e-7 2e-7 3e-7 4e-7 5e-7"},
		{numberTicks(3, 3, false), ""},
		{numberTicks(-1e308, 1e308, false), ""},
		{numberTicks(1e300, 1e300*(1+1e-15), false), "1e300"},
		{days.ticks(19358, 20200, true), "2023-01 2023-07 2024-01 2024-07 2025-01"},
		{days.ticks(19358, 20450, true), "2023 2024 2025"},
		{days.ticks(0, 20000, true), "1980 2000 2020"},
		{days.ticks(19358, 19362, true), "2023-01-01 2023-01-02 2023-01-03 2023-01-04 2023-01-05"},
		{seconds.ticks(0, 6*3600, true), "01-01 00:00 01-01 02:00 01-01 04:00 01-01 06:00"},
	} {
		if got := texts(c.got); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	for v, want := range map[float64]float64{1: 1, 1.1: 2, 2.5: 5, 7: 10, 0.03: 0.05, 900: 1000} {
		if got := niceStep(v); got != want {
			t.Errorf("niceStep(%g) = %g, want %g", v, got, want)
		}
	}
}

// TestDates shows dates of each unit, and other values as they are.
func TestDates(t *testing.T) {
	of := func(unit string, end json.Number) valueFormat {
		return formatOf(&statistics.Feature{Splits: []statistics.Values{{},
			{Numbers: &statistics.Numbers{Min: "0", Max: end}}}}, unit)
	}
	for _, c := range []struct {
		format      valueFormat
		value, want string
	}{
		{of("days", "5"), "19358", "2023-01-01"},
		{of("days", "5"), "-1", "1969-12-31"},
		{of("s", "86400"), "1672531200", "2023-01-01"},
		{of("s", "86460"), "1672531260", "2023-01-01 00:01"},
		{of("ms", "1"), "1672531260000", "2023-01-01"},
		{of("us", "60000000"), "1672531260000000", "2023-01-01 00:01"},
		{of("ns", "0"), "1672531260000000000", "2023-01-01"},
		{of("days", "5"), "1e30", "1e30"},
		{of("days", "5"), "none", "none"},
		{of("years", "5"), "5", "5"},
	} {
		if got := c.format.text(c.value); got != c.want {
			t.Errorf("%s is shown as %s, want %s", c.value, got, c.want)
		}
	}
	if got := string(of("ms", "5").appendSpread(nil, 129_600_000)); got != "1.5 days" {
		t.Errorf("a difference of dates is %s", got)
	}
}

// TestEndsOfValues keeps values apart that begin alike.
func TestEndsOfValues(t *testing.T) {
	long := strings.Repeat("long ", 20)
	for _, c := range []struct{ got, want string }{
		{cleanEnds("short", 9, false), "short"},
		{cleanEnds("short", 9, true), "short…"},
		{cleanEnds(long+"1", 12, false), "long lon…ng 1"},
		{cleanEnds(long+"2", 12, true), "long lon…ng 2…"},
		{cleanEnds("\xff"+long, 6, true), `\xfflong l…`},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// binsOf are bins of whole numbers with those counts.
func binsOf(counts ...int64) (bins []statistics.Bin) {
	for i, n := range counts {
		bins = append(bins, statistics.Bin{Low: float64(i), High: float64(i + 1), Count: n})
	}
	return bins
}

// TestMergedBins joins neighbors, evenly where that is possible.
func TestMergedBins(t *testing.T) {
	for n, want := range map[int64]int{0: 1, 1: 2, 28: 7, 278: 14, 8000: 40, 1e9: maxBins} {
		if got := binsFor(n); got != want {
			t.Errorf("%d bins for %d values, want %d", got, n, want)
		}
	}
	bins := binsOf(1, 2, 3, 4, 5, 6, 7, 8, 9)
	bins[8].Open = true
	for most, want := range map[int][]int64{9: {1, 2, 3, 4, 5, 6, 7, 8, 9}, 7: {6, 15, 24}, 3: {6, 15, 24}, 2: {45},
		1: {45}} {
		var got []int64
		merged := mergedBins(bins, most)
		for _, b := range merged {
			got = append(got, b.Count)
		}
		if last := merged[len(merged)-1]; !slices.Equal(got, want) || !last.Open || last.High != 9 {
			t.Errorf("at most %d: %v, want %v", most, got, want)
		}
	}
	if got := mergedBins(binsOf(1, 2, 3, 4, 5, 6, 7), 6); len(got) != 4 || got[3].Count != 7 {
		t.Errorf("%v: a number of bins without divisors", got)
	}
}

// TestColumnCounts has the counts and the edges for the script.
func TestColumnCounts(t *testing.T) {
	uneven := []statistics.Bin{{Low: 0, High: 1, Count: 36}, {Low: 1, High: 3, Count: 0},
		{Low: 3, High: 4, Count: 35, Open: true}}
	for want, s := range map[template.HTMLAttr]series{
		`data-n="1 2 3|0|3"`:         {bins: binsOf(1, 2, 3)},
		`data-n="1 2 3|0"`:           {bins: binsOf(1, 2, 3), ones: true},
		`data-n="3 7|0 to 1|2 to 3"`: {bins: mergedBins(binsOf(1, 2, 3, 4), 2), ones: true},
		`data-n="10 0 z|0|1|3|"`:     {bins: uneven},
		`data-n="1 2|0|1|2"`:         {bins: binsOf(1, 2)},
	} {
		if got := columnCounts(&s, valueFormat{}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestClippedTails marks an end of a chart beyond which there are values, and no other one.
func TestClippedTails(t *testing.T) {
	h := histogram{whole: true, of: func(v *statistics.Values) *statistics.Numbers { return v.Numbers }}
	bins := binsOf(1, 2, 3)
	bins[0].Open, bins[2].Open = true, true
	values := []statistics.Values{{Numbers: &statistics.Numbers{Finite: 6, Min: "0", Max: "500"}}}
	if a := h.axis(values, bins, 0, 3); a.low != "" || a.high != "≥ 2" {
		t.Errorf("%+v", a)
	}
	values[0].Numbers.Min, values[0].Numbers.Max = "-1", "3"
	if a := h.axis(values, bins, 0, 3); a.low != "≤ 1" || a.high != "" {
		t.Errorf("%+v", a)
	}
}

// TestBars draws bars of classes up to a ratio of their shares, and dots beyond it.
func TestBars(t *testing.T) {
	of := func(counts ...int64) *balance {
		return newBalance(&statistics.Feature{Classes: make([]string, len(counts)),
			Splits: []statistics.Values{{ByClass: counts}}})
	}
	if b := of(200, 10, 0); b.isLog || !strings.Contains(string(b.plot(0)),
		`<rect class="f s0" y=2 height=6 width=98.5% />`) || strings.Contains(string(b.plot(2)), "rect") {
		t.Errorf("20:1 has no bars: %s", b.plot(0))
	}
	b := of(201, 10, 0)
	if !b.isLog || !strings.Contains(string(b.plot(2)), `class="z s0"`) {
		t.Errorf("20.1:1 has no dots: %s", b.plot(2))
	}
	var got []string
	for _, tick := range b.ticks() {
		got = append(got, tick.text)
	}
	if want := "1% 2% 5% 10% 20% 50% 100%"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFindingsByCheck has a row for each check and feature, with the splits as columns.
func TestFindingsByCheck(t *testing.T) {
	m := &dataset.Manifest{Splits: []dataset.Split{{Name: "train"}, {Name: "validation"}, {Name: "test"}}}
	find := func(check, feature, split, found, text string) checks.Finding {
		return checks.Finding{Check: check, Feature: feature, Split: split, Found: found, Limit: "at most 1",
			Text: text}
	}
	table := viewFindings(m, []checks.Finding{
		find("max", "a", "train", "3", `"a" in the split "train": 2 values above 1; the greatest is 3`),
		find("zeros", "b", "", "95%", `"b": 95% of the values are 0`),
		find("max", "b", "test", "7", ""),
		find("max", "a", "test", "5", `"a" in the split "test": 9 values above 1; the greatest is 5`),
		find("max", "a", "other", "4", ""),
	})
	if len(table.Splits) != 2 || table.Splits[0].Name != "train" || table.Splits[1].Name != "test" ||
		table.Splits[1].Color != 2 {
		t.Errorf("columns %+v", table.Splits)
	}
	advice := checks.Advice("max")
	want := []findingRow{
		{Check: "max", Feature: "a", Limit: "at most 1", Advice: advice, Rows: 2, key: "a", Text: "other: 4",
			Cells: []findingCell{{"train", "3", "2 values above 1"}, {"test", "5", "9 values above 1"}}},
		{Check: "max", Feature: "b", Limit: "at most 1", Advice: advice, key: "b",
			Cells: []findingCell{{"train", "", ""}, {"test", "7", ""}}},
		{Check: "zeros", Feature: "b", Limit: "at most 1", Advice: checks.Advice("zeros"), Rows: 1, key: "b",
			Found: "95%", Text: "of the values are 0",
			Cells: []findingCell{{Split: "train"}, {Split: "test"}}},
	}
	if !reflect.DeepEqual(table.Rows, want) {
		t.Errorf("got  %+v\nwant %+v", table.Rows, want)
	}
}

// TestIdentifiersOfDates skips that dates differ.
func TestIdentifiersOfDates(t *testing.T) {
	p := &Page{Manifest: &dataset.Manifest{}, Shown: Shown{Dates: map[string]string{"day": "s"}},
		Remarks: []checks.Finding{
			{Check: "identifier", Feature: "day"}, {Check: "identifier", Feature: "id"},
			{Check: "zeros", Feature: "day"},
		}}
	if f := viewFound(p); len(f.Remarks.Rows) != 2 || f.of["day"] != 1 || f.of["id"] != 1 || len(p.Remarks) != 3 {
		t.Errorf("%+v", f)
	}
}

// TestOrderOfConfig shows features in the order of the config, and others after them.
func TestOrderOfConfig(t *testing.T) {
	d := &statistics.Document{Features: []statistics.Feature{{Key: "a"}, {Key: "b"}, {Key: "c"}, {Key: "d"}}}
	var keys []string
	for _, f := range byConfig(d, []string{"d", "gone", "b"}).Features {
		keys = append(keys, f.Key)
	}
	if got := strings.Join(keys, " "); got != "d b a c" || d.Features[0].Key != "a" {
		t.Errorf("%s", got)
	}
}

// TestLabels finds the class and the file of an image.
func TestLabels(t *testing.T) {
	one := []statistics.Values{{Most: 1}}
	d := &statistics.Document{Features: []statistics.Feature{
		{Key: "boxes", Kind: statistics.Class, Classes: []string{"a", "b"}, Splits: []statistics.Values{{Most: 9}}},
		{Key: "label", Kind: statistics.Class, Classes: []string{"cat", "dog"}, First: 1, Splits: one},
		{Key: "town", Kind: statistics.Text, Splits: one},
		{Key: "image/filename", Kind: statistics.Text, Splits: one},
	}}
	if k := findLabels(d, ""); k.class != "label" || k.file != "image/filename" || k.nameOf(1) != "cat" ||
		k.nameOf(3) != "3" || k.nameOf(0) != "0" {
		t.Errorf("%+v", k)
	}
	if k := findLabels(d, "town"); k.class != "town" {
		t.Errorf("%+v", k)
	}
	l := label{keys: findLabels(d, "")}
	l.add("image/filename", message.Feature{})
	if l.file != "" {
		t.Errorf("%+v", l)
	}
}

// TestNothingFrequent has counts in place of values where none is frequent.
func TestNothingFrequent(t *testing.T) {
	feature := func(count int64) *statistics.Feature {
		return &statistics.Feature{Kind: statistics.Text,
			Splits: []statistics.Values{{},
				{Count: 1000, Distinct: 990, Top: []statistics.Top{{Value: "x", Count: count}}}}}
	}
	splits := []statistics.Split{{Name: "train"}, {Name: "test"}}
	var d featureDetail
	d.viewTop(splits, feature(9), valueFormat{})
	if want := "No value is frequent: test has 1,000 values, 990 of them distinct; one occurs 9 times at " +
		"most."; d.Other != want || d.Top != nil {
		t.Errorf("%+v, want %s", d, want)
	}
	d = featureDetail{}
	d.viewTop(splits, feature(10), valueFormat{})
	if len(d.Top) != 1 || d.Top[0].Share != "1.0%" || d.TopOf != "test" || d.Other != "990 others" {
		t.Errorf("%+v", d)
	}
}
