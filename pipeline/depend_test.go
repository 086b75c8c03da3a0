package pipeline_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// TestDependencies checks that a build depends on its files and on the directories where a new
// file would be input, each once. Hidden files and the output are not among them.
func TestDependencies(t *testing.T) {
	files := []string{
		"a/1.csv", "a/x/2.csv", "a/x/deep/3.csv", "b.csv", "names.csv", "classes.txt",
		"tree/one/p.txt", "tree/two/q.txt", "tree/empty/.hidden/r.txt", "loaded/s/t.bin",
	}
	for name, c := range map[string]struct{ source, want string }{
		"a file":                 {"csv: {files: b.csv}", "b.csv"},
		"a pattern":              {"csv: {files: 'a/*.csv'}", "a a/1.csv"},
		"a pattern of here":      {"csv: {files: '*.csv'}", ". b.csv names.csv"},
		"a level of directories": {"csv: {files: 'a/*/*.csv'}", "a a/x a/x/2.csv"},
		"a level of links":       {"csv: {files: 'links/*/*.csv'}", "links links/a links/a/1.csv links/tree"},
		"any depth":              {"csv: {files: 'a/**/*.csv'}", "a a/1.csv a/x a/x/2.csv a/x/deep a/x/deep/3.csv"},
		"a tree": {"folder: {dir: tree}", "tree tree/empty tree/one tree/one/p.txt tree/two " +
			"tree/two/q.txt"},
		"links in a tree": {"folder: {dir: links, follow_links: true}",
			"links links/a links/a/1.csv links/a/x links/a/x/2.csv links/a/x/deep links/a/x/deep/3.csv links/tree " +
				"links/tree/empty links/tree/linked links/tree/linked/s links/tree/linked/s/t.bin links/tree/one " +
				"links/tree/one/p.txt links/tree/two links/tree/two/q.txt"},
		"a join": {"csv: {files: b.csv}\n  join:\n    - csv: {files: names.csv}\n      on: id",
			"b.csv names.csv"},
		"loaded files": {"csv: {files: b.csv}\n  load: {f: {path: '{id}.bin', dir: loaded, as: bytes}}",
			"b.csv loaded loaded/s loaded/s/t.bin"},
		"files loaded by a link": {"csv: {files: b.csv}\n  load: {f: {path: '{id}.csv', dir: links/a, as: bytes}}",
			"b.csv links/a links/a/1.csv links/a/x links/a/x/2.csv links/a/x/deep links/a/x/deep/3.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range files {
				testenv.Put(t, filepath.Join(dir, f), "id\n1\n")
			}
			link(t, filepath.Join(dir, "links/a"), "../a")
			link(t, filepath.Join(dir, "links/tree"), "../tree")
			link(t, filepath.Join(dir, "tree/linked"), "../loaded")
			feature := "{from: '@file', type: bytes}"
			path := filepath.Join(dir, "c.yaml")
			testenv.Put(t, path, "name: c\noutput: out/c\nsource:\n  "+c.source+"\nfeatures:\n  f: "+feature+"\n")
			cfg, err := config.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			result, err := pipeline.Build(t.Context(), cfg,
				pipeline.Run{Workers: 1, Memory: pipeline.MinMemory, Depfile: filepath.Join(dir, "c.d")})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range result.Inputs {
				rel, err := filepath.Rel(dir, p)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, rel)
			}
			want := append(strings.Fields(c.want), "c.yaml")
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestDependenciesThatMakeCannotName checks that such a build fails before anything is written.
func TestDependenciesThatMakeCannotName(t *testing.T) {
	for files, output := range map[string]string{"in/*.csv": "out", "in/c.csv": "o\nut"} {
		dir := testenv.Directory(t, map[string]string{"in/a\nb.csv": "id\n1\n", "in/c.csv": "id\n1\n"})
		testenv.Put(t, filepath.Join(dir, "c.yaml"),
			"name: c\noutput: out\nsource: {csv: {files: '"+files+"'}}\nfeatures: {id: int64}\n")
		cfg := loadConfig(t, dir)
		run := pipeline.Run{Workers: 1, Memory: pipeline.MinMemory, Sync: true, Output: filepath.Join(dir, output),
			Depfile: filepath.Join(dir, "c.d")}
		_, err := pipeline.Build(t.Context(), cfg, run)
		if !errors.As(err, new(*pipeline.BadPathError)) || !strings.Contains(err.Error(), "a depfile cannot name") {
			t.Errorf("%s to %q: %v", files, output, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("%s to %q: left %v, %v", files, output, entries, err)
		}
		run.Depfile = ""
		if _, err := pipeline.Build(t.Context(), cfg, run); err != nil {
			t.Errorf("%s to %q without a depfile: %v", files, output, err)
		}
	}
}

func link(t *testing.T, path, to string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}
