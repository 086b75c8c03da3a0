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
	return matchLevels(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchLevels(pattern, name []string) bool {
	return matchBy(pattern, name, func(p string, n int) bool { return p == deep || matchLevel(p, name[n]) })
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

// matchBy matches level by level. The function matches says whether a level of the pattern
// matches level n of the name.
//
// Between two `**`, it is enough to try the shortest match, because the later `**` can take every
// level that a longer match would have. So it backtracks only to the last `**`.
//
// matches is also called with `**` itself, and may reject a level, such as a hidden directory.
func matchBy(pattern, name []string, matches func(p string, n int) bool) bool {
	after, from := -1, 0 // after the last `**`: a level of the pattern, and the level of the name where it is tried
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == deep:
			p++
			after, from = p, n
		case p < len(pattern) && matches(pattern[p], n):
			p, n = p+1, n+1
		case after >= 0 && matches(deep, from):
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
