package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// project is the root of the project, from this directory.
const project = "../.."

// What a run may take: plenty is memory that no test's input fills, little is
// memory that each does.
const (
	plenty = 32 << 20
	little = 1
)

// build makes the dataset of a config file at output. Fields of run that are
// not set get a usual value.
func build(t testing.TB, file, output string, run pipeline.Run) *pipeline.Result {
	t.Helper()
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	run.Output = output
	if run.Workers == 0 {
		run.Workers = 2
	}
	if run.Memory == 0 {
		run.Memory = plenty
	}
	result, err := pipeline.Build(t.Context(), cfg, run)
	if err != nil {
		t.Fatalf("building %s: %v", file, err)
	}
	return result
}

// write writes a file below dir and makes the directories that it needs.
func write(t testing.TB, dir, name string, content []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A listing is a folder's files, by their relative names, with the SHA-256 of
// each. Directories have a name that ends with a slash.
type listing map[string]string

func list(t testing.TB, dir string) listing {
	t.Helper()
	l := listing{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			l[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		l[filepath.ToSlash(name)] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// digest is one sum over the listing.
func (l listing) digest() string {
	h := sha256.New()
	for _, name := range l.names() {
		fmt.Fprintf(h, "%s %s\n", name, l[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (l listing) names() []string {
	names := make([]string, 0, len(l))
	for name := range l {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// difference names what is not the same in the two listings; empty where they
// are equal.
func (l listing) difference(other listing) string {
	var b strings.Builder
	for _, name := range l.names() {
		switch sum, ok := other[name]; {
		case !ok:
			fmt.Fprintf(&b, "%s is missing\n", name)
		case sum != l[name]:
			fmt.Fprintf(&b, "%s differs\n", name)
		}
	}
	for _, name := range other.names() {
		if _, ok := l[name]; !ok {
			fmt.Fprintf(&b, "%s is new\n", name)
		}
	}
	return b.String()
}

// sameFiles fails the test when got is not, file by file, what want lists.
func sameFiles(t *testing.T, want listing, got, how string) {
	t.Helper()
	if d := want.difference(list(t, got)); d != "" {
		t.Errorf("%s: the dataset is another one:\n%s", how, d)
	}
}

// copyTree copies a directory.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// gzipped returns a compressed text.
func gzipped(text []byte) []byte { return []byte(filetest.Gzip(string(text))) }
