package pipeline_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// What a build depends on are its files and the folders where more could
// stand, each once, hidden ones and the output left out.
func TestDependencies(t *testing.T) {
	files := []string{
		"a/1.csv", "a/x/2.csv", "a/x/deep/3.csv", "b.csv", "names.csv", "classes.txt",
		"tree/one/p.txt", "tree/two/q.txt", "tree/empty/.hidden/r.txt", "loaded/s/t.bin",
	}
	for name, c := range map[string]struct{ source, want string }{
		"a file":             {"csv: {files: b.csv}", "b.csv"},
		"a pattern":          {"csv: {files: 'a/*.csv'}", "a a/1.csv"},
		"a pattern of here":  {"csv: {files: '*.csv'}", ". b.csv names.csv"},
		"a level of folders": {"csv: {files: 'a/*/*.csv'}", "a a/x a/x/2.csv"},
		"any depth":          {"csv: {files: 'a/**/*.csv'}", "a a/1.csv a/x a/x/2.csv a/x/deep a/x/deep/3.csv"},
		"a tree":             {"folder: {dir: tree}", "tree tree/empty tree/one tree/one/p.txt tree/two tree/two/q.txt"},
		"a join":             {"csv: {files: b.csv}\n  join:\n    - csv: {files: names.csv}\n      on: id", "b.csv names.csv"},
		"loaded files":       {"csv: {files: b.csv}\n  load: {f: {path: '{id}.bin', dir: loaded, as: bytes}}", "b.csv loaded loaded/s"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range files {
				testenv.Put(t, filepath.Join(dir, f), "id\n1\n")
			}
			feature := "{from: '@file', type: bytes}"
			path := filepath.Join(dir, "c.yaml")
			testenv.Put(t, path, "name: c\noutput: out/c\nsource:\n  "+c.source+"\nfeatures:\n  f: "+feature+"\n")
			cfg, err := config.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			result, err := pipeline.Build(t.Context(), cfg, pipeline.Run{Workers: 1, Memory: pipeline.MinMemory, Depfile: filepath.Join(dir, "c.d")})
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
