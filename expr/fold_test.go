package expr

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestCase compares the tables with Go's tables if they have the same version of Unicode. It always
// compares them with a checksum, so that a new version of Go changes no result.
func TestCase(t *testing.T) {
	moved, lower, upper := 0, 0, 0
	for r := rune(0); r < 0x20000; r++ { // there are none beyond
		if !utf8.ValidRune(r) {
			continue
		}
		l, _ := utf8.DecodeRune(appendLower(nil, utf8.AppendRune(nil, r)))
		u, _ := utf8.DecodeRune(appendUpper(nil, utf8.AppendRune(nil, r)))
		if unicode.Version == "15.0.0" && (l != unicode.ToLower(r) || u != unicode.ToUpper(r)) {
			t.Errorf("%U: lower %U, upper %U, want %U and %U", r, l, u, unicode.ToLower(r), unicode.ToUpper(r))
		}
		if l != r {
			lower++
		}
		if u != r {
			upper++
		}
		moved += int(l-r)*31 ^ int(u-r)
	}
	if lower != 1433 || upper != 1450 || moved != 80701405 {
		t.Errorf("%d characters have a lower case and %d an upper one; their distances come to %d", lower, upper, moved)
	}
}

// TestCaseOfBytes checks that bytes that are not UTF-8 do not change.
func TestCaseOfBytes(t *testing.T) {
	text := []byte("A\xffÉ\xc3")
	if got := appendLower(nil, text); !bytes.Equal(got, []byte("a\xffé\xc3")) {
		t.Errorf("lower(%q) = %q", text, got)
	}
	if got := appendUpper(nil, []byte("a\xffé\xc3")); !bytes.Equal(got, text) {
		t.Errorf("upper = %q, want %q", got, text)
	}
}
