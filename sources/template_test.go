package sources

import (
	"math/rand/v2"
	"slices"
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

// TestPathPatternTakesTheLeast compares with a search that tries every length, the
// shortest first.
func TestPathPatternTakesTheLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string, n int) (text string) {
		for range n {
			text += from[r.IntN(len(from))]
		}
		return text
	}
	fits := 0
	for range 50_000 {
		pattern := pick([]string{"a", "b", "ab", "*", "/", "/**/", "{x}", "{y}", "{z}"}, 1+r.IntN(7))
		p, err := ParsePathPattern(pattern)
		if err != nil { // a column twice
			continue
		}
		name := pick([]string{"a", "b", "ab", "/"}, r.IntN(8))
		got, want := make([]string, len(p.Columns())), make([]string, len(p.Columns()))
		ok := p.Match(name, got)
		if tried := tryPath(p.levels, strings.Split(name, "/"), want); ok != tried || ok && !slices.Equal(got, want) {
			t.Fatalf("%q on %q: %v %q, want %v %q", pattern, name, ok, got, tried, want)
		}
		if ok {
			fits++
		}
	}
	if fits < 1000 {
		t.Errorf("only %d names fit", fits)
	}
}

func tryPath(levels [][]pathPiece, name, values []string) bool {
	switch {
	case len(levels) == 0:
		return len(name) == 0
	case levels[0] == nil:
		return tryPath(levels[1:], name, values) || len(name) > 0 && tryPath(levels, name[1:], values)
	}
	return len(name) > 0 && tryPieces(levels[0], name[0], values, func() bool { return tryPath(levels[1:], name[1:], values) })
}

func tryPieces(pieces []pathPiece, s string, values []string, then func() bool) bool {
	if len(pieces) == 0 {
		return s == "" && then()
	}
	p := pieces[0]
	for n := 0; n <= len(s); n++ {
		if !p.takesAny() && s[:n] != p.literal || p.column > 0 && n == 0 || !tryPieces(pieces[1:], s[n:], values, then) {
			continue
		}
		if p.column > 0 {
			values[p.column-1] = s[:n]
		}
		return true
	}
	return false
}

// TestPathPatternHasNoSlowNames would not end if lengths were tried.
func TestPathPatternHasNoSlowNames(t *testing.T) {
	for pattern, name := range map[string]string{
		"{a}_{b}_{c}_{d}_{e}_{f}_{g}_{h}.png": strings.Repeat("_", 100_000),
		"*a*a*a*a*a*a*a*a*b":                  strings.Repeat("a", 100_000),
		"**/a/**/a/**/a/**/a/**/a/**/{b}/c":   strings.Repeat("a/", 2_000),
	} {
		p, err := ParsePathPattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if p.Match(name, make([]string, len(p.Columns()))) {
			t.Errorf("%q fits", pattern)
		}
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
