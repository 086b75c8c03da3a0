package pipeline_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// TestOutputNextToLoadedFiles builds into the directory of the files that rows name: files that
// the build writes there are not input.
func TestOutputNextToLoadedFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"t.csv": "id,n\na.bin,1\nb.bin,x\n", "a.bin": "one", "b.bin": "two", "more/c.bin": "three",
		"out/keep/d.bin": "four",
		"c.yaml": "name: c\noutput: out/c\nsource:\n  csv: {files: t.csv}\n  load: {f: {path: '{id}', dir: ., as: " +
			"bytes}}\nfeatures: {f: {type: bytes}, n: int64}\non_error: quarantine\nmax_errors: 50%\n",
	})
	elsewhere := t.TempDir()
	build := func() *pipeline.Result {
		t.Helper()
		cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		result, err := pipeline.Build(t.Context(), cfg,
			pipeline.Run{Workers: 1, Memory: pipeline.MinMemory, Depfile: filepath.Join(elsewhere, "c.d"),
				Overwrite: true})
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	if first := build(); first.UpToDate || first.Rejected == nil {
		t.Errorf("%+v", first)
	}
	if _, err := os.Stat(filepath.Join(dir, "out/c.rejects.jsonl")); err != nil {
		t.Error(err)
	}
	second := build()
	if !second.UpToDate {
		t.Error("it is built again")
	}
	var got []string
	for _, path := range second.Inputs {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, rel)
	}
	want := []string{".", "a.bin", "b.bin", "c.yaml", "more", "more/c.bin", "out/keep", "out/keep/d.bin", "t.csv"}
	if !slices.Equal(got, want) {
		t.Errorf("depends on %q, want %q", got, want)
	}
	testenv.Put(t, filepath.Join(dir, "a.bin"), "other")
	if build().UpToDate {
		t.Error("a file that a row names changed, and it is up to date")
	}
	testenv.Put(t, filepath.Join(dir, "t.csv"), "id,n\na.bin,1\nout/c/train-00000-of-00001,1\n")
	if third := build(); third.Rejected == nil || third.Rejected.Counts["PATH_ESCAPE"] != 1 {
		t.Errorf("a row names a shard: %+v", third.Rejected)
	}
}

// TestOutputFilesAreNotLoaded has rows that name files that the build writes, by several paths: each
// is an error.
func TestOutputFilesAreNotLoaded(t *testing.T) {
	for _, name := range []string{"out/c/_SUCCESS", "out/c/_tfr/config.yaml", "link", "there/_SUCCESS",
		"./x/../out/c/_SUCCESS", "ABS/out/c/_SUCCESS"} {
		dir := testenv.Directory(t, map[string]string{
			"in/out/c/_SUCCESS": "0", "in/x/y": "",
			"c.yaml": "name: c\noutput: in/out/c\nsource:\n  csv: {files: t.csv}\n  load: {f: {path: '{id}', dir: " +
				"in, as: bytes}}\nfeatures: {f: {type: bytes}}\n",
		})
		testenv.Put(t, filepath.Join(dir, "t.csv"), "id\nx/y\n")
		link(t, filepath.Join(dir, "in/link"), "out/c/_SUCCESS")
		link(t, filepath.Join(dir, "in/there"), "out/c")
		if err := os.RemoveAll(filepath.Join(dir, "in/out/c")); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		run := pipeline.Run{Workers: 1, Memory: pipeline.MinMemory, Overwrite: true}
		if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		testenv.Put(t, filepath.Join(dir, "t.csv"),
			"id\n"+strings.ReplaceAll(name, "ABS", filepath.Join(dir, "in"))+"\n")
		if _, err := pipeline.Build(t.Context(), cfg, run); err == nil ||
			!strings.Contains(err.Error(), "belongs to the dataset itself") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
