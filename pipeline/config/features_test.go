package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyFeatures checks the largest number of features of a config.
func TestManyFeatures(t *testing.T) {
	var text strings.Builder
	text.WriteString("name: a\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures:\n")
	for i := range maxFeatures + 1 {
		fmt.Fprintf(&text, "  c%d: int64\n", i)
	}
	_, err := Parse("a.yaml", []byte(text.String()), nil)
	if want := "found 100001 features; expected at most 100000"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; expected %q", err, want)
	}
}
