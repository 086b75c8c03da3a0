package files

import (
	"fmt"
	"path"
	"strings"

	"tfr-build/internal/store"
)

// Match reports whether a slash-separated name matches a pattern. The wildcards `*`, `?`, and
// `[a-z]` match within a level. A level `**` matches any number of levels, also none. A malformed
// pattern matches nothing; CheckPattern returns its error.
func Match(pattern, name string) bool {
	levels := strings.Split(name, "/")
	return MatchLevels(strings.Split(pattern, "/"), levels, isDeep,
		func(p string, n int) bool { return isDeep(p) || matchLevel(p, levels[n]) })
}

// Matches reports whether Expand would list a local file at path for a pattern, with links of its fixed
// directory resolved. The file need not exist.
func Matches(pattern, path string) bool {
	root, levels := cutPattern(pattern)
	name, below := store.Rel(store.Real(root), store.Real(path))
	_, visible := matchVisible(levels, strings.Split(name, "/"))
	return below && visible
}

// deep is the level that matches any number of levels.
const deep = "**"

func isDeep(level string) bool { return level == deep }

// MatchLevels matches level by level. isDeep reports whether a level of the pattern is `**`, and matches whether a
// level matches level n of the name.
//
// Between two `**`, it is enough to try the shortest match, because the later `**` can take every
// level that a longer match would have. So it backtracks only to the last `**`.
//
// matches is also called with `**` itself, and may reject a level, such as a hidden directory.
func MatchLevels[L any](pattern []L, name []string, isDeep func(p L) bool, matches func(p L, n int) bool) bool {
	after, from := -1, 0 // after the last `**`: a level of the pattern, and the level of the name where it is tried
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && isDeep(pattern[p]):
			p++
			after, from = p, n
		case p < len(pattern) && matches(pattern[p], n):
			p, n = p+1, n+1
		case after >= 0 && matches(pattern[after-1], from):
			from++
			p, n = after, from
		default:
			return false
		}
	}
	for p < len(pattern) && isDeep(pattern[p]) {
		p++
	}
	return p == len(pattern)
}

func matchLevel(pattern, name string) bool {
	ok, _ := path.Match(pattern, name) // false with an error
	return ok
}

// CheckPattern returns the error of a malformed pattern, or nil.
func CheckPattern(pattern string) error {
	for level := range strings.SplitSeq(pattern, "/") {
		if _, err := path.Match(level, ""); err != nil {
			return fmt.Errorf("pattern %q: %q is malformed", pattern, level)
		}
	}
	return nil
}

// FixedDirectory returns the longest directory of a pattern without a wildcard.
func FixedDirectory(pattern string) string {
	dir := store.Dir(pattern)
	for HasWildcard(dir) {
		dir = store.Dir(dir)
	}
	return dir
}

// HasWildcard reports whether a pattern has a wildcard, and so is not a plain path.
func HasWildcard(s string) bool { return strings.ContainsAny(s, "*?[") }

// cutPattern splits a pattern into its longest directory without a wildcard and the levels below
// it.
func cutPattern(pattern string) (root string, levels []string) {
	root = FixedDirectory(pattern)
	below := strings.TrimPrefix(pattern, "./") // a dot may also begin a name, as in .*.csv
	if root != "." {
		below = strings.TrimPrefix(strings.TrimPrefix(pattern, root), "/")
	}
	return root, strings.Split(below, "/")
}
