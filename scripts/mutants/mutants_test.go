package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMutantsQuoteTheCode finds mutants of code that has changed since: they would
// be noticed only after the tests before them have run.
func TestMutantsQuoteTheCode(t *testing.T) {
	for _, m := range mutants {
		texts := map[string]string{}
		for _, e := range m.edits {
			if _, read := texts[e.file]; !read {
				data, err := os.ReadFile(filepath.Join("../..", e.file))
				if err != nil {
					t.Fatal(err)
				}
				texts[e.file] = string(data)
			}
			if n := strings.Count(texts[e.file], e.old); n != 1 {
				t.Errorf("%s: %s has this %d times:\n%s", m.name, e.file, n, e.old)
			}
			texts[e.file] = strings.Replace(texts[e.file], e.old, e.new, 1)
		}
	}
}
