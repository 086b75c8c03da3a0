package config

import (
	"strings"
	"testing"
)

func TestChangesOf(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{"sample: 50%\nseed: 1\n", "sample: 60%\nseed: 1\n", "sample: 50% → 60%"},
		{"seed: 1\n", "seed: 1\nwhere: \"a > 0\"\n", "where: unset → \"a > 0\""},
		{"seed: 1\nwhere: a\n", "seed: 1\n", "where: a → unset"},
		{"features: {a: {type: int64}, b: {type: float}}", "features: {a: {type: float}, c: {type: int64}}",
			"features.a.type: int64 → float; features.b: {…} → unset; features.c: unset → {…}"},
		{"features: {a.b: {x: 1}}", "features: {a.b: {x: 2}}", "features[\"a.b\"].x: 1 → 2"},
		{"sources: [{csv: {files: [a.csv]}}]", "sources: [{csv: {files: [b.csv, c.csv]}}]",
			"sources[0].csv.files: [a.csv] → [b.csv, c.csv]"},
		{"sources: [{csv: 1}]", "sources: [{csv: 1}, {csv: 2}]", "sources: 1 value → 2 values"},
		{"s: [" + strings.Repeat("abcdef, ", 20) + "a]", "s: [" + strings.Repeat("abcdef, ", 20) + "b]",
			"s[20]: a → b"},
		{"a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1\n", "a: 2\nb: 2\nc: 2\nd: 2\ne: 2\nf: 2\ng: 2\n",
			"a: 1 → 2; b: 1 → 2; c: 1 → 2; d: 1 → 2; e: 1 → 2; and 2 more"},
		{"a: 1\n", "a: 1\n", ""},
		{"b: 1\n", "a: unset\nb: 1\n", "a: unset → unset"},
		{"a: " + strings.Repeat("x", 50), "a: " + strings.Repeat("x", 51),
			"a: \"" + strings.Repeat("x", 40) + "\"… → \"" + strings.Repeat("x", 40) + "\"…"},
		{"a: {", "a: 1\n", ""},
		{"", "a: 1\n", ""},
		{"a: " + strings.Repeat("x", maxCompared), "a: 1\n", ""},
		{"a: " + strings.Repeat("x", 50), "a: 1\n", "a: \"" + strings.Repeat("x", 40) + "\"… → 1"},
	} {
		if got := ChangesOf([]byte(c.before), []byte(c.now)); got != c.want {
			t.Errorf("%.60q and %.60q: %q, want %q", c.before, c.now, got, c.want)
		}
	}
}
