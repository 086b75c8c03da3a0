package date

import (
	"strings"
	"testing"
	"time"
)

// compile returns the parser of a valid format.
func compile(t testing.TB, format, unit, zone string) *Parser {
	t.Helper()
	z, err := FindZone(zone)
	if err != nil {
		t.Fatal(err)
	}
	return compileIn(t, format, unit, z)
}

// compileIn returns the parser of a valid format in a zone.
func compileIn(t testing.TB, format, unit string, z *time.Location) *Parser {
	t.Helper()
	u, ok := ParseUnit(unit)
	if !ok {
		t.Fatalf("no unit %q", unit)
	}
	p, err := Compile(format, u, z)
	if err != nil {
		t.Fatalf("%q: %v", format, err)
	}
	return p
}

// wantText fails unless a string contains a part.
func wantText(t *testing.T, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s: got %q, want %q in it", what, text, part)
	}
}
