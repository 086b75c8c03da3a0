package sources

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Match reports whether the slash-separated name fits pattern: `*`, `?` and
// `[a-z]` match within a level, a level `**` stands for any number of levels.
// A malformed pattern matches nothing; CheckPattern says what is wrong.
func Match(pattern, name string) bool {
	return matchLevels(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchLevels(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(name) + 1 {
				if matchLevels(pattern[1:], name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); err != nil || !ok {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
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
	dir := path.Dir(pattern)
	for hasWildcard(dir) {
		dir = path.Dir(dir)
	}
	return dir
}

func hasWildcard(s string) bool { return strings.ContainsAny(s, "*?[") }

// expand lists the files that pattern, an absolute path, names. Folders are
// passed over; a plain path is returned as it is, there or not.
func expand(pattern string) ([]string, error) {
	if !hasWildcard(pattern) {
		return []string{pattern}, nil
	}
	if err := CheckPattern(pattern); err != nil {
		return nil, err
	}
	root := FixedFolder(pattern)
	levels := strings.Split(strings.TrimPrefix(strings.TrimPrefix(pattern, root), "/"), "/")
	deep := slices.Contains(levels, "**")
	var found []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(p, root), "/")
		depth := strings.Count(rel, "/") + 1
		if d.IsDir() {
			if rel != "" && !deep && (depth >= len(levels) || !matchLevels(levels[:depth], strings.Split(rel, "/"))) {
				return filepath.SkipDir
			}
			return nil
		}
		if !matchLevels(levels, strings.Split(rel, "/")) {
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(p); err != nil || info.IsDir() {
				return err
			}
		}
		found = append(found, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	return found, nil
}
