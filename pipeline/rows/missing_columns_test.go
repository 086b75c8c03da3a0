package rows

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSampleFindsMissingColumns checks which columns the first rows do not have, and whether the
// build can go on without them.
func TestSampleFindsMissingColumns(t *testing.T) {
	for name, test := range map[string]struct {
		features, want string
		fatal          bool
	}{
		"all are there": {"features: {a: int64}\n", "", false},
		"needed":        {"features: {a: int64, b: int64}\n", "b", true},
		"optional":      {"features: {a: int64, b: {type: int64, missing: omit}}\n", "b", false},
		"of the split":  {"features: {a: int64}\nsplit: {column: s}\n", "s", true},
		"of the group":  {"features: {a: int64}\ngroup: {by: g}\n", "g", true},
		"of the sort":   {"features: {a: int64}\ngroup: {by: a, sort: t}\n", "t", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte("{\"a\": 1}\n{\"a\": 2}\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
			set := openSet(t, dir, "source: {jsonl: {files: a.jsonl}}\n"+test.features)
			list, err := Sample(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for i := range list {
				names = append(names, list[i].Column)
				if list[i].Fatal != test.fatal || list[i].Fit().Column != list[i].Column || list[i].Config.Line == 0 ||
					!strings.HasPrefix(list[i].Warning().Text, list[i].Text()) {
					t.Errorf("%+v", list[i])
				}
			}
			if got := strings.Join(names, " "); got != test.want {
				t.Errorf("missing %q, expected %q", got, test.want)
			}
		})
	}
}
