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

func (l local) expand(ctx context.Context, pattern string) (found []Found, hidden int, err error) {
	if !HasWildcard(pattern) {
		return []Found{l.find(ctx, pattern)}, 0, nil
	}
	if err := CheckPattern(pattern); err != nil {
		return nil, 0, err
	}
	root, levels := cutPattern(pattern)
	e := expansion{root: root, seen: map[place]bool{}}
	if err := e.levels(ctx, root, levels); err != nil {
		return nil, 0, err
	}
	slices.Sort(e.files)
	for _, path := range slices.Compact(e.files) {
		found = append(found, l.find(ctx, path))
	}
	return found, e.hidden, nil
}

func (local) find(_ context.Context, path string) Found {
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
