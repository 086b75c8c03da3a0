package table_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
	"tfr-build/sources/csv"
	"tfr-build/sources/files"
)

func TestFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/b.csv": "x\n1\n", "in/a.csv.gz": "x\n2\n",
		"in/sub/c.csv": "x\n3\n", "d.csv": "x\n"})
	for _, tt := range []struct {
		options *csv.Options
		want    string
	}{
		{csvOf("in/*.csv*"), "a.csv.gz b.csv"},
		{csvOf("in/**/*.csv*"), "a.csv.gz b.csv sub/c.csv"},
		{csvOf("in/b.csv"), "b.csv"},
		{csvOf("in/b.csv", "d.csv"), "d.csv in/b.csv"},
	} {
		in, err := list(dir, tt.options)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, f := range in.Listing().Files {
			names = append(names, f.Name)
			if !strings.HasSuffix(in.Path(i), "/"+f.Name) || in.Path(i) != in.Listing().Paths[i] {
				t.Errorf("%s is at %s", f.Name, in.Path(i))
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.options.Files, got, tt.want)
		}
	}
	in, err := list(dir, csvOf("in/*.gz"))
	if err != nil || in.Address(0).Name != "a.csv" {
		t.Errorf("a compressed file's name in addresses: %v, %v", in, err)
	}
	outside := csvOf("d.csv")
	outside.Root = "in"
	for _, tt := range []struct {
		options *csv.Options
		want    string
	}{
		{csvOf("none.csv"), "none.csv: no such file or directory"},
		{csvOf("none*.csv"), "none*.csv: no file fits the pattern"},
		{csvOf("in"), "in: not a regular file"},
		{csvOf("in/b.csv", "in/*.csv"), "b.csv: duplicate: another pattern of the source names the same file"},
		{outside, "d.csv: lies outside of "},
	} {
		_, err := list(dir, tt.options)
		wantError(t, err, tt.want)
	}
}

// TestDuplicates counts the files that two names lead to.
func TestDuplicates(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a\n1\n"})
	if err := os.Link(filepath.Join(dir, "t.csv"), filepath.Join(dir, "u.csv")); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][2]int{"*.csv": {2, 1}, "t.csv": {1, 0}} {
		in, err := list(dir, csvOf(pattern))
		if err != nil {
			t.Fatal(err)
		}
		if l := in.Listing(); len(l.Files) != want[0] || l.Skipped.Duplicates != want[1] {
			t.Errorf("%s: %d files, %d duplicates; want %v", pattern, len(l.Files), l.Skipped.Duplicates, want)
		}
	}
}

// TestChangedFiles opens a table that changed after it was listed.
func TestChangedFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t.csv": "a\n1\n"})
	in := mustOpen(t, dir, csvOf("t.csv"))
	path := filepath.Join(dir, "t.csv")
	if err := errors.Join(os.Remove(path), unix.Mkfifo(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Rows(0); !errors.Is(err, files.ErrChanged) {
		t.Errorf("a pipe in its place: %v", err)
	}
	if _, err := in.Find(1 << 20); !errors.Is(err, files.ErrChanged) {
		t.Errorf("a pipe in its place, mapped: %v", err)
	}
}
