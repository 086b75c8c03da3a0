package config

import "strings"

// nearest is the name that key is most likely meant to be; empty where none
// is near.
func nearest(key string, names []string) string {
	best, least := "", min(3, 1+len(key)/3)+1
	for _, name := range names {
		if d := distance(strings.ToLower(key), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance counts the insertions, deletions, changes and swaps of neighbours
// that make b of a.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return max(len(a), len(b))
	}
	var rows [3][65]int
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

func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return "did you mean " + name + "?"
}

// oneOf lists names for a message: `a, b or c`.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
