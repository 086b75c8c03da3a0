package pipeline

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// TestLimitOfEachValue compares datasets with the complete one: of each value of a column the first
// rows in output order stay.
func TestLimitOfEachValue(t *testing.T) {
	dir := shapedInput(t)
	for name, source := range testenv.Some(3, 4, shapedSources) {
		t.Run(name, func(t *testing.T) {
			for _, w := range everyWay(t) {
				built := func(shape, column string) map[string][]string {
					return payloadsOf(t,
						mustBuild(t, load(t, dir, "name: d\noutput: out\nrecord: {text: "+column+"}\n"+source+shape),
							w))
				}
				ids, users, parts := built("sample: 90%\n", "id"), built("sample: 90%\n", "user"),
					built("sample: 90%\n", "part")
				limited := built("sample: 90%\nlimit: {train: {rows: 9, per: user}, test: {rows: 5, per: part}, dev: "+
					"3}\n", "id")
				for split, rows := range ids {
					var want []string
					counts := map[string]int{}
					for i, id := range rows {
						of := map[string]string{"train": users[split][i], "test": parts[split][i], "dev": ""}[split]
						if counts[of]++; counts[of] <= map[string]int{"train": 9, "test": 5, "dev": 3}[split] {
							want = append(want, id)
						}
					}
					if !slices.Equal(limited[split], want) {
						t.Errorf("%+v: %s has the rows %s, expected %s", w, split, strings.Join(limited[split], " "),
							strings.Join(want, " "))
					}
				}
			}
		})
	}
}

// TestPlanOfLimits checks that the plan has the same rows as the build, whether rows are read in place
// or spilled.
func TestPlanOfLimits(t *testing.T) {
	dir := shapedInput(t)
	for name, source := range testenv.Some(2, 5, shapedSources) {
		cfg := load(t, dir, "name: d\noutput: out\n"+source+shapes[7]+tableFeatures)
		output := mustBuild(t, cfg, ways[1])
		m := manifestOf(t, output)
		want := []string{fmt.Sprint(m.Skipped())}
		for _, s := range m.Splits {
			want = append(want, fmt.Sprint(s.Name, s.Written, len(s.Shards)))
		}
		if m.Skipped()["limit"] == 0 {
			t.Errorf("%s: %v", name, want)
		}
		for _, memory := range []int64{plenty, 0} {
			p, err := MakePlan(t.Context(), cfg, Run{Workers: 2, Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			got := []string{fmt.Sprint(p.Skipped)}
			for _, s := range p.Splits {
				got = append(got, fmt.Sprint(s.Name, s.Rows, s.Shards))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, %d bytes: the plan has %v, the manifest %v", name, memory, got, want)
			}
		}
	}
}

// TestHostileLimitedValues counts values that are easily treated as equal, each on its own.
func TestHostileLimitedValues(t *testing.T) {
	lines := func(n int, values ...string) (text string) {
		for range n {
			for _, v := range values {
				text += `{"id": "` + strings.ReplaceAll(v, `"`, `'`) + `", "label": ` + v + "}\n"
			}
		}
		return text + `{"id": "missing"}` + "\n"
	}
	dir := testenv.Directory(t, map[string]string{
		"a.jsonl": lines(4, `0`, `-0.0`, `1`, `1.0`, `1e0`, `"nan"`, `"NaN"`, `""`, `null`, `"café"`, `"cafe\u0301"`),
		"b.jsonl": `{"id": "a", "label": "x"}` + "\n" + `{"id": "b", "label": ["x"]}` + "\n",
	})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {jsonl: a.jsonl}\norder: source\nlimit: {train: {rows: 2, per: "+
		"label}}\nrecord: {text: id}\n")
	for _, w := range everyWay(t) {
		counts := map[string]int{}
		for _, id := range payloadsOf(t, mustBuild(t, cfg, w))["train"] {
			counts[id]++
		}
		if len(counts) != 11 || slices.ContainsFunc(slices.Collect(maps.Values(counts)), func(n int) bool {
			return n != 2
		}) {
			t.Errorf("%+v: %v", w, counts)
		}
	}
	cfg = load(t, dir, "name: d\noutput: out\nsource: {jsonl: b.jsonl}\nlimit: {train: {rows: 2, per: "+
		"label}}\nrecord: {text: id}\n")
	var bad *RowsError
	if _, err := buildTo(t, cfg, ways[0]); !errors.As(err, &bad) || bad.Code != "TYPE" ||
		!strings.Contains(err.Error(), `"label"`) {
		t.Errorf("a list: %v", err)
	}
}

// TestRejectedRowIsNotReplaced rejects the first row of a value: it counts. Classes of rows beyond the limit vanish.
func TestRejectedRowIsNotReplaced(t *testing.T) {
	dir := testenv.Directory(t,
		map[string]string{"a.csv": "id,label,c\nx,a,one\n2,a,two\n3,b,three\n4,a,four\n5,b,five\n6,b,six\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\norder: source\non_error: skip\nmax_errors: "+
		"1\nlimit: {train: {rows: 2, per: label}}\nfeatures: {id: int64, c: {classes: auto}}\n")
	for _, w := range ways {
		output := mustBuild(t, cfg, w)
		m := manifestOf(t, output)
		if got := classesOf(t, output, "c"); m.Splits[0].Written != 3 || m.Skipped()["limit"] != 2 ||
			!slices.Equal(got, []string{"five", "one", "three", "two"}) {
			t.Errorf("%+v: %d rows, %v, %q", w, m.Splits[0].Written, m.Skipped(), got)
		}
	}
}

// TestTooManyLimitedValues names the column with too many values, and the key that names it.
func TestTooManyLimitedValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("id\n")
	for i := range 65_537 {
		fmt.Fprintln(&text, i)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": text.String()})
	for i, w := range []way{ways[1], ways[5]} {
		if i < testenv.Times(1, 0, 0) {
			continue
		}
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nlimit: {train: {rows: 1, per: "+
			"id}}\nfeatures: {id: int64}\n")
		_, err := buildTo(t, cfg, w)
		var problems *config.Problems
		if !errors.As(err, &problems) || len(problems.List) != 1 || problems.List[0].Path != "limit.train.per" ||
			problems.List[0].Text != `column "id" has more than 65536 values` || problems.List[0].Hint == "" {
			t.Errorf("%+v: %v", w, err)
		}
		w.chunk = 0
		cfg = load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nwhere: 'id != \"0\"'\nlimit: {train: "+
			"{rows: 1, per: id}}\nfeatures: {id: int64}\n")
		if m := manifestOf(t, mustBuild(t, cfg, w)); m.Splits[0].Written != 65_536 {
			t.Errorf("%+v: %d rows of as many values as there may be", w, m.Splits[0].Written)
		}
	}
}

// TestLimitNeedsItsColumn names the key of a column that the input does not have. A source without
// rows in the split needs none.
func TestLimitNeedsItsColumn(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,label\n1,a\n2,a\n", "b.csv": "id\n3\n4\n"})
	text := "name: d\noutput: out\nsources: [{csv: a.csv, split: train}, {csv: b.csv, split: test}]\nfeatures: {id: " +
		"int64}\nlimit: "
	var fits *input.MismatchError
	for _, w := range []way{ways[0], ways[4]} {
		_, err := buildTo(t, load(t, dir, text+"{train: {rows: 1, per: labels}}\n"), w)
		if !errors.As(err, &fits) || fits.Column != "labels" || fits.Config.Line != 5 || fits.Config.Col != 31 ||
			!strings.Contains(err.Error(), "label") {
			t.Errorf("a missing column: %v, %+v", err, fits)
		}
		m := manifestOf(t, mustBuild(t, load(t, dir, text+"{train: {rows: 1, per: label}}\n"), w))
		if m.Splits[0].Written != 1 || m.Splits[1].Written != 2 {
			t.Errorf("%+v: %+v", w, m.Splits)
		}
	}
}

// TestLimitOfUnknownSplits checks splits that rows name: the column is read for the rows of the split
// alone, and a split without rows is an error.
func TestLimitOfUnknownSplits(t *testing.T) {
	dir := testenv.Directory(t,
		map[string]string{"a.jsonl": strings.Repeat(
			`{"id": "1", "part": "a", "label": "x"}`+"\n"+`{"id": "2", "part": "b", "label": ["x"]}`+"\n", 3)})
	text := "name: d\noutput: out\nsource: {jsonl: a.jsonl}\nsplit: {column: part}\nrecord: {text: id}\nlimit: "
	for _, w := range everyWay(t) {
		m := manifestOf(t, mustBuild(t, load(t, dir, text+"{a: {rows: 2, per: label}}\n"), w))
		if m.Splits[0].Written != 2 || m.Splits[1].Written != 3 {
			t.Errorf("%+v: %+v", w, m.Splits)
		}
		var problems *config.Problems
		if _, err := buildTo(t, load(t, dir, text+"{c: {rows: 2, per: label}}\n"), w); !errors.As(err, &problems) ||
			problems.List[0].Path != "limit.c" {
			t.Errorf("%+v: %v", w, err)
		}
	}
}

// TestLimitOfEqualKeys limits rows with one sort key, which are in one range of keys: with little
// memory the merge reads it several times.
func TestLimitOfEqualKeys(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(9_500)})
	for _, order := range []string{"set: {k: same}\norder_key: k\n", "order: source\n"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\n"+order+"limit: {train: {rows: 460, per: "+
			"user}}\nfeatures: {id: int64}\n")
		run := ways[1].run(filepath.Join(t.TempDir(), "out"))
		run.Memory, run.runLimit = 0, 200_000
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		if got, want := tree(t, run.Output), tree(t, mustBuild(t, cfg, ways[0])); got != want {
			t.Errorf("%s: other bytes:\n%s\nwant\n%s", order, got, want)
		}
	}
}

// TestLimitsOfTheFirstRows tries the rows within the limits alone.
func TestLimitsOfTheFirstRows(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id,label\n1,a\n2,a\nx,a\n3,b\ny,b\n4,c\n"})
	for limit, wrong := range map[string]bool{"1": false, "2": true} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\norder: source\nlimit: {train: "+
			"{rows: "+limit+", per: label}}\nfeatures: {id: int64}\n")
		if err := Check(t.Context(), cfg, Run{Workers: 2}); (err != nil) != wrong {
			t.Errorf("rows: %s: %v", limit, err)
		}
	}
}
