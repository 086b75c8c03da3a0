package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExcerptAtOffset(t *testing.T) {
	for _, c := range []struct {
		text     string
		at, size int
		want     Excerpt
	}{
		{"a,b\n1,x\n2,y\n", 6, 1, Excerpt{Before: "1,", Marked: "x"}},
		{"a,b\n1,x\r\n", 6, 0, Excerpt{Before: "1,", After: "x"}},
		{"1,x", 3, 0, Excerpt{Before: "1,x"}},
		{"1,x\n", 2, 9, Excerpt{Before: "1,", Marked: "x"}},
		{"1,x", 99, 0, Excerpt{Before: "1,x"}},
		{"1,x", -1, 1, Excerpt{Marked: "1", After: ",x"}},
		{"1\n  \n2", 3, 0, Excerpt{}},
		{"", 0, 0, Excerpt{}},
	} {
		if got := At([]byte(c.text), c.at, c.size); got != c.want {
			t.Errorf("At(%q, %d, %d) = %+v, want %+v", c.text, c.at, c.size, got, c.want)
		}
	}
}

func TestExcerptIsBounded(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	for _, text := range []string{long, "x" + long, "xx" + long + "x"} {
		for _, size := range []int{0, 4, 1 << 20} {
			e := At([]byte(text), 1<<20+len(text)%2, size)
			if !e.CutBefore || !e.CutAfter || len(e.Before)+len(e.Marked)+len(e.After) > 3*maxPart {
				t.Errorf("%d bytes of a line are shown, cut: %v, %v", len(e.Before)+len(e.Marked)+len(e.After),
					e.CutBefore, e.CutAfter)
			}
			if len(text)%2 == 0 && !utf8.ValidString(e.Before+e.Marked+e.After) {
				t.Errorf("with size %d a character is cut", size)
			}
		}
	}
}
