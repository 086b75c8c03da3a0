// Package nearest finds the name that somebody most likely meant, for messages:
//
//	help := nearest.DidYouMean(nearest.Of("colour", names))
package nearest

import (
	"slices"
	"strings"
)

// maxSize is up to which length names are compared, and maxNames among how
// many: beyond it takes long and helps nobody.
const maxSize, maxNames = 64, 10_000

// Of returns the name that the fewest changes make of the one that was found,
// whatever the case of letters; of several the first. A name of which half or more
// was found, from its beginning, is one change away. It is empty where none is near:
// up to three changes, and up to one in three characters. It is also empty where one
// of names was found: a message that suggests it would say nothing.
func Of(found string, names []string) string {
	if len(names) > maxNames || slices.Contains(names, found) {
		return ""
	}
	best, least := "", min(3, max(1, len(found)/3), len(found)-1)+1
	found = strings.ToLower(found)
	for _, name := range names {
		lower := strings.ToLower(name)
		d := distance(found, lower)
		if d > 1 && len(name) <= maxSize && strings.HasPrefix(lower, found) && 2*len(found) >= len(name) {
			d = 1
		}
		if d < least {
			best, least = name, d
		}
	}
	return best
}

// DidYouMean asks whether a name was meant, for the help of a message; it is empty
// without a name.
func DidYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean " + name + "?"
}

// distance counts the insertions, deletions, changes and swaps of neighbours
// that make b of a: https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance,
// of its two forms the restricted one.
func distance(a, b string) int {
	if len(a) > maxSize || len(b) > maxSize {
		return max(len(a), len(b))
	}
	var rows [3][maxSize + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above := &rows[i%3], &rows[(i+2)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := above[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], rows[(i+1)%3][j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
