package diff

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", "-2 b, +2 x"},
		{"a\nb\nc\nd\n", "a\nc\nd\ne\n", "-2 b, +4 e"},
		{"", "a\n", "+1 a"},
		{"a", "", "-1 a"},
		{"p\na\nb\nq\nc\nz", "p\nb\nx\nc\na\nz", "-2 a, -4 q, +3 x, +5 a"},
	} {
		got := lines(c.old, c.new)
		slices.SortStableFunc(got, func(a, b Line) int { return strings.Compare(b.In, a.In) })
		var list []string
		for _, l := range got {
			list = append(list, map[string]string{inOld: "-", inNew: "+"}[l.In]+string(rune('0'+l.Number))+" "+l.Text)
		}
		if text := strings.Join(list, ", "); text != c.want {
			t.Errorf("%q and %q: %s, want %s", c.old, c.new, text, c.want)
		}
	}
}

// Without its lines a text is the other without its own.
func TestLinesOfRandomStrings(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	some := func() (lines []string) {
		for range random.IntN(9) {
			lines = append(lines, string(rune('a'+random.IntN(4))))
		}
		return lines
	}
	without := func(list []string, in string, changed []Line) (rest []string) {
		for i, text := range list {
			if !slices.Contains(changed, Line{in, i + 1, text}) {
				rest = append(rest, text)
			}
		}
		return rest
	}
	for range 2000 {
		old, new := some(), some()
		changed := lines(strings.Join(old, "\n"), strings.Join(new, "\n"))
		if a, b := without(old, inOld, changed), without(new, inNew, changed); !slices.Equal(a, b) {
			t.Fatalf("%q and %q: %v leave %q and %q", old, new, changed, a, b)
		}
	}
	long := strings.Repeat("x\n", 3000)
	if got := lines("a\n"+long+"b\n", "c\n"+long+"d\n"); len(got) != maxLines {
		t.Errorf("%d lines differ", len(got))
	}
}
