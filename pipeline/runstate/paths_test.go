package runstate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sink"
)

// TestPathsOfABuild checks where the files that a build writes may not be.
func TestPathsOfABuild(t *testing.T) {
	const text = "name: d\noutput: out\nsource:\n  csv: {files: in/a.csv}\n  load: {f: {path: '{id}', dir: loaded, " +
		"as: bytes}}\nfeatures: {f: bytes}\n"
	for _, test := range []struct {
		paths Paths // below the directory
		want  string
	}{
		{Paths{Output: "out", Rejects: "out.rejects.jsonl", Report: "out.report.html", Scratch: "tmp"}, ""},
		{Paths{Output: "in"}, "is inside the output"},
		{Paths{Output: "loaded"}, "is inside the output"},
		{Paths{Output: strings.Repeat("x", 300)}, "the name of the output has 300 bytes"},
		{Paths{Output: "out", Scratch: "out/tmp"}, "the scratch directory DIR/out/tmp is inside the output"},
		{Paths{Output: "out", Scratch: "loaded/tmp"}, "which is an input"},
		{Paths{Output: "out", Rejects: "out/r.jsonl"}, "the file of rejects DIR/out/r.jsonl is inside the output"},
		{Paths{Output: "out", Rejects: "in/a.csv"},
			"the file of rejects DIR/in/a.csv is an input; expected a name that no source matches"},
		{Paths{Output: "out", Report: "link/a.csv"}, "the report DIR/link/a.csv is an input"},
		{Paths{Output: "link/../in"}, "is inside the output"},
	} {
		dir := testenv.Directory(t, map[string]string{"in/a.csv": "id\nx\n", "loaded/x": "1"})
		if err := os.Symlink(filepath.Join(dir, "in"), filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		for _, path := range []*string{&test.paths.Output, &test.paths.Scratch, &test.paths.Rejects,
			&test.paths.Report} {
			if *path != "" {
				*path = filepath.Join(dir, *path)
			}
		}
		err := test.paths.Check(setOf(t, dir, text))
		checkPlace(t, dir, test.want, err)
	}
}

// TestSidecarsMatchNoPattern checks that the files next to the output do not match a pattern of a source
// or of a lookup table: the next build would read them.
func TestSidecarsMatchNoPattern(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/a.csv": "id\nx\n", "side/a.csv": "id,v\nx,1\n"})
	if err := os.Symlink(filepath.Join(dir, "in"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	const text = "name: d\noutput: out\nsource:\n  csv: {files: 'in/*.csv'}\n  join: [{csv: 'side/*.csv', on: " +
		"id}]\nfeatures: {id: string}\n"
	const more = "on_error: quarantine\nrejects: REJECTS\ndedupe: {duplicates: DUPLICATES}\n"
	for _, test := range []struct{ rejects, duplicates, report, want string }{
		{"r.csv", "in/d.jsonl", "in/r.html", ""},
		{"in/.r.csv", "in/below/d.csv", "", ""},
		{"in/r.csv", "d", "", "DIR/c.yaml:8:10: rejects: DIR/in/r.csv matches the pattern DIR/in/*.csv of " +
			"source.csv at DIR/c.yaml:4, so the next build"},
		{"link/r.csv", "d", "", "DIR/c.yaml:8:10: rejects: DIR/link/r.csv matches the pattern DIR/in/*.csv of " +
			"source.csv"},
		{"r", "in/d.csv", "", "DIR/c.yaml:9:22: dedupe.duplicates: DIR/in/d.csv matches the pattern DIR/in/*.csv of " +
			"source.csv at DIR/c.yaml:4"},
		{"r", "side/d.csv", "", "dedupe.duplicates: DIR/side/d.csv matches the pattern DIR/side/*.csv of " +
			"source.join[0].csv at DIR/c.yaml:5"},
		{"r", "d", "in/r.csv", "the report DIR/in/r.csv matches the pattern DIR/in/*.csv of source.csv at " +
			"DIR/c.yaml:4"},
	} {
		set := setOf(t, dir, text+strings.NewReplacer("REJECTS", test.rejects, "DUPLICATES",
			test.duplicates).Replace(more))
		p := Paths{Output: filepath.Join(dir, "out"), Rejects: set.Config.RejectsFile(""),
			Duplicates: set.Config.DuplicatesFile()}
		if test.report != "" {
			p.Report = filepath.Join(dir, test.report)
		}
		err := p.Check(set)
		if want := strings.ReplaceAll(test.want, "DIR", dir); (err == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected %q", err, want)
		}
	}
	set := setOf(t, dir, text)
	p := Paths{Output: filepath.Join(dir, "in", "out"), Rejects: filepath.Join(dir, "in", "out.rejects.csv")}
	checkPlace(t, dir, "so the next build would read it; name another file with rejects", p.Check(set))
}

// checkPlace checks that err is a *BadPathError with a text in which DIR means dir, or nil without a
// text.
func checkPlace(t *testing.T, dir, want string, err error) {
	t.Helper()
	bad, ok := errors.AsType[*BadPathError](err)
	want = strings.ReplaceAll(want, "DIR", dir)
	if ok != (want != "") || !ok && err != nil || ok && !strings.Contains(bad.Text, want) {
		t.Errorf("%v; expected %q", err, want)
	}
}

// TestFilesAboutARun checks where the files that the caller writes about a run may not be.
func TestFilesAboutARun(t *testing.T) {
	dir := small(t)
	set := setOf(t, dir, smallConfig)
	p := Paths{Output: filepath.Join(dir, "out"), Rejects: filepath.Join(dir, "out.rejects.jsonl")}
	for _, test := range []struct{ path, want string }{
		{"run.json", ""}, {"a.csv.json", ""},
		{"out/run.json", "the metrics DIR/out/run.json is inside the output"},
		{"out", "is inside the output"},
		{filepath.Base(sink.StagingPath("out")) + "/x", "is inside the output"},
		{"out.rejects.jsonl", "is the file of rejects, too"},
		{"a.csv", "would touch the input DIR/a.csv"},
		{"b.csv", "would touch the input DIR/b.csv"},
		{".", "exists and is not a regular file"},
		{strings.Repeat("x", 300), "has 300 bytes"},
	} {
		err := p.CheckRunFile(set, "the metrics", filepath.Join(dir, test.path))
		if aside, ok := errors.AsType[*RunFileError](err); ok && aside.Path != filepath.Join(dir, test.path) {
			t.Errorf("%s: the error is of %s", test.path, aside.Path)
		}
		checkPlace(t, dir, test.want, err)
	}
	if err := p.CheckRunFile(nil, "the metrics", filepath.Join(dir, "a.csv")); err != nil {
		t.Errorf("before the inputs are listed: %v", err)
	}
	var failed *sink.OutputError
	if err := p.CheckRunFile(set, "the metrics", filepath.Join(dir, "none", "x")); !errors.As(err, &failed) {
		t.Errorf("in a directory that does not exist: %v", err)
	}
	checkPlace(t, dir, "", p.CheckDepfile(set, filepath.Join(dir, "d")))
	p.Output = filepath.Join(dir, "two\nlines")
	checkPlace(t, dir, "a depfile cannot name the output", p.CheckDepfile(set, filepath.Join(dir, "d")))
}

// TestSalvageOutsideOfDatasets checks that salvaged records never mix with a dataset.
func TestSalvageOutsideOfDatasets(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ path, want string }{
		{"a/out/x", "is inside the dataset"}, {"a/out", "is inside the dataset"}, {"a", "contains the dataset"},
		{"a/output", ""}, {"b", ""},
	} {
		checkPlace(t, dir, test.want, CheckSalvage(filepath.Join(dir, test.path),
			[]string{filepath.Join(dir, "other"), filepath.Join(dir, "a", "out")}))
	}
}

// TestPathsOfOutputs checks that all that a build writes is named, with links resolved, and which
// directories hold its input.
func TestPathsOfOutputs(t *testing.T) {
	dir := small(t)
	if err := os.Symlink(dir, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	p := Paths{Output: filepath.Join(dir, "link", "out"), Rejects: filepath.Join(dir, "link", "r.jsonl")}
	want := []string{filepath.Join(dir, "out"), sink.StagingPath(filepath.Join(dir, "out")),
		filepath.Join(dir, "r.jsonl")}
	if got := p.Written(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, expected %q", got, want)
	}
	set := setOf(t, dir, smallConfig)
	for path, holds := range map[string]bool{dir: true, filepath.Join(dir, "link"): true,
		filepath.Join(dir, "out"): false} {
		if p.HoldsInput(set, path) != holds {
			t.Errorf("%s has an input: %v", path, !holds)
		}
	}
}
