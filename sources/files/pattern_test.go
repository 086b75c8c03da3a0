package files

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.csv", "a.csv", true},
		{"*.csv", "x/a.csv", false},
		{"x/*.csv", "x/a.csv", true},
		{"**/*.csv", "a.csv", true},
		{"**/*.csv", "x/y/a.csv", true},
		{"x/**", "x/y/a.csv", true},
		{"x/**", "x", true},
		{"x/**/z/*", "x/y/z/a", true},
		{"x/**/z/*", "x/y/a", false},
		{"**/a/**/b", "a/x/a/b", true},
		{"**/a/**/b", "x/a/b/c", false},
		{"**/a/b", "a/a/b/a/b", true},
		{"**/a/b", "a/b/a", false},
		{"a/**/**/b", "a/b", true},
		{"**", "a/b", true},
		{"a/**/b/**", "a/b", true},
		{"a/**/b/**", "a/x/b/c/d", true},
		{"[ab].csv", "b.csv", true},
		{"?.csv", "ab.csv", false},
		{"[", "[", false},
	} {
		if got := Match(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Match(%q, %q) = %t", tt.pattern, tt.name, got)
		}
	}
	if CheckPattern("a/[") == nil || CheckPattern("a/[b]*") != nil {
		t.Error("CheckPattern: a malformed pattern passes, or a good one does not")
	}
}

// TestCutPattern separates patterns from their directory. A dot is the working directory only in
// front of a slash.
func TestCutPattern(t *testing.T) {
	for pattern, want := range map[string]struct{ root, levels string }{
		"*.csv":         {".", "*.csv"},
		".*.csv":        {".", ".*.csv"},
		"./*.csv":       {".", "*.csv"},
		".*/a.csv":      {".", ".*/a.csv"},
		"in/*/.*.csv":   {"in", "*/.*.csv"},
		".in/*.csv":     {".in", "*.csv"},
		"/*.csv":        {"/", "*.csv"},
		"../*.csv":      {"..", "*.csv"},
		"s3://b/x/*.gz": {"s3://b/x", "*.gz"},
	} {
		root, levels := cutPattern(pattern)
		if got := strings.Join(levels, "/"); root != want.root || got != want.levels {
			t.Errorf("%s: %q and %q, want %q and %q", pattern, root, got, want.root, want.levels)
		}
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	names := []string{"b.csv", "a.csv", "x/c.csv", "x/y/d.csv", "x/e.txt", "z/f.txt", ".h.csv", ".x/g.csv", "x/.h.csv"}
	for _, name := range names {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"*.csv":         "a.csv b.csv",
		"*/*.csv":       "x/c.csv",
		"**/*.csv":      "a.csv b.csv x/c.csv x/y/d.csv",
		"x/**/*.csv":    "x/c.csv x/y/d.csv",
		"none*":         "",
		"**/**/*.csv":   "a.csv b.csv x/c.csv x/y/d.csv",
		"*/y/*.csv":     "x/y/d.csv",
		"*/a.csv/*":     "",
		"**/x/**/*.csv": "x/c.csv x/y/d.csv",
		"plain":         "plain", // a missing file is an error when it is opened
	} {
		found, _, err := new(System).Expand(t.Context(), filepath.Join(dir, pattern))
		if err != nil {
			t.Error(err)
		}
		var paths []string
		for _, f := range found {
			paths = append(paths, f.Path)
		}
		got := strings.ReplaceAll(strings.Join(paths, " "), dir+"/", "")
		if got != want {
			t.Errorf("Expand(%q) = %q, want %q", pattern, got, want)
		}
		for _, name := range names {
			if isListed := slices.Contains(strings.Fields(want), name); Matches(filepath.Join(dir, pattern),
				filepath.Join(dir, name)) != isListed {
				t.Errorf("Matches(%q, %q) = %t", pattern, name, !isListed)
			}
		}
	}
	if err := os.Symlink("x", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string][2]int{"**/*.csv": {4, 1}, "**/**/*.csv": {4, 1}, "*/*.csv": {2, 0}} {
		found, skipped, err := new(System).Expand(t.Context(), filepath.Join(dir, pattern))
		if err != nil || len(found) != want[0] || skipped.Deep != want[1] {
			t.Errorf("Expand(%q) = %d files, %d links, %v; want %v", pattern, len(found), skipped.Deep, err, want)
		}
	}
	if got := FixedDirectory("/a/b*/c/d.csv"); got != "/a" {
		t.Errorf("FixedFolder = %q", got)
	}
}
