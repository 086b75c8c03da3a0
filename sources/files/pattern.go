package files

import (
	"fmt"
	"path"
	"strings"

	"tfr-build/internal/store"
)

// Match reports whether the slash-separated name fits pattern: `*`, `?` and
// `[a-z]` match within a level, a level `**` stands for any number of levels.
// A malformed pattern matches nothing; CheckPattern says what is wrong.
func Match(pattern, name string) bool {
	return matchLevels(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchLevels(pattern, name []string) bool {
	return matchBy(pattern, name, func(p string, n int) bool { return p == deep || matchLevel(p, name[n]) })
}

// deep is the level that stands for any number of levels.
const deep = "**"

// matchBy matches level by level; fits says whether a level of the pattern fits one of
// the name, by its number. After a `**` the first levels that fit are right: a later
// `**` can take whatever an earlier one could, so that nothing is tried twice.
func matchBy(pattern, name []string, fits func(p string, n int) bool) bool {
	after, from := -1, 0 // the last `**`: what follows it, and the level where that is tried
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == deep:
			p++
			after, from = p, n
		case p < len(pattern) && fits(pattern[p], n):
			p, n = p+1, n+1
		case after >= 0 && fits(deep, from):
			from++
			p, n = after, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == deep {
		p++
	}
	return p == len(pattern)
}

func matchLevel(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// CheckPattern is the fault of a malformed pattern, or nil.
func CheckPattern(pattern string) error {
	for level := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(level, ""); err != nil {
			return fmt.Errorf("pattern %q: %q is malformed", pattern, level)
		}
	}
	return nil
}

// FixedFolder is the longest folder of a pattern that holds no wildcard.
func FixedFolder(pattern string) string {
	dir := store.Dir(pattern)
	for HasWildcard(dir) {
		dir = store.Dir(dir)
	}
	return dir
}

// HasWildcard reports whether a pattern is more than a path.
func HasWildcard(s string) bool { return strings.ContainsAny(s, "*?[") }

// cutPattern cuts a pattern into its longest folder without a wildcard, and the levels
// below that.
func cutPattern(pattern string) (root string, levels []string) {
	root = FixedFolder(pattern)
	return root, strings.Split(strings.TrimPrefix(strings.TrimPrefix(pattern, root), "/"), "/")
}
