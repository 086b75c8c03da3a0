package config

import (
	"strings"
	"testing"
)

// TestFillSizes checks that a default or pad may fill a record up to limits.record, and no more.
func TestFillSizes(t *testing.T) {
	const want = "fills up to 1001 bytes, and limits.record allows 1000"
	for _, fill := range []string{"missing: {default: 0}", "pad: 0"} {
		for shape, isValid := range map[string]bool{"[1000]": true, "[1001]": false} {
			text := "name: d\noutput: out\nlimits: {record: 1000B}\nsource: {csv: {files: a.csv}}\nfeatures:\n  x: " +
				"{type: int64, separator: ' ', shape: " + shape + ", " + fill + "}\n"
			_, err := Parse("c.yaml", []byte(text), func(string) (string, bool) { return "", false })
			if isValid != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s of shape %s: got %v", fill, shape, err)
			}
		}
	}
}
