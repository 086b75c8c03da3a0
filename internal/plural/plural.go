// Package plural formats counts and lists in messages:
//
//	plural.Of(3, "row")                            // 3 rows
//	plural.OneOf([]string{"none", "gzip", "zlib"}) // none, gzip or zlib
package plural

import (
	"fmt"
	"strings"
)

// Of returns n followed by noun, whose plural ends in s, in es after s, or in ies after a consonant and y.
func Of[N int | int64 | uint64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// OneOf returns the names as alternatives, with "or" before the last.
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
