package input

import (
	"strings"
	"testing"
)

// TestObjectKeys finds the keys of objects, also of numbers that only Python writes.
func TestObjectKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"b": 1, "a": {"c": 2}}`:                          "a b",
		`{"b": NaN, "a": [Infinity, -Infinity], "c": 1}`:   "a b c",
		`{"NaN": NaN, "a\"NaN": "Infinity", "-": {"x":1}}`: `- NaN a"NaN`,
		`{"a": NaNa}`: "",
		`{"a": NaN`:   "",
		`[NaN]`:       "",
		`NaN`:         "",
	} {
		if got := strings.Join(ObjectKeys([]byte(text)), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
