package config

import (
	"slices"
	"strings"
	"testing"
)

// TestForDALI checks which features DALI misreads, and that a config without indexes has no
// warnings.
func TestForDALI(t *testing.T) {
	const text = `
name: d
output: out
source: {jsonl: {files: a.jsonl}}
features:
  always: int64
  absent: {type: int64, missing: omit}
  filled: {type: int64, missing: {default: 0}}
  numbers: {type: float, shape: [-1], missing: empty_list}
  texts: {type: string, shape: [-1]}
  three: {type: string, shape: [3]}
  tensor: {type: string, shape: [-1], tensor: true}
`
	for with, want := range map[string][]string{
		"":              nil,
		"index: false":  nil,
		"index: true\n": {"features.absent: DALI reads 0", "features.texts: DALI crashes"},
	} {
		cfg, err := Parse("c.yaml", []byte(text+with), nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(got, want string) bool {
			return strings.HasPrefix(got, want) && strings.Contains(got, "missing: {default: …}")
		}
		if got := cfg.ForDALI(); !slices.EqualFunc(got, want, same) {
			t.Errorf("%q: %q; want %q", with, got, want)
		}
		if has := strings.Contains(string(cfg.Canonical(nil)), "index"); has != (want != nil) {
			t.Errorf("%q: the canonical config has index: %v", with, has)
		}
	}
}
