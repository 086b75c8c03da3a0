package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

func (l local) expand(ctx context.Context, pattern string) (found []Found, skipped Skipped, err error) {
	root, levels := cutPattern(pattern)
	e := expansion{root: root, seen: map[visit]bool{}, links: map[string]bool{}}
	if err := e.expand(ctx, root, levels); err != nil {
		return nil, skipped, err
	}
	slices.Sort(e.files)
	for _, path := range slices.Compact(e.files) {
		found = append(found, l.find(path))
	}
	skipped.Hidden, skipped.Deep = e.hidden, len(e.links)
	return found, skipped, nil
}

func (local) find(path string) Found {
	f := Found{Path: path}
	var st unix.Stat_t
	if f.Err = unix.Stat(path, &st); f.Err != nil {
		return f
	}
	if f.File = fileOf("", &st); !f.File.Regular {
		f.Err = ErrNotRegular
		return f
	}
	f.ID, f.Err = idOf(&st), unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS)
	return f
}

// An expansion searches for the files that match a pattern.
type expansion struct {
	root   string
	files  []string
	hidden int
	links  map[string]bool // to directories; ** reaches them and does not follow them
	seen   map[visit]bool  // with two or more `**`, a directory is reached in several ways
}

// A visit is a directory, with the number of levels of the pattern that remain below it.
type visit struct {
	dir  string
	left int
}

// expand adds the files below dir that match the levels of a pattern.
func (e *expansion) expand(ctx context.Context, dir string, levels []string) error {
	v := visit{dir, len(levels)}
	if e.seen[v] {
		return nil
	}
	e.seen[v] = true
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	first, rest := levels[0], levels[1:]
	switch {
	case first == deep && len(rest) > 0:
		if err := e.expand(ctx, dir, rest); err != nil {
			return err
		}
	case !HasWildcard(first) && len(rest) > 0:
		return e.expand(ctx, path.Join(dir, first), rest)
	}
	entries, err := os.ReadDir(dir)
	switch {
	case dir != e.root && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR)):
		return nil // not all directories that match a wildcard need the subdirectory that the pattern names
	case err != nil:
		return err
	}
	for _, d := range entries {
		if err := e.addEntry(ctx, path.Join(dir, d.Name()), d, levels); err != nil {
			return err
		}
	}
	return nil
}

// addEntry adds a file that matches, or descends into a directory that does.
func (e *expansion) addEntry(ctx context.Context, full string, d fs.DirEntry, levels []string) error {
	first, rest := levels[0], levels[1:]
	isDeep := first == deep
	if matches, _ := path.Match(first, d.Name()); !isDeep && !matches {
		return nil
	}
	isDir := d.IsDir()
	if d.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(full)
		if err != nil {
			return err
		}
		isDir = info.IsDir()
		// ** does not follow links, which may lead back.
		if isDir && isDeep {
			e.links[full] = true
			return nil
		}
	}
	last := len(rest) == 0
	switch {
	case HasWildcard(first) && IsHidden(d.Name()):
		if !isDir && last {
			e.hidden++
		}
	case isDir && isDeep:
		return e.expand(ctx, full, levels)
	case isDir && !last:
		return e.expand(ctx, full, rest)
	case !isDir && last:
		e.files = append(e.files, full)
	}
	return nil
}
