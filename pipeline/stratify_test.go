package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

const stratifiedFeatures = "features: {id: int64}\nshards: 1\n"

// strataText lists what a build did with the values of a column: `"a" 8+1+1; "b" 4+0+1`.
func strataText(t *testing.T, output string) string {
	t.Helper()
	var list []string
	for _, s := range manifestOf(t, output).Stratified {
		for _, v := range s.Values {
			list = append(list, v.Value+" "+strings.Join(strings.Fields(strings.Trim(fmt.Sprint(v.Rows), "[]")), "+"))
		}
	}
	return strings.Join(list, "; ")
}

// TestHostileStrata divides values that are easily treated as others: each is a stratum of its own.
func TestHostileStrata(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,label\n")
	for i := range 10 {
		for _, label := range []string{"NaN", "nan", "0", "-0", "NA", "\"\n\"", "caf\xc3\xa9", "cafe\xcc\x81"} {
			fmt.Fprintf(&text, "%d,%s\n", i, label)
		}
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text.String()})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv, null_values: [NA]}}\nsplit: {fractions: "+
		"{train: 80%, test: 20%}, stratify: label}\n"+stratifiedFeatures)
	want := `missing 8+2; "\n" 8+2; "-0" 8+2; "0" 8+2; "NaN" 8+2; "café" 8+2; "café" 8+2; "nan" 8+2`
	want = strings.Replace(want, `"café" 8+2; "café" 8+2`, "\"cafe\u0301\" 8+2; \"café\" 8+2", 1)
	for _, w := range []way{ways[0], ways[4]} {
		if got := strataText(t, mustBuild(t, cfg, w)); got != want {
			t.Errorf("%+v:\n%s\nexpected\n%s", w, got, want)
		}
	}
	dir = testenv.Directory(t,
		map[string]string{"a.jsonl": strings.Repeat(
			`{"id": 1, "label": 0}`+"\n"+`{"id": 1, "label": -0.0}`+"\n"+`{"id": 1, "label": null}`+"\n"+`{"id": 1, `+
				`"label": ""}`+"\n"+`{"id": 1}`+"\n", 10)})
	cfg = load(t, dir, "name: d\noutput: out\nsource: {jsonl: a.jsonl}\nsplit: {folds: 2, stratify: "+
		"label}\n"+stratifiedFeatures)
	if got, want := strataText(t, mustBuild(t, cfg, ways[0])),
		`missing 10+10; "" 5+5; "-0.0" 5+5; "0" 5+5`; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestInvalidUTF8Stratum rejects a row whose stratum is not UTF-8, as the source does with any value;
// it has no position, so the other rows are divided as without it.
func TestInvalidUTF8Stratum(t *testing.T) {
	table := func(more string) string { return "id,label\n" + strings.Repeat("1,a\n2,b\n", 10) + more }
	dir := testenv.Directory(t, map[string]string{"a.csv": table("3,\xff\n")})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\non_error: skip\nmax_errors: 1\nsplit: {folds: 5, "+
		"stratify: label}\n"+stratifiedFeatures)
	for _, w := range ways {
		output := mustBuild(t, cfg, w)
		if got, want := strataText(t, output), `"a" 2+2+2+2+2; "b" 2+2+2+2+2`; got != want {
			t.Errorf("%+v: %s, expected %s", w, got, want)
		}
		if m := manifestOf(t, output); m.WithoutSplit == nil || m.WithoutSplit.Found != 1 {
			t.Errorf("%+v: rows without a split: %+v", w, m.WithoutSplit)
		}
	}
}

// TestTooManyStrata names the column with a million values, and the limit.
func TestTooManyStrata(t *testing.T) {
	var text strings.Builder
	text.WriteString("id\n")
	for i := range testenv.Times(200_000, 1_000_000, 1_000_000) {
		fmt.Fprintln(&text, i)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text.String()})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\n"+
		"split: {folds: 2, stratify: id}\n"+stratifiedFeatures)
	for _, w := range []way{ways[1], ways[5]} {
		_, err := buildTo(t, cfg, w)
		var problems *config.Problems
		if !errors.As(err, &problems) || len(problems.List) != 1 || problems.List[0].Path != "split.stratify" ||
			problems.List[0].Text != `column "id" has more than 65536 values` || problems.List[0].Hint == "" {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// TestOneGroupOfAllRows puts the only group into one split.
func TestOneGroupOfAllRows(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,user,label\n" +
		strings.Repeat("1,ann,x\n2,ann,y\n", 5_000)})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nsplit: {fractions: {train: 80%, test: 20%}, by: "+
		"user, stratify: label}\n"+stratifiedFeatures)
	want := ""
	for _, w := range ways {
		got := strataText(t, mustBuild(t, cfg, w))
		if got != `"x" 10000+0` && got != `"x" 0+10000` || want != "" && got != want {
			t.Errorf("%+v: %s", w, got)
		}
		want = got
	}
}

// TestStratifyCounts divides only the rows that where and sample leave, whatever the seed, and says
// which values have few rows and which groups other sources have.
func TestStratifyCounts(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,user,label\n")
	for i := range 400 {
		fmt.Fprintf(&text, "%d,u%d,%s\n", i, i%40, []string{"a", "b", "rare", "a"}[min(i%4, i%40+i/41*9)])
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text.String(),
		"b.csv": "id,user,label\n9,u0,a\n8,u0,a\n7,other,b\n"})
	config := `name: d
output: out
where: 'label != "b"'
SEED
sources:
  - csv: a.csv
  - {csv: b.csv, split: {folds: 2, by: user, stratify: label}}
split: {fractions: {train: 75%, test: 25%}, by: user, stratify: label}
` + stratifiedFeatures
	var first string
	for i, seed := range []string{"", "seed: 5", "statistics: {values: false}"} {
		cfg := load(t, dir, strings.Replace(config, "SEED", seed, 1))
		said, run := warnings(ways[i].run(filepath.Join(t.TempDir(), "out")))
		if _, err := Build(context.Background(), cfg, run); err != nil {
			t.Fatal(err)
		}
		m := manifestOf(t, run.Output)
		got := fmt.Sprint(m.Stratified[0].Strata, m.Stratified[1].Strata, m.Stratified[1].Few, " ",
			strataText(t, run.Output))
		if i == 2 {
			if strings.Contains(got, "a") || m.Stratified[0].Values != nil ||
				slices.ContainsFunc(*said, func(s string) bool { return strings.Contains(s, `"rare"`) }) {
				t.Errorf("values: false has %s, %q", got, *said)
			}
			continue
		}
		if m.Stratified[0].By != "user" {
			t.Errorf("the groups are of the column %q", m.Stratified[0].By)
		}
		if first == "" {
			first = got
		}
		rows := int64(0)
		for _, s := range m.Stratified {
			for _, v := range s.Values {
				for _, n := range v.Rows {
					rows += n
				}
			}
		}
		if got != first || strings.Contains(got, `"b"`) ||
			rows != m.Splits[0].Records+m.Splits[1].Records+m.Splits[2].Records+m.Splits[3].Records {
			t.Errorf("%s: %s, at first %s", seed, got, first)
		}
		if !slices.Contains(*said,
			"split.by: 1 value also in sources with another split, which can put them into other splits") {
			t.Errorf("warnings: %q", *said)
		}
	}
}

// TestFewRowsOfAStratum names the first values with fewer rows than splits.
func TestFewRowsOfAStratum(t *testing.T) {
	text := "id,label\n" + strings.Repeat("1,often\n", 20)
	for i := range 12 {
		text += fmt.Sprintf("1,rare %02d\n", i)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nsplit: {folds: 2, stratify: "+
		"label}\n"+stratifiedFeatures)
	const want = `split.stratify: 12 values of column "label": fewer rows than splits: "rare 00", "rare 01", "rare ` +
		`02", "rare 03", "rare 04", "rare 05", "rare 06", "rare 07", "rare 08", "rare 09" and 2 more`
	said, run := warnings(ways[0].run(filepath.Join(t.TempDir(), "out")))
	if _, err := Build(context.Background(), cfg, run); err != nil || !slices.Contains(*said, want) {
		t.Errorf("%v, %q", err, *said)
	}
	for _, memory := range []int64{plenty, 0} {
		p, err := MakePlan(context.Background(), cfg, Run{Workers: 2, Memory: memory})
		if err != nil || !slices.Contains(p.Notes, want) || len(p.Strata) != 1 || p.Strata[0].Strata != 13 ||
			fmt.Sprint(p.Strata[0].Values[0]) != `{"often" [10 10]}` {
			t.Errorf("%d bytes: %v, %+v", memory, err, p)
		}
	}
}

// TestStratifyReadsColumns checks the errors of a column that is missing, and of a value that is not a
// string or a number.
func TestStratifyReadsColumns(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,label\n1,a\n",
		"b.jsonl": `{"id": 1, "label": [1]}` + "\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nsplit: {folds: 2, stratify: "+
		"labels}\n"+stratifiedFeatures)
	var fits *input.MismatchError
	if _, err := buildTo(t, cfg, ways[0]); !errors.As(err, &fits) || fits.Column != "labels" {
		t.Errorf("a missing column: %v", err)
	}
	cfg = load(t, dir, "name: d\noutput: out\nsource: {jsonl: b.jsonl}\nsplit: {folds: 2, stratify: "+
		"label}\n"+stratifiedFeatures)
	var bad *RowsError
	if _, err := buildTo(t, cfg, ways[0]); !errors.As(err, &bad) || bad.Code != "TYPE" ||
		!strings.Contains(err.Error(), `"label"`) {
		t.Errorf("a list: %v", err)
	}
}
