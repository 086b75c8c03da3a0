package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// protectedKeys are the keys whose columns are computed after where.
var protectedKeys = []string{
	"split: {column: COL}", "order_key: COL", "split: {fractions: {train: 50%, test: 50%}, by: COL}",
	"split: {fractions: {train: 50%, test: 50%}, stratify: COL}", "limit: {train: {rows: 5, per: COL}}",
	"group: {by: COL}", "group: {by: g, sort: COL}", "dedupe: {by: [COL]}",
	"dedupe: {by: [i], prefer: [train]}\nsplit: {column: COL}",
	"sample: 99.9999%\norder_key: COL", "checks: {leakage: 0}\nsplit: {column: COL}",
}

// TestWhereProtects computes a column that fails in the rows that where skips: a derived one, one of a
// lookup table without a row for them, and one of their path. No row is invalid, for each key.
func TestWhereProtects(t *testing.T) {
	rows := ""
	for i := range 40 {
		rows += fmt.Sprintf(`{"i": %d, "g": "g%d", "n": %d}`+"\n", i, i%3, i) +
			fmt.Sprintf(`{"i": %d, "n": 0}`+"\n", 100+i)
	}
	table := `{"g": "g0", "part": "train"}` + "\n" + `{"g": "g1", "part": "test"}` + "\n" +
		`{"g": "g2", "part": "train"}` + "\n"
	files := map[string]string{"a.jsonl": rows, "a.jsonl.gz": filetest.Gzip(rows), "t.jsonl": table}
	columns := map[string]string{
		"derived": "derive: {sp: 'g < \"g2\" ? \"train\" : \"test\"'}\n",
		"joined":  "join: [{jsonl: {files: t.jsonl}, on: g, prefix: t.}]\n",
	}
	const with = "on_error: quarantine\nmax_errors: 0\n"
	for name, file := range map[string]string{"in place": "a.jsonl", "compressed": "a.jsonl.gz"} {
		for what, columns := range columns {
			for i, key := range protectedKeys {
				if (i+len(name)+len(what))%testenv.Times(4, 1, 1) != 0 {
					continue
				}
				t.Run(name+", "+what+", "+key, func(t *testing.T) {
					key = strings.ReplaceAll(key, "COL", map[string]string{"derived": "sp", "joined": "t.part"}[what])
					text := "name: d\noutput: out\nsource: {jsonl: {files: " + file + "}}\nwhere: '!missing(g)'\n" +
						columns + key + "\nfeatures: {i: int64}\n"
					dir := testenv.Directory(t, files)
					checkProtected(t, load(t, dir, text))
					m := manifestOf(t, mustBuild(t, load(t, dir, with+text), ways[0]))
					if c := m.Sources[0].Counts; len(c.Rejected) > 0 || c.Skipped["where"] != 40 {
						t.Errorf("%+v", c)
					}
				})
			}
		}
	}
}

// checkProtected checks, plans, tries, and builds in all ways.
func checkProtected(t *testing.T, cfg *config.Config) {
	t.Helper()
	want := tree(t, sameEveryWay(t, cfg))
	if got := tree(t, droppedByTasks(t, cfg)); got != want {
		t.Error("by tasks: other bytes")
	}
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
	if err := Check(t.Context(), cfg, run); err != nil {
		t.Errorf("check: %v", err)
	}
	if _, err := MakePlan(t.Context(), cfg, run); err != nil {
		t.Errorf("plan: %v", err)
	}
	if err := Try(t.Context(), cfg, run, 3, func(Example) error { return nil }); err != nil {
		t.Errorf("try: %v", err)
	}
}

// TestWhereProtectsFirstRows has a column that only later rows have. where skips the first ones, which
// check looks at.
func TestWhereProtectsFirstRows(t *testing.T) {
	text := strings.Repeat(`{"kind": "a"}`+"\n", 1200) +
		strings.Repeat(`{"kind": "b", "part": "train", "label": "x"}`+"\n", 5)
	dir := testenv.Directory(t, map[string]string{"a.jsonl": text})
	checkProtected(t, load(t, dir,
		"name: d\noutput: out\nsource: {jsonl: {files: a.jsonl}}\nwhere: 'kind == \"b\"'\nsplit: {column: "+
			"part}\nfeatures: {label: {classes: auto}}\n"))
}

// TestWhereIsAskedAlone checks that a row which where does not skip is invalid nevertheless, and so is a
// row for which where has no answer.
func TestWhereIsAskedAlone(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.jsonl": `{"i": 1, "g": "a", "n": 1}` + "\n" + `{"i": 2, "n": 2}` +
		"\n" + `{"i": 3}` + "\n"})
	cfg := load(t, dir, "name: d\noutput: out\non_error: skip\nmax_errors: 100%\nsource: {jsonl: {files: "+
		"a.jsonl}}\nwhere: n < 9\nderive: {sp: 'g + \"x\"'}\norder_key: sp\nfeatures: {i: int64}\n")
	c := manifestOf(t, mustBuild(t, cfg, ways[0])).Sources[0].Counts
	if c.Written != 1 || c.Rejected["EXPR_MISSING"] != 2 || len(c.Skipped) > 0 {
		t.Errorf("%+v", c)
	}
}

// TestNoRowsLeft builds with rules that skip all rows. It is an error of each command, which says how
// many rows each rule took, unless the config allows it.
func TestNoRowsLeft(t *testing.T) {
	text := "v,k\n" + strings.Repeat("1,x\n2,y\n", 20)
	dir := testenv.Directory(t, map[string]string{"a.csv": text, "a.csv.gz": filetest.Gzip(text)})
	for rule, want := range map[string]string{
		"where: v > 10": "5:8: the dataset would have no record: 40 rows found, 40 skipped " +
			"by where [NO_ROWS]",
		"group: {by: k, windows: {length: 30}}": "5:25: the dataset would have no record: 40 rows found, 40 " +
			"skipped by windows [NO_ROWS]",
		"sample: 0.000001%": "5:9: the dataset would have no record: 40 rows found, 40 skipped " +
			"by sample [NO_ROWS]",
		"where: v > 1\ndedupe: {}\nsample: 0.000001%": "5:8: the dataset would have no record: 40 rows found, 20 " +
			"skipped by where, 19 by dedupe and 1 by sample [NO_ROWS]",
		"where: v > 10\nsplit: {train: 50%, test: 50%}": "5:8: the dataset would have no record: 40 rows found, 40 " +
			"skipped by where [NO_ROWS]",
	} {
		for _, file := range []string{"a.csv", "a.csv.gz"} {
			config := "name: d\noutput: out\nsource: {csv: {files: " + file +
				"}}\nfeatures: {v: int64, k: {classes: auto}}\n" + rule + "\n"
			cfg := load(t, dir, config)
			for name, command := range everyCommand(t) {
				err := command(cfg, filepath.Join(t.TempDir(), "out"))
				if bad, ok := errors.AsType[*RowsError](err); !ok || bad.Error() != cfg.File+":"+want ||
					bad.Hint != "allow_empty: true" {
					t.Errorf("%s, %s: %v, want %s", rule, name, err, want)
				}
			}
			cfg = load(t, dir, strings.ReplaceAll(config, ", k: {classes: auto}", "")+"allow_empty: true\n")
			for name, command := range everyCommand(t) {
				if err := command(cfg, filepath.Join(t.TempDir(), "out")); err != nil {
					t.Errorf("%s, allowed, %s: %v", rule, name, err)
				}
			}
			if out := sameEveryWay(t, cfg); manifestOf(t, out).Splits[0].Records != 0 {
				t.Errorf("%s: the dataset has records", rule)
			}
		}
	}
}

// everyCommand returns the commands that read rows.
func everyCommand(t *testing.T) map[string]func(cfg *config.Config, output string) error {
	run := func(output string) Run { return Run{Workers: 2, Memory: plenty, Output: output} }
	return map[string]func(*config.Config, string) error{
		"check": func(cfg *config.Config, output string) error { return Check(t.Context(), cfg, run(output)) },
		"plan": func(cfg *config.Config, output string) error {
			_, err := MakePlan(t.Context(), cfg, run(output))
			return err
		},
		"try": func(cfg *config.Config, output string) error {
			return Try(t.Context(), cfg, run(output), 1, func(Example) error { return nil })
		},
		"build": func(cfg *config.Config, output string) error {
			_, err := Build(t.Context(), cfg, run(output))
			if _, there := os.Stat(output); err != nil && there == nil {
				t.Error("the build published an empty dataset")
			}
			return err
		},
		"tasks": func(cfg *config.Config, output string) error {
			w := output + ".work"
			if _, err := PlanTasks(t.Context(), cfg, run(output), w); err != nil {
				return err
			}
			for _, phase := range Phases() {
				if err := oneTask(t, w, phase); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// TestFirstRowsAreSkipped checks what check says of rows that the rules skip, and that it is no error if
// others follow, also if only these have a class.
func TestFirstRowsAreSkipped(t *testing.T) {
	var csv strings.Builder
	csv.WriteString("v,k\n")
	for i := range 1500 {
		fmt.Fprintf(&csv, "%d,x%d\n", i, i%7)
	}
	dir := testenv.Directory(t, map[string]string{"a.csv": csv.String()})
	for rules, want := range map[string][]string{
		"where: v >= 1200": {"looked at the first 1000 rows", "where skips 1000 of the first 1000 rows",
			"the first 1000 rows give no record: 1000 skipped by where"},
		"where: v >= 400\ndedupe: {by: [k]}": {"looked at the first 1000 rows; dedupe skips 593 of them",
			"where skips 400 of the first 1000 rows"},
	} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {k: {classes: "+
			"auto}}\n"+rules+"\n")
		checkProtected(t, cfg)
		var said []string
		say := func(text string) { said = append(said, text) }
		if err := Check(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "none"), Warn: say,
			Inform: say}); err != nil || !slices.Equal(said, want) {
			t.Errorf("%s: %v, said %q, want %q", rules, err, said, want)
		}
	}
}

// TestTryShowsOtherRows tries a table with invalid rows that make a build fail. It shows the others, and
// returns the error of a build.
func TestTryShowsOtherRows(t *testing.T) {
	for name, test := range map[string]struct {
		rows  string
		shown int
	}{
		"some":                 {"1\nx\n2\ny\n3\n4\n", 3},
		"after the first rows": {strings.Repeat("1\n", 2) + "x\n" + "5\n", 3},
		"many":                 {strings.Repeat("x\n", 50) + "1\n", 1},
	} {
		cfg := load(t, testenv.Directory(t, map[string]string{"a.csv": "v\n" + test.rows}),
			"name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {v: int64}\n")
		shown := 0
		err := Try(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}, 3,
			func(Example) error { shown++; return nil })
		if bad, ok := errors.AsType[*RowsError](err); !ok || bad.Code != "INT_SYNTAX" || shown != test.shown {
			t.Errorf("%s: %v, shown %d", name, err, shown)
		}
	}
}
