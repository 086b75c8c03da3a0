package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sources/input"
)

// sparse returns lines in which each column c0 … has a value in only one row, and a config that
// uses these columns and columns that no row has.
func sparse(columns int) (text, config string) {
	var rows, features strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&rows, `{"id": %d, "title": "t", "user": {"name": "x"}, "boxes": [%s], "none": null`, i,
			[]string{"", `{"x": 1}`, `{"x": null}, {}`}[i%3])
		if i%50 == 7 && i/50 < columns {
			fmt.Fprintf(&rows, `, "c%d": %d`, i/50, i)
		}
		rows.WriteString("}\n")
	}
	for i := range columns {
		fmt.Fprintf(&features, "  c%d: {type: int64, missing: omit}\n", i)
	}
	return rows.String(), "name: d\noutput: out\nshards: 8\nsource:\n  jsonl: {files: a.jsonl}\n" +
		"  join: [{jsonl: {files: side.jsonl}, on: id, prefix: s.}]\nfeatures:\n" + features.String() +
		`  titel: {type: string, missing: omit}
  name: {from: user.nmae, type: string, missing: {default: ""}}
  x: {from: boxes.*.x, type: int64, missing: {default: 0}}
  y: {from: boxes.*.xx, type: int64, missing: {default: 0}}
  none: {type: int64, missing: omit}
  m: {from: s.meta.lable, type: string, missing: omit}
  k: {from: s.meta.kind, type: string, missing: omit}
`
}

const sideLines = `{"id": 3, "meta": {"label": "a"}}` + "\n" + `{"id": 4, "meta": {"kind": null}}` + "\n"

// lackingColumns are the columns that no row of sparse has, and the sentences about
// them.
var lackingColumns = map[string]string{
	"titel":        `no row has the column "titel"; did you mean "title"?`,
	"user.nmae":    `no row has the column "user.nmae"; did you mean "user.name"?`,
	"boxes.*.xx":   `no row has the column "boxes.*.xx"; did you mean "boxes.*.x"?`,
	"s.meta.lable": `no row of the lookup table of join[0] has the column "s.meta.lable"; did you mean "s.meta.label"?`,
}

// checkLacking compares the manifest of a dataset and its messages with lackingColumns.
func checkLacking(t *testing.T, output string, said []string) {
	t.Helper()
	warnings := manifestOf(t, output).Warnings
	for _, w := range warnings {
		if lackingColumns[w.Column] != w.Text || w.Source == nil || *w.Source != 0 {
			t.Errorf("the manifest warns of %+v", w)
		}
		if !slices.Contains(said, "source: "+w.Text) {
			t.Errorf("%q was not said, but %q", w.Text, said)
		}
	}
	if len(warnings) != len(lackingColumns) || len(said) != len(lackingColumns) {
		t.Errorf("the manifest warns of %+v; said were %q", warnings, said)
	}
}

// TestNoRowHasTheColumn builds in all ways, and resumes a stopped build, with columns that one row
// has and columns that no row has.
func TestNoRowHasTheColumn(t *testing.T) {
	text, config := sparse(60)
	for name, data := range testenv.Some(0, 2, map[string]string{"a.jsonl": text, "a.jsonl.gz": filetest.Gzip(text)}) {
		dir := testenv.Directory(t, map[string]string{name: data, "side.jsonl": sideLines})
		cfg := load(t, dir, strings.ReplaceAll(config, "a.jsonl}", name+"}"))
		var want string
		for _, w := range everyWay(t) {
			var said []string
			run := w.run(filepath.Join(t.TempDir(), "out"))
			run.Warn = func(text string) { said = append(said, text) }
			if _, err := Build(t.Context(), cfg, run); err != nil {
				t.Fatalf("%+v: %v", w, err)
			}
			checkLacking(t, run.Output, said)
			if got := tree(t, run.Output); want != "" && got != want {
				t.Errorf("%+v: other bytes", w)
			} else {
				want = got
			}
		}
		var said []string
		run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"), Sync: true,
			Warn: func(text string) { said = append(said, text) }}
		stopLate(t, cfg, run, 2)
		said = nil
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		checkLacking(t, run.Output, said)
		if got := tree(t, run.Output); got != want {
			t.Error("resumed: other bytes")
		}
	}
}

// TestSampleOfRows runs check, plan, and try with columns that the first rows do not have, and a
// build with a missing column that makes every row invalid.
func TestSampleOfRows(t *testing.T) {
	var lines strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&lines, `{"id": %d, "text": "x"%s}`+"\n", i, map[bool]string{true: `, "late": 1`}[i == 1200])
	}
	dir := testenv.Directory(t, map[string]string{"a.jsonl": lines.String(), "b.jsonl": `{"id": 1}` + "\n",
		"m.jsonl":    `{"regions": {"5": {}, "0": {"shape": {"x": 1}}}}` + "\n",
		"side.jsonl": `{"id": 1, "meta": {"label": 1}}` + "\n", "notes/1.txt": ""})
	commands := map[string]func(context.Context, string, *[]string) error{
		"check": func(ctx context.Context, config string, said *[]string) error {
			return Check(ctx, load(t, dir, config), sampleRun(dir, said))
		},
		"plan": func(ctx context.Context, config string, said *[]string) error {
			p, err := MakePlan(ctx, load(t, dir, config), sampleRun(dir, said))
			if err == nil {
				*said = append(*said, slices.DeleteFunc(p.Notes, func(n string) bool {
					return !strings.Contains(n, "column")
				})...)
			}
			return err
		},
		"try": func(ctx context.Context, config string, said *[]string) error {
			return Try(ctx, load(t, dir, config), sampleRun(dir, said), 1, func(Example) error { return nil })
		},
	}
	for _, test := range []struct{ source, features, fault, warning string }{
		{"jsonl: {files: a.jsonl}", "{id: int64, txet: string}",
			`none of the first 1000 rows has the column "txet"; did you mean "text"?`, ""},
		{"jsonl: {files: a.jsonl}", "{id: int64, late: {type: int64, missing: omit}}", "",
			`none of the first 1000 rows has the column "late"`},
		{"jsonl: {files: b.jsonl}", "{id: int64, txet: string}", `no row has the column "txet"`, ""},
		{"jsonl: {files: b.jsonl}", "{id: int64, idd: {type: string, missing: {default: a}}}", "",
			`no row has the column "idd"; did you mean "id"?`},
		{"jsonl: {files: m.jsonl}", "{x: {from: regions.*.shpe.x, type: int64, missing: {default: 0}}}", "",
			`no row has the column "regions.*.shpe.x"; did you mean "regions.*.shape.x"?`},
		{"jsonl: {files: b.jsonl}\n  split: {column: aprt}", "{id: int64}", `no row has the column "aprt"`, ""},
		{"jsonl: {files: b.jsonl}", "{id: int64}\ndedupe: {by: [idd]}",
			`no row has the column "idd"; did you mean "id"?`, ""},
		{"jsonl: {files: b.jsonl}", "{id: int64}\non_error: skip\ndedupe: {by: [idd, iid]}",
			`no row has the column "idd"; did you mean "id"?`, ""},
		{"jsonl: {files: b.jsonl}", "{id: int64}\ndedupe: {by: [id, idd]}", "",
			`no row has the column "idd"; did you mean "id"?`},
		{"jsonl: {files: b.jsonl}", "{id: int64}\nwhere: id != 99\ndedupe: {by: [idd]}", "",
			`no row has the column "idd"; did you mean "id"?`},
		{"jsonl: {files: b.jsonl}\n  load: {note: {path: '{nam}.txt', dir: notes, as: bytes}}",
			"{note: {missing: omit}}", `no row has the column "nam"`, ""},
		{"jsonl: {files: b.jsonl}\n  rename: {id: uid}", "{uid: int64, u: {from: uidd, type: int64, missing: omit}}",
			"", `no row has the column "uidd"; did you mean "uid"?`},
		{"jsonl: {files: b.jsonl}\n  join: [{jsonl: {files: side.jsonl}, on: id}]",
			"{id: int64, t: {from: meta.lable, type: string}}",
			`no row of the lookup table of join[0] has the column "meta.lable"; did you mean "meta.label"?`, ""},
		{"jsonl: {files: b.jsonl}\n  join: [{jsonl: {files: side.jsonl}, on: id}]",
			"{id: int64, t: {from: meta.lable, type: string, missing: omit}}", "",
			`no row of the lookup table of join[0] has the column "meta.lable"; did you mean "meta.label"?`},
	} {
		config := "name: d\noutput: out\nsource:\n  " + test.source + "\nfeatures: " + test.features + "\n"
		for name, command := range commands {
			var said []string
			err := command(t.Context(), config, &said)
			if test.fault == "" && (err != nil || len(said) != 1 || said[0] != "source: "+test.warning) {
				t.Errorf("%s %s: %v, said %q, want %q", name, test.features, err, said, test.warning)
			}
			if test.fault != "" {
				lackingFault(t, name, err, test.fault)
			}
		}
		if _, err := buildTo(t, load(t, dir, config), ways[0]); test.fault != "" {
			lackingFault(t, "build", err, test.fault)
		}
	}
}

func sampleRun(dir string, said *[]string) Run {
	return Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"),
		Warn: func(text string) { *said = append(*said, text) }}
}

func lackingFault(t *testing.T, name string, err error, want string) {
	t.Helper()
	var fit *input.MismatchError
	if !errors.As(err, &fit) || fit.Text != want || fit.Code != "SCHEMA_MISSING_COLUMN" {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
}

// TestPlanWithUnknownClasses plans classes whose names only rows have, and rows that cannot be
// read. The first gives a plan without a note, the second an error.
func TestPlanWithUnknownClasses(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "kind\ncat\ndog\n", "b.jsonl": "kind\ncat\n"})
	for source, want := range map[string]string{"csv: {files: a.csv}": "",
		"jsonl: {files: b.jsonl}": filepath.Join(dir, "b.jsonl") + ":1:1: found"} {
		cfg := load(t, dir, "name: d\noutput: out\nsource: {"+source+"}\nfeatures: {kind: {classes: auto}}\n")
		run := Run{Workers: 1, Memory: plenty}
		p, err := MakePlan(t.Context(), cfg, run)
		if want == "" && (err != nil || len(p.Notes) > 0) || want != "" &&
			(err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %+v, %v, want %q", source, p, err, want)
		}
	}
}
