package expr

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestCase compares all characters with Go's if Go has the same version of Unicode. It always compares
// them with a checksum, so that a new version of Go changes no result.
func TestCase(t *testing.T) {
	moved, lower, upper := 0, 0, 0
	for r := rune(0); r < 0x20000; r++ { // there are none beyond
		if !utf8.ValidRune(r) {
			continue
		}
		l, _ := utf8.DecodeRune(appendCase(nil, utf8.AppendRune(nil, r), unicode.ToLower))
		u, _ := utf8.DecodeRune(appendCase(nil, utf8.AppendRune(nil, r), unicode.ToUpper))
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
	if got := appendCase(nil, text, unicode.ToLower); !bytes.Equal(got, []byte("a\xffé\xc3")) {
		t.Errorf("lower(%q) = %q", text, got)
	}
	if got := appendCase(nil, []byte("a\xffé\xc3"), unicode.ToUpper); !bytes.Equal(got, text) {
		t.Errorf("upper = %q, want %q", got, text)
	}
}

// TestKnown checks that only characters of Unicode 15.0 are known: those that come later may get another case.
func TestKnown(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skip("Go has another version of Unicode:", unicode.Version)
	}
	for r := rune(1); r < 0x20000; r++ {
		if unicode.Is(known, r) && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z,
			unicode.C) {
			t.Errorf("%U is known, and no character", r)
		}
	}
	text := string(appendCase(nil, []byte("\u1c89\ua7cb"), func(r rune) rune { return 'a' })) // letters of Unicode 16.0
	if text != "\u1c89\ua7cb" {
		t.Errorf("a character that is not known became %q", text)
	}
}
