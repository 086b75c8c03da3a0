package sources

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

func TestPathPattern(t *testing.T) {
	for _, tt := range []struct{ pattern, name, want string }{
		{"{split}/{class}/{patient}_{view}.png", "train/cat/p1_left.png", "train cat p1 left"},
		{"{split}/{class}/{patient}_{view}.png", "train/cat/p1_a_b.png", "train cat p1 a_b"},
		{"{split}/{class}/{patient+}_{view}.png", "train/cat/p1_a_b.png", "train cat p1_a b"},
		{"{split}/{class}/{patient}_{view}.png", "train/cat/left.png", ""},
		{"{split}/{class}/{patient}_{view}.png", "cat/p1_left.png", ""},
		{"**/{name}.png", "a.png", "a"},
		{"**/{name}.png", "x/y/a.png", "a"},
		{"*/{name}.png", "x/a.png", "a"},
		{"{a}*{b}", "xyz", "x yz"}, // each takes as little as it can
		{"{a}*{b}", "éyz", "é yz"}, // in characters
		{"{a}*{b}", "\xe9z", "\xe9 z"},
		{"{a+}*{b}", "xyz", "xy z"},
		{"{a}", "", ""},
		{"{a+}", "a/b", ""},
		{"{a+}", "a\n\xffb", "a\n\xffb"},
		{"**/{n+}_{i:[0-9]+}.png", "x/a_b_12.png", "a_b 12"},
		{"{side:[lr]}{n:[0-9]{3}}{rest}.png", "l0123.png", "l 012 3"},
		{"{side:[lr]}{n:[0-9]{3}}{rest}.png", "m0123.png", ""},
		{"{v:(a|ab)}{w:(c|bcd)?}{x:(d*)}", "abcd", "a bcd "},
		{"{a:(?i)cat}_{b}", "CaT_CaT", "CaT CaT"},
		{"{a:[^/]+}.{b}", "x.y.z", "x.y z"},
		{"{a:.+}/{b:.*}", "x/y", "x y"},
		{"{a:.+}", "x/y", ""},
		{"{a:x|y}{b:(?P<n>1)(2)}{c:z}", "y12z", "y 12 z"},
		{`{a:\x7b+}`, "{{", "{{"},
		{"{a:b{1,2}}c", "bbc", "bb"},
		{"**/{a+}/**", "x/y", "x"},
	} {
		p, err := ParsePathPattern(tt.pattern)
		if err != nil {
			t.Fatalf("%s: %v", tt.pattern, err)
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
}

// TestPathPatternErrors has every syntax error of a pattern.
func TestPathPatternErrors(t *testing.T) {
	for pattern, want := range map[string]string{
		"{a}/{a}":       "expected another column than {a}, which occurs before, at character 5",
		"a}":            "expected a { before the } at character 2",
		"{":             "expected a } that closes the { at character 1",
		"x/{a:[{]}":     "expected a } that closes the { at character 3",
		"{}":            "expected {column}, {column+} or {column:expression} at character 1",
		"b/{+}":         "expected {column}, {column+} or {column:expression} at character 3",
		"{:a}":          "expected {column}, {column+} or {column:expression} at character 1",
		"{a*}":          "expected {column}, {column+} or {column:expression} at character 1",
		"{a/b}":         "expected {column}, {column+} or {column:expression} at character 1",
		"{a:}":          "expected an expression at character 4",
		"{a:(}":         `expected an expression of RE2 (missing closing ): "(") at character 4`,
		"{a:x)(y}":      `expected an expression of RE2 (unexpected ): "x)(y") at character 4`,
		`{a:(x)\1}`:     `expected an expression of RE2 (invalid escape sequence: "\\1") at character 4`,
		"{a:(?=x)}":     `expected an expression of RE2 (invalid or unsupported Perl syntax: "(?=") at character 4`,
		"{a:x{1001}}":   `expected an expression of RE2 (invalid repeat count: "{1001}") at character 4`,
		"x{a:b/c}":      "expected an expression without /, which no column holds, at character 5",
		"{a:(bc|[/]d)}": "expected an expression without /, which no column holds, at character 4",
		"x/{a}{b}":      "expected something between two columns at character 6",
		"{a+}{b}":       "expected something between two columns at character 5",
		"{a:" + strings.Repeat("(", 999) + "x" + strings.Repeat(")", 999) +
			"}{b:y}": "expected expressions that go together (",
		"{a:(" + strings.Repeat("xy", 10) +
			"){1000}}": "expected an expression of at most 10000 steps at character 4",
		"{a:" + strings.Repeat("(", 9999) + strings.Repeat(")", 9999) +
			"}": "expected an expression of RE2 (expression nests too deeply",
	} {
		_, err := ParsePathPattern(pattern)
		wantError(t, err, want)
	}
}

// tries are expressions of columns, and whether they match as much as possible.
var tries = map[string]bool{"[ab]+": true, "a*?": false, "b?": true, "(?:ab|b)": true, "a{2}": true, ".*": true,
	"(a|b)+?": false}

// TestPathPatternLeftmostFirst compares with a search that tries every length, in the order of
// preference of each piece.
func TestPathPatternLeftmostFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string, n int) (text string) {
		for range n {
			text += from[r.IntN(len(from))]
		}
		return text
	}
	pieces := []string{"a", "b", "ab", "*", "/", "/**/", "{x}", "{y}", "{z}", "{x+}", "{y+}", "{z+}"}
	for re := range tries {
		pieces = append(pieces, "{x:"+re+"}", "{y:"+re+"}")
	}
	slices.Sort(pieces)
	fits, parsed := 0, 0
	for range testenv.Times(30_000, 150_000, 10_000_000) {
		pattern := pick(pieces, 1+r.IntN(7))
		p, err := ParsePathPattern(pattern)
		if err != nil { // a column twice, or nothing between two
			continue
		}
		parsed++
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
	if fits < 1000 || parsed < 10_000 {
		t.Errorf("only %d names fit, of %d patterns", fits, parsed)
	}
}

func tryPath(levels []*pathLevel, name, values []string) bool {
	switch {
	case len(levels) == 0:
		return len(name) == 0
	case levels[0].isDeep():
		return tryPath(levels[1:], name, values) || len(name) > 0 && tryPath(levels, name[1:], values)
	}
	return len(name) > 0 && tryPieces(levels[0].pieces, name[0], values,
		func() bool { return tryPath(levels[1:], name[1:], values) })
}

func tryPieces(pieces []pathPiece, s string, values []string, then func() bool) bool {
	if len(pieces) == 0 {
		return s == "" && then()
	}
	p := pieces[0]
	for i := range len(s) + 1 {
		n := i
		if p.long || tries[p.re] {
			n = len(s) - i
		}
		if !p.takes(s[:n]) || !tryPieces(pieces[1:], s[n:], values, then) {
			continue
		}
		if p.column > 0 {
			values[p.column-1] = s[:n]
		}
		return true
	}
	return false
}

// takes reports whether a piece matches a string.
func (p *pathPiece) takes(s string) bool {
	switch {
	case p.re != "":
		return regexp.MustCompile(`^(?:` + p.re + `)$`).MatchString(s)
	case p.column > 0:
		return s != ""
	}
	return p.any || s == p.literal
}

// TestPathPatternIsLinear has names for which a search by length would take exponential time.
func TestPathPatternIsLinear(t *testing.T) {
	for pattern, name := range map[string]string{
		"{a}_{b}_{c}_{d}_{e}_{f}_{g}_{h}.png":         strings.Repeat("_", 100_000),
		"{a+}_{b+}_{c+}_{d+}_{e+}_{f+}_{g+}_{h+}.png": strings.Repeat("_", 10_000),
		"{a:(x+x+)+y}":                                        strings.Repeat("x", 10_000),
		"{a:(x*)*}{b:(x*)*}{c:(x*)*}y":                        strings.Repeat("x", 10_000),
		"{a:((x{0,10}){0,10}){0,10}}y":                        strings.Repeat("x", 2_000),
		"*a*a*a*a*a*a*a*a*b":                                  strings.Repeat("a", 100_000),
		"**/a/**/a/**/a/**/a/**/a/**/{b}/c":                   strings.Repeat("a/", 2_000),
		"**/{a+}/**/{b+}x/**/{c:y+}/**/{d+}x/**/{e+}x/**/c/z": strings.Repeat("a/", 2_000),
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

// FuzzPathPattern searches for panics, for errors without a position, and for values that are not
// in the name.
func FuzzPathPattern(f *testing.F) {
	for _, pattern := range []string{"{a}/{b+}_{c:[0-9]+}.png", "**/{a}", "{a:(x|y)}*{b}", "{a:[}", "{a:(?P<n>x)}",
		"a}{", "{a:\\x7b}", "{a:[^/]}/**"} {
		f.Add(pattern, "x/y_12.png")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		p, err := ParsePathPattern(pattern)
		if err != nil {
			var fault *PatternError
			if !errors.As(err, &fault) || fault.At < 0 || fault.At > len(pattern) || fault.Expected == "" {
				t.Fatalf("%q: %#v", pattern, err)
			}
			return
		}
		values := make([]string, len(p.Columns()))
		if !p.Match(name, values) {
			return
		}
		for _, v := range values {
			if strings.Contains(v, "/") || !strings.Contains(name, v) {
				t.Fatalf("%q on %q: %q", pattern, name, values)
			}
		}
	})
}

func BenchmarkPathPattern(b *testing.B) {
	for _, pattern := range []string{"{split}/{class}/{patient}_{view}.png", "{split}/{class}/{patient+}_{view}.png",
		"{split}/{class}/{patient:p[0-9]+}_{view}.png"} {
		b.Run(pattern, func(b *testing.B) {
			p, err := ParsePathPattern(pattern)
			if err != nil {
				b.Fatal(err)
			}
			values := make([]string, len(p.Columns()))
			for b.Loop() {
				if !p.Match("train/cat/p1_left.png", values) {
					b.Fatal("it does not fit")
				}
			}
		})
	}
}
