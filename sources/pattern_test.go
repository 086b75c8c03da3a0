package sources

import (
	"path/filepath"
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

func TestExpand(t *testing.T) {
	dir := files(t, map[string]string{"b.csv": "", "a.csv": "", "x/c.csv": "", "x/y/d.csv": "", "x/e.txt": ""})
	for pattern, want := range map[string]string{
		"*.csv":      "a.csv b.csv",
		"*/*.csv":    "x/c.csv",
		"**/*.csv":   "a.csv b.csv x/c.csv x/y/d.csv",
		"x/**/*.csv": "x/c.csv x/y/d.csv",
		"none*":      "",
		"plain":      "plain", // there or not: whoever opens it says so
	} {
		found, _, err := expand(filepath.Join(dir, pattern))
		if err != nil {
			t.Error(err)
		}
		got := strings.ReplaceAll(strings.Join(found, " "), dir+"/", "")
		if got != want {
			t.Errorf("expand(%q) = %q, want %q", pattern, got, want)
		}
	}
	if got := FixedFolder("/a/b*/c/d.csv"); got != "/a" {
		t.Errorf("FixedFolder = %q", got)
	}
}

func TestPathPattern(t *testing.T) {
	for _, tt := range []struct{ pattern, name, want string }{
		{"{split}/{class}/{patient}_{view}.png", "train/cat/p1_left.png", "train cat p1 left"},
		{"{split}/{class}/{patient}_{view}.png", "train/cat/p1_a_b.png", "train cat p1 a_b"},
		{"{split}/{class}/{patient}_{view}.png", "train/cat/left.png", ""},
		{"{split}/{class}/{patient}_{view}.png", "cat/p1_left.png", ""},
		{"**/{name}.png", "a.png", "a"},
		{"**/{name}.png", "x/y/a.png", "a"},
		{"*/{name}.png", "x/a.png", "a"},
		{"{a}*{b}", "xyz", "x yz"}, // each takes as little as it can
		{"{a}", "", ""},
	} {
		p, err := ParsePathPattern(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]string, len(p.Columns()))
		got := ""
		if p.Match(tt.name, values) {
			got = strings.Join(values, " ")
		}
		if got != tt.want {
			t.Errorf("%q on %q: %q, want %q", tt.pattern, tt.name, got, tt.want)
		}
	}
	for pattern, want := range map[string]string{
		"{a}/{a}": "twice", "a}": "without", "{": "want {column}", "{}": "want {column}", "{a*}": "want {column}",
	} {
		_, err := ParsePathPattern(pattern)
		wantError(t, err, want)
	}
}

func TestTemplate(t *testing.T) {
	p, err := ParseTemplate("{Subset}/{ImageID}.jpg")
	if err != nil {
		t.Fatal(err)
	}
	cells := []string{"train", "007"}
	if got := string(p.Append(nil, func(i int) []byte { return []byte(cells[i]) })); got != "train/007.jpg" {
		t.Errorf("got %q", got)
	}
	for text, want := range map[string]string{"/{a}": "relative", "{a": "want {column}", "a}": "without"} {
		_, err := ParseTemplate(text)
		wantError(t, err, want)
	}
}
