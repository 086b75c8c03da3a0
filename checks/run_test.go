package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/message"
	"tfr-build/statistics"
)

// document has two splits of 100 and 50 records, with features in them.
func document(features ...statistics.Feature) *statistics.Document {
	return &statistics.Document{
		Splits:   []statistics.Split{{Name: "train", Records: 100}, {Name: "test", Records: 50}},
		Features: features,
	}
}

// numbers is a feature of floats: 100 of each split, a tenth of them in each bin of 0
// to 10.
func numbers(change func(train, test *statistics.Values)) statistics.Feature {
	values := func() statistics.Values {
		n := &statistics.Numbers{Finite: 100, Min: "0", Max: "10"}
		for i := range 10 {
			n.Histogram = append(n.Histogram, statistics.Bin{Low: float64(i), High: float64(i + 1), Count: 10})
		}
		return statistics.Values{Present: 100, Count: 100, Distinct: 90, Numbers: n}
	}
	f := statistics.Feature{Key: "fare", List: message.FloatList, Kind: statistics.Number,
		Splits: []statistics.Values{values(), values()}}
	change(&f.Splits[0], &f.Splits[1])
	return f
}

// texts is a feature of texts, with the most frequent ones of each split.
func texts(train, test statistics.Values) statistics.Feature {
	f := statistics.Feature{Key: "vendor", List: message.BytesList, Kind: statistics.Text,
		Splits: []statistics.Values{train, test}}
	for i := range f.Splits {
		v := &f.Splits[i]
		for _, t := range v.Top {
			v.Count += t.Count
		}
		v.Count += v.Other
		v.Present = v.Count
	}
	return f
}

// classFeature has the classes a to d, as often as the counts say.
func classFeature(train, test []int64) statistics.Feature {
	f := statistics.Feature{Key: "label", List: message.Int64List, Kind: statistics.Class,
		Classes: []string{"a", "b", "c", "d"}}
	for _, counts := range [][]int64{train, test} {
		v := statistics.Values{ByClass: counts}
		for _, n := range counts {
			v.Count += n
		}
		v.Present = v.Count
		f.Splits = append(f.Splits, v)
	}
	return f
}

func asIs(train, test *statistics.Values) {}

func ptr[T any](v T) *T { return &v }

func top(count int64, names ...string) (list []statistics.Top) {
	for _, name := range names {
		list = append(list, statistics.Top{Value: name, Count: count})
	}
	return list
}

// textsOf returns the texts of findings, each after its check.
func textsOf(findings []Finding) []string {
	list := []string{}
	for i := range findings {
		list = append(list, findings[i].Check+" "+findings[i].Text)
	}
	return list
}

func TestRun(t *testing.T) {
	long := strings.Repeat("x", 80)
	onTest := func(change func(v *statistics.Values)) statistics.Feature {
		return numbers(func(_, test *statistics.Values) { change(test) })
	}
	fare := func(f Feature) *Expected {
		f.Key = "fare"
		return &Expected{Features: []Feature{f}}
	}
	vendor := func(values ...string) *Expected {
		return &Expected{Features: []Feature{{Key: "vendor", Values: values}}}
	}
	maybeEmpty := func(share uint64) *Expected {
		return &Expected{Features: []Feature{{Key: "vendor", Empty: &share}}}
	}
	empty := &Expected{Classes: &Classes{InEverySplit: false}}
	for _, tt := range []struct {
		name string
		doc  *statistics.Document
		e    *Expected
		want []string
	}{
		{"nothing", document(numbers(asIs)), &Expected{}, nil},
		{"a feature that is not there", document(numbers(asIs)), &Expected{Features: []Feature{{Key: "x", Min: "0"}}},
			nil},
		{"limits kept", document(numbers(asIs)), fare(Feature{Min: "0", Max: "10.0"}), nil},
		{"limits of float32s", document(onTest(func(v *statistics.Values) {
			v.Numbers.Min,
				v.Numbers.Max = "-0.10000000149011612", "16777216"
		})),
			fare(Feature{Min: "-0.1", Max: "16777217"}), []string{}},
		{"below, by bins", document(onTest(func(v *statistics.Values) { v.Numbers.Min = "0.25" })),
			fare(Feature{Min: "3"}), []string{
				`min "fare" in the split "train": 30 of 100 values below 3; the least is 0`,
				`min "fare" in the split "test": 30 of 100 values below 3; the least is 0.25`}},
		{"above, inside a bin", document(numbers(asIs)), fare(Feature{Max: "8.5"}), []string{
			`max "fare" in the split "train": 10 to 20 of 100 values above 8.5; the greatest is 10`,
			`max "fare" in the split "test": 10 to 20 of 100 values above 8.5; the greatest is 10`}},
		{"above, at the beginning of a bin", document(onTest(func(v *statistics.Values) { v.Numbers.Max = "8" })),
			fare(Feature{Max: "8"}), []string{
				`max "fare" in the split "train": 10 to 20 of 100 values above 8; the greatest is 10`}},
		{"above, without a histogram", document(onTest(func(v *statistics.Values) {
			v.Numbers.Max, v.Numbers.Histogram = "11",
				nil
		})), fare(Feature{Max: "10"}), []string{
			`max "fare" in the split "test": some of 100 values above 10; the greatest is 11`}},
		{"above in the last bin", document(onTest(func(v *statistics.Values) {
			v.Numbers.Max,
				v.Numbers.Histogram[9].High = "11", 11
		})), fare(Feature{Max: "10"}), []string{
			`max "fare" in the split "test": 1 to 10 of 100 values above 10; the greatest is 11`}},
		{"one above in the last bin", document(onTest(func(v *statistics.Values) {
			v.Numbers.Max, v.Numbers.Histogram[9] = "11", statistics.Bin{Low: 9, High: 11, Count: 1}
		})), fare(Feature{Max: "10"}),
			[]string{`max "fare" in the split "test": 1 of 100 values above 10; the greatest is 11`}},
		{"infinities", document(onTest(func(v *statistics.Values) {
			v.Numbers = &statistics.Numbers{NegInf: 2, PosInf: 1,
				NaN: 97}
		})), fare(Feature{Min: "0", Max: "10"}), []string{
			`min "fare" in the split "test": 2 of 100 values below 0; the least is -inf`,
			`max "fare" in the split "test": 1 of 100 values above 10; the greatest is inf`}},
		{"integers that no double represents", document(onTest(func(v *statistics.Values) {
			v.Numbers.Max,
				v.Numbers.Histogram = "9007199254740993", nil
		})), fare(Feature{Max: "9007199254740992"}), []string{
			`max "fare" in the split "test": some of 100 values above 9007199254740992; the greatest is ` +
				`9007199254740993`}},
		{"missing as often as may be", document(onTest(func(v *statistics.Values) { v.Present, v.Missing = 99, 1 })),
			fare(Feature{Missing: ptr(uint64(1_000_000))}), nil},
		{"missing more often", document(onTest(func(v *statistics.Values) { v.Present, v.Missing = 198, 3 })),
			fare(Feature{Missing: ptr(uint64(1_000_000))}), []string{
				`missing "fare" in the split "test": missing in 3 of 201 records, 1.49%; expected at most 1%`}},
		{"missing at all", document(onTest(func(v *statistics.Values) { v.Present, v.Missing = 1<<62, 1 })),
			fare(Feature{Missing: ptr(uint64(0))}), []string{
				`missing "fare" in the split "test": missing in 1 of 4611686018427387905 records, 2.17e-17%; ` +
					`expected at most 0%`}},
		{"empty as often as may be", document(texts(statistics.Values{Other: 100, Empty: 1}, statistics.Values{})),
			maybeEmpty(1_000_000), nil},
		{"empty more often", document(texts(statistics.Values{Other: 100, Empty: 1},
			statistics.Values{Other: 201, Empty: 3})), maybeEmpty(1_000_000), []string{
			`empty "vendor" in the split "test": 3 of 201 strings empty, 1.49%; expected at most 1%`}},
		{"empty at all", document(texts(statistics.Values{Other: 1, Empty: 1}, statistics.Values{Other: 1})),
			maybeEmpty(0), []string{
				`empty "vendor" in the split "train": 1 of 1 string empty, 100%; expected at most 0%`}},
		{"distinct", document(onTest(func(v *statistics.Values) { v.Distinct = 91 })),
			fare(Feature{Distinct: ptr(int64(90))}), []string{
				`distinct "fare" in the split "test": 91 distinct values; expected at most 90`}},
		{"distinct, about", document(numbers(func(a, b *statistics.Values) {
			a.Distinct, a.Estimated, b.Distinct, b.Estimated = 2080, true, 2081, true
		})), fare(Feature{Distinct: ptr(int64(2000))}), []string{
			`distinct "fare" in the split "test": about 2081 distinct values; expected at most 2000`}},
		{"distinct of any number", document(onTest(func(v *statistics.Values) { v.Estimated = true })),
			fare(Feature{Distinct: ptr(int64(1<<63 - 1))}), nil},
		{"not finite", document(onTest(func(v *statistics.Values) { v.Numbers.NaN, v.Numbers.NegInf = 3, 1 })),
			fare(Feature{Finite: true}), []string{
				`finite "fare" in the split "test": 4 of 100 values not finite: 3 NaN, 1 -inf; expected finite ones ` +
					`alone`}},
		{"known values", document(texts(statistics.Values{Top: top(5, "CMT", "VTS")},
			statistics.Values{Top: top(3, "VTS", "A", "B", "C", "D", "E", "F\n")})), vendor("CMT", "VTS"), []string{
			`values "vendor" in the split "test": 18 of 21 values not among the 2 values expected: "A" (3), "B" ` +
				`(3), "C" (3), "D" (3), "E" (3) and 1 more`}},
		{"known values, and more that are not named",
			document(texts(statistics.Values{Top: top(5, "CMT", "VTS"), Other: 9, Distinct: 6}, statistics.Values{})),
			vendor("CMT", "VTS"), []string{
				`values "vendor" in the split "train": at least 4 of 19 values not among the 2 values expected; of ` +
					`the 9 values that are less frequent only how many differ is known`}},
		{"known values, which the others may be",
			document(texts(statistics.Values{Top: top(5, "CMT"), Other: 9, Distinct: 2},
				statistics.Values{})), vendor("CMT", "VTS"), nil},
		{"known values, of very many", document(texts(statistics.Values{Top: top(5, "X", "VTS"), Other: 9000,
			Distinct: 5000, Estimated: true}, statistics.Values{})), vendor("VTS"), []string{
			`values "vendor" in the split "train": at least 4803 of 9010 values not among the 1 value expected: "X" ` +
				`(5); of the 9000 values that are less frequent only how many differ is known`}},
		{"known long values", document(texts(statistics.Values{Top: []statistics.Top{{Value: long, Cut: true, Count: 1},
			{Value: long[:79] + "y", Cut: true, Count: 2}}}, statistics.Values{})), vendor(long+"z", long[:79]+"y"),
			[]string{
				`values "vendor" in the split "train": 2 of 3 values not among the 2 values expected: ` +
					`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"… (2)`}},
		{"known bools", document(boolFeature()), vendor("true"), []string{
			`values "vendor" in the split "test": 1 of 3 values not among the 1 value expected: "false" (1)`}},
		{"bools are no classes", document(boolFeature()), &Expected{Classes: &Classes{InEverySplit: true}}, nil},
		{"bools are classes where they are named", document(boolFeature()),
			&Expected{Classes: &Classes{InEverySplit: true}, By: "vendor"}, []string{
				`classes.in_every_split "vendor" in the split "train": 1 of its 2 classes missing that other splits ` +
					`have: "false"`}},
		{"known classes", document(classFeature([]int64{5, 5, 0, 0}, []int64{1, 0, 2, 0})),
			&Expected{Features: []Feature{{Key: "label", Values: []string{"a", "b"}}}}, []string{
				`values "label" in the split "test": 2 of 3 values not among the 2 values expected: "c" (2)`}},
		{"known classes, and numbers of none", document(unlabeledFeature()),
			&Expected{Features: []Feature{{Key: "label", Values: []string{"a", "b", "c", "d"}}}}, []string{
				`values "label" in the split "test": 4 of 5 values not among the 4 values expected; 4 values of no ` +
					`class`}},
		{"rows", document(), &Expected{Rows: []Rows{{"train", 100}, {"test", 51}, {"other", 1}}}, []string{
			`rows the split "test" has 50 rows; expected at least 51`,
			`rows the split "other" has 0 rows; expected at least 1`}},
		{"classes", document(classFeature([]int64{5, 5, 0, 0}, []int64{1, 0, 2, 0})),
			&Expected{Classes: &Classes{InEverySplit: true}}, []string{
				`classes.empty "label": 1 of its 4 classes without any row: "d"`,
				`classes.in_every_split "label" in the split "train": 1 of its 4 classes missing that other splits ` +
					`have: "c"`,
				`classes.in_every_split "label" in the split "test": 1 of its 4 classes missing that other splits ` +
					`have: "b"`}},
		{"classes of a split without rows", emptySplit(classFeature([]int64{1, 1, 1, 1}, []int64{0, 0, 0, 0})),
			&Expected{Classes: &Classes{InEverySplit: true}}, nil},
		{"classes that may be empty", document(classFeature([]int64{5, 5, 0, 0}, []int64{1, 0, 2, 0})),
			&Expected{Classes: &Classes{Empty: true}}, nil},
		{"unlabeled", document(unlabeledFeature()), empty,
			[]string{`classes.empty "label": 7 of 21 records without a class, 4 of 14 values of no class`}},
		{"unlabeled, with a limit", document(unlabeledFeature()),
			&Expected{Features: []Feature{{Key: "label", Missing: ptr(uint64(60_000_000))}}, Classes: &Classes{}},
			[]string{
				`classes.empty "label": 4 of 14 values of no class`}},
		{"values as classes", document(texts(statistics.Values{Top: top(5, "CMT", "VTS"), Other: 1},
			statistics.Values{Top: top(5, "VTS", "XYZ")}), classFeature([]int64{1, 0, 0, 0}, []int64{0, 0, 0, 0})),
			&Expected{By: "vendor", Classes: &Classes{InEverySplit: true}}, []string{
				`classes.in_every_split "vendor" in the split "test": 1 of its 3 classes missing that other splits ` +
					`have: "CMT"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := textsOf(Run(tt.doc, tt.e, nil)); !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// boolFeature is always true in its first split.
func boolFeature() statistics.Feature {
	f := classFeature([]int64{0, 3}, []int64{1, 2})
	f.Key, f.Classes = "vendor", []string{"false", "true"}
	return f
}

// emptySplit is a document whose second split has no records.
func emptySplit(f statistics.Feature) *statistics.Document {
	doc := document(f)
	doc.Splits[1].Records = 0
	return doc
}

// unlabeledFeature has records without a class in its second split, and values of no
// class.
func unlabeledFeature() statistics.Feature {
	f := classFeature([]int64{5, 2, 1, 1}, []int64{1, 0, 0, 0})
	f.Splits[1].Missing = 7
	f.Splits[1].Unknown, f.Splits[1].Count, f.Splits[1].Present = 4, 5, 5
	return f
}

func TestLeakage(t *testing.T) {
	leaks := []Leak{{"train", 6}, {"validation", 0}, {"test", 5}}
	if got := Run(document(), &Expected{Leakage: ptr(int64(11))}, leaks); len(got) > 0 {
		t.Errorf("as many as may be: %v", got)
	}
	got := textsOf(Run(document(), &Expected{Leakage: ptr(int64(10))}, leaks))
	want := `leakage 11 rows with a content that is also in another split: in "train" (6), "test" (5); expected at ` +
		`most 10`
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSplitSkew compares splits by each kind of bucket.
func TestSplitSkew(t *testing.T) {
	sizes := func(bins ...int64) *statistics.Numbers {
		n := &statistics.Numbers{}
		for _, count := range bins {
			n.Histogram = append(n.Histogram, statistics.Bin{Count: count})
		}
		return n
	}
	pictures := func(train, test *statistics.Numbers) statistics.Feature {
		return statistics.Feature{Key: "image", Kind: statistics.Image, Splits: []statistics.Values{
			{Present: 100, Count: 100, Sizes: train}, {Present: 50, Count: 50, Sizes: test}}}
	}
	moved := numbers(func(_, test *statistics.Values) {
		for i := range 5 {
			test.Numbers.Histogram[i].Count, test.Numbers.Histogram[i+5].Count = 0, 20
		}
	})
	lists := moved
	lists.Splits = slices.Clone(moved.Splits)
	lists.Splits[1].Present = 9
	unlike := texts(statistics.Values{Top: top(50, "a"), Other: 50, Sizes: sizes(100, 0)},
		statistics.Values{Top: top(50, "b"), Other: 50, Sizes: sizes(0, 100)})
	for _, tt := range []struct {
		name    string
		feature statistics.Feature
		found   string // empty for none
		of      string
	}{
		{"equal numbers", numbers(asIs), "", ""},
		{"numbers", moved, "0.311", "k = 10 bins of values"},
		{"numbers of few records", lists, "", ""},
		{"numbers that are not there", numbers(func(_,
			test *statistics.Values) {
			test.Numbers = &statistics.Numbers{}
			test.Count = 0
		}), "", ""},
		{"NaN", numbers(func(_, test *statistics.Values) { test.Numbers = &statistics.Numbers{NaN: 100} }), "1",
			"k = 11 bins of values"},
		{"classes", classFeature([]int64{50, 50, 0, 0}, []int64{5, 5, 60, 0}), "0.689", "k = 3 classes"},
		{"texts", texts(statistics.Values{Top: top(50, "a", "b")}, statistics.Values{Top: top(50, "c", "b")}), "0.5",
			"k = 3 values"},
		{"texts that may be equal", texts(statistics.Values{Top: top(50, "a", "b"), Other: 50},
			statistics.Values{Top: top(50, "c", "b"), Other: 50}), "", ""},
		{"texts of which one split has all", texts(statistics.Values{Top: top(50, "a", "b")},
			statistics.Values{Top: top(50, "c"), Other: 50}), "0.311", "k = 2 values"},
		{"sizes", pictures(sizes(100, 0), sizes(0, 50)), "1", "k = 2 bins of sizes"},
		{"sizes of texts", unlike, "1", "k = 2 bins of sizes"},
		{"one bin", pictures(sizes(100, 0), sizes(50, 0)), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Run(document(tt.feature), &Expected{SplitSkew: ptr(0.1)}, nil)
			switch {
			case tt.found == "" && len(got) == 0:
			case tt.found == "" || len(got) != 1:
				t.Errorf("got %+v", got)
			case got[0].Found != tt.found || !strings.Contains(got[0].Text, tt.of) || got[0].Split != "test":
				t.Errorf("got %+v; want %s over %s", got[0], tt.found, tt.of)
			}
		})
	}
	got := Run(document(moved), &Expected{SplitSkew: ptr(0.1)}, nil)
	const want = `"fare" in the split "test": differs from "train" by 0.311; expected at most 0.1, ` +
		`and 0.0784 for chance (Jensen-Shannon divergence in bits, ` +
		`½ Σ p log₂(p/m) + ½ Σ q log₂(q/m) with m = (p + q)/2, over k = 10 bins of values; ` +
		`chance: (k − 1 + 3 √(2(k − 1))) / (8 ln 2) · (1/100 + 1/100))`
	if len(got) != 1 || got[0].Text != want || got[0].Limit != "at most 0.1 + 0.0784" {
		t.Errorf("got  %+v\nwant %s", got, want)
	}
}

func TestRemarkOfEachKind(t *testing.T) {
	gone := statistics.Feature{Key: "gone", Kind: statistics.Text,
		Splits: []statistics.Values{{Missing: 100}, {Missing: 50}}}
	constant := texts(statistics.Values{Top: top(100, "x"), Distinct: 1},
		statistics.Values{Top: top(50, "x"), Distinct: 1})
	two := texts(statistics.Values{Top: top(100, "x"), Distinct: 1}, statistics.Values{Top: top(9, "y"), Distinct: 1})
	two.Key = "two"
	rare := numbers(func(train, test *statistics.Values) {
		train.Numbers.NaN = 1
		test.Present, test.Missing = 50, 50
	})
	doc := document(gone, constant, two, rare, classFeature([]int64{5, 5, 0, 0}, []int64{3, 3, 2, 0}))
	want := []string{
		`missing "gone": missing in all records`,
		`constant "vendor": one value in every record`,
		`finite "fare" in the split "train": 1 of 100 values not finite: 1 NaN`,
		`missing "fare" in the split "test": missing in 50% of the records, and in 0% of those in "train"`,
		`classes.empty "label": 1 of its 4 classes without any row: "d"`,
		`classes.in_every_split "label" in the split "train": 1 of its 4 classes missing that other splits have: "c"`,
	}
	if got := textsOf(Remarks(doc, nil)); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	found := Run(doc, &Expected{Classes: &Classes{}}, nil)
	if got := textsOf(Remarks(doc, found)); slices.Contains(got, want[4]) || len(got) != len(want)-1 {
		t.Errorf("a remark repeats a finding:\n%s", strings.Join(got, "\n"))
	}
	if got := Remarks(document(numbers(asIs)), nil); len(got) > 0 {
		t.Errorf("nothing is odd, but %v", textsOf(got))
	}
	one := texts(statistics.Values{Top: top(1, "x"), Distinct: 1}, statistics.Values{})
	if got := Remarks(document(one), nil); len(got) > 0 {
		t.Errorf("one value is not a constant, but %v", textsOf(got))
	}
	if got := Remarks(&statistics.Document{}, nil); len(got) > 0 {
		t.Errorf("there is nothing, but %v", textsOf(got))
	}
}

// TestManyFindings has very many features, classes and splits, with hostile
// names.
func TestManyFindings(t *testing.T) {
	hostile := "<script>\n\x00\xff\u2028\x1b[31m" + strings.Repeat("é", 200)
	doc := document()
	e := &Expected{Classes: &Classes{InEverySplit: true}, SplitSkew: ptr(0.0)}
	for i := range 10_000 {
		f := numbers(func(train, test *statistics.Values) { test.Numbers = &statistics.Numbers{NaN: 100} })
		f.Key = fmt.Sprint(hostile, i)
		doc.Features = append(doc.Features, f)
		e.Features = append(e.Features, Feature{Key: f.Key, Min: "1"})
	}
	many := statistics.Feature{Key: hostile, Kind: statistics.Class,
		Splits: []statistics.Values{{ByClass: make([]int64, 1_000_000), Count: 1}, {ByClass: make([]int64, 1_000_000)}}}
	many.Classes = slices.Repeat([]string{hostile}, 1_000_000)
	many.Splits[0].ByClass[7] = 1
	doc.Features = append(doc.Features, many)
	found := Run(doc, e, nil)
	if len(found) != 101+101+2 || found[len(found)-1].Text != "9900 findings more of this check" {
		t.Errorf("%d findings, the last one %+v", len(found), found[len(found)-1])
	}
	for _, line := range Warnings(found) {
		if strings.ContainsFunc(line, func(r rune) bool {
			return r < ' ' || r == 0x7f || r == '\u2028' || r == '\ufffd'
		}) ||
			len(line) > 1000 {
			t.Fatalf("a line of the log: %q", line)
		}
	}
}

// TestWarnings makes one line of what one check finds in several splits.
func TestWarnings(t *testing.T) {
	above := func(split, text string) Finding {
		return Finding{Check: "max", Feature: "age", Split: split, Found: "89", Limit: "at most 80",
			Text: in("age", split) + ": " + text}
	}
	var many []Finding
	for i := range 10 {
		many = append(many, Finding{Check: "rows", Split: fmt.Sprint("s", i), Found: "1 row", Limit: "at least 2",
			Text: "the split has 1 row; expected at least 2"})
	}
	for _, c := range []struct {
		findings []Finding
		want     string
	}{
		{nil, ""},
		{[]Finding{above("train", "1 of 3 values above 80; the greatest is 89")},
			`check max: "age" in the split "train": 1 of 3 values above 80; the greatest is 89`},
		{[]Finding{
			above("train", "184 to 201 of 1445 values above 80; the greatest is 89"),
			{Check: "leakage", Found: "2 rows", Limit: "at most 0", Text: "2 rows with a content that also is in " +
				"another split"}, above("test", "24 of 162 values above 80; the greatest is 89"),
		},
			`check max: "age": expected at most 80, found in "train" 184 to 201 of 1445 values above 80; "test" 24 ` +
				`of 162 values above 80` + "\n" +
				`check leakage: 2 rows with a content that also is in another split`},
		{many, `check rows: expected at least 2, found in "s0" 1 row; "s1" 1 row; "s2" 1 row; "s3" 1 row; "s4" 1 ` +
			`row; "s5" 1 row; "s6" 1 row; "s7" 1 row; 2 more splits`},
	} {
		if got := strings.Join(Warnings(c.findings), "\n"); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}
