package sources

import (
	"strings"
	"testing"
)

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
		"{a}/{a}": "duplicate {a}", "a}": "without", "{": "expected {column}", "{}": "expected {column}", "{a*}": "expected {column}",
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
	for text, want := range map[string]string{"/{a}": "relative", "{a": "expected {column}", "a}": "without"} {
		_, err := ParseTemplate(text)
		wantError(t, err, want)
	}
}
