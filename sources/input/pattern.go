package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Match reports whether the slash-separated name fits pattern: `*`, `?` and
// `[a-z]` match within a level, a level `**` stands for any number of levels.
// A malformed pattern matches nothing; CheckPattern says what is wrong.
func Match(pattern, name string) bool {
	return matchLevels(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

// matchLevels matches level by level. After a `**` the first levels that fit are
// right: a later `**` can take whatever an earlier one could, so that nothing is
// tried twice.
func matchLevels(pattern, name []string) bool {
	after, from := -1, 0 // the last `**`: what follows it, and the level where that is tried
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			p++
			after, from = p, n
		case p < len(pattern) && matchLevel(pattern[p], name[n]):
			p, n = p+1, n+1
		case after >= 0:
			from++
			p, n = after, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
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
	dir := path.Dir(pattern)
	for HasWildcard(dir) {
		dir = path.Dir(dir)
	}
	return dir
}

// HasWildcard reports whether a pattern is more than a path.
func HasWildcard(s string) bool { return strings.ContainsAny(s, "*?[") }

// Expand lists the files that pattern, an absolute path, names, and counts what
// is hidden and would fit: a wildcard does not match it. Links are followed, but
// not by `**`, which could go round in circles. A plain path is returned as it
// is, there or not.
func Expand(ctx context.Context, pattern string) (files []string, hidden int, err error) {
	if !HasWildcard(pattern) {
		return []string{pattern}, 0, nil
	}
	if err := CheckPattern(pattern); err != nil {
		return nil, 0, err
	}
	root := FixedFolder(pattern)
	e := expansion{root: root, seen: map[place]bool{}}
	levels := strings.Split(strings.TrimPrefix(strings.TrimPrefix(pattern, root), "/"), "/")
	if err := e.levels(ctx, root, levels); err != nil {
		return nil, 0, err
	}
	slices.Sort(e.files)
	return slices.Compact(e.files), e.hidden, nil
}

// An expansion is a pattern on its way to files.
type expansion struct {
	root   string
	files  []string
	hidden int
	seen   map[place]bool // with more than one `**` there are many ways to a place
}

// A place is a folder, and how many levels of the pattern are left there.
type place struct {
	dir  string
	left int
}

// levels adds the files below dir that fit the levels of a pattern.
func (e *expansion) levels(ctx context.Context, dir string, levels []string) error {
	if at := (place{dir, len(levels)}); !e.seen[at] {
		e.seen[at] = true
	} else {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	first, rest := levels[0], levels[1:]
	switch {
	case first == "**" && len(rest) > 0:
		if err := e.levels(ctx, dir, rest); err != nil {
			return err
		}
	case !HasWildcard(first) && len(rest) > 0:
		return e.levels(ctx, path.Join(dir, first), rest)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case dir != e.root && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR)):
		return nil // a folder that the pattern names need not be in all that a wildcard fits
	case err != nil:
		return err
	}
	for _, d := range entries {
		if err := e.entry(ctx, path.Join(dir, d.Name()), d, levels); err != nil {
			return err
		}
	}
	return nil
}

// entry adds a file that fits, or descends into a folder that does.
func (e *expansion) entry(ctx context.Context, full string, d fs.DirEntry, levels []string) error {
	first, rest := levels[0], levels[1:]
	deep := first == "**"
	if fits, _ := path.Match(first, d.Name()); !deep && !fits {
		return nil
	}
	isDir := d.IsDir()
	if d.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(full)
		if err != nil {
			return err
		}
		isDir = info.IsDir()
		if isDir && deep {
			return nil
		}
	}
	last := len(rest) == 0
	switch {
	case HasWildcard(first) && IsHidden(d.Name()):
		if !isDir && last {
			e.hidden++
		}
	case isDir && deep:
		return e.levels(ctx, full, levels)
	case isDir && !last:
		return e.levels(ctx, full, rest)
	case !isDir && last:
		e.files = append(e.files, full)
	}
	return nil
}
