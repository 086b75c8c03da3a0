// Package nearest finds the name that a user most likely meant, for messages:
//
//	help := nearest.Hint("color", names)
package nearest

import (
	"slices"
	"strings"
)

// maxSize is the length of the longest names that are compared, and maxNames the largest number of
// names. Beyond these limits, comparing takes long and helps nobody.
const maxSize, maxNames = 64, 10_000

// Of returns the name with the smallest edit distance from found, ignoring case; of several names
// the first. A name that begins with found, and is at most twice as long, has distance 1.
//
// Of returns an empty string if no name is near: within three changes, and one change per three
// characters. It also returns an empty string if found is one of names: a message that suggests it
// would be useless.
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

// Hint returns a question for the help of a message: whether the name nearest to found was meant. It is empty if no
// name is near.
func Hint(found string, names []string) string { return DidYouMean(Of(found, names)) }

// DidYouMean returns a question for the help of a message: whether name was meant. It is empty if
// name is empty.
func DidYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean " + name + "?"
}

// distance returns the number of insertions, deletions, substitutions, and swaps of neighbors that
// turn a into b. It is the restricted form of
// https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance.
func distance(a, b string) int {
	if len(a) > maxSize || len(b) > maxSize {
		return max(len(a), len(b))
	}
	var changes [maxSize + 1][maxSize + 1]uint8 // that turn i bytes of a into j bytes of b
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			least := uint8(i + j)
			switch {
			case i == 0 || j == 0:
			case a[i-1] == b[j-1]:
				least = changes[i-1][j-1]
			default:
				least = 1 + min(changes[i-1][j], changes[i][j-1], changes[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				least = min(least, changes[i-2][j-2]+1)
			}
			changes[i][j] = least
		}
	}
	return int(changes[len(a)][len(b)])
}
