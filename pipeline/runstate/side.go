package runstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"tfr-build/pipeline/rows"
	"tfr-build/sources/input"
)

// sideFiles are the files of class names, and the config itself where it is a
// file.
func sideFiles(set *rows.Set) []string {
	var paths []string
	if set.Config.File != "" {
		paths = append(paths, set.Config.File)
	}
	return append(paths, set.Classes.Files()...)
}

// readSide are the files that are no source's own as they stand now: files of
// class names, side tables, and all files below the folders that rows name files
// in. The digest of the config speaks for that.
func (in *Inputs) readSide(ctx context.Context) ([]side, error) {
	var list []side
	add := func(name, path string) error {
		f, err := input.Stat(name, path)
		if err == nil && f.Regular {
			list = append(list, side{path, f})
		}
		return err
	}
	paths := slices.Clone(in.set.Classes.Files())
	for _, src := range in.set.Sources {
		paths = append(paths, src.SideFiles()...)
	}
	for _, p := range paths {
		if err := add(filepath.Base(p), p); err != nil {
			return nil, err
		}
	}
	for _, dir := range loadDirs(in.set) {
		dir = realPath(dir)
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil:
				return &input.Error{Path: path, Err: err}
			case slices.Contains(in.written, path) && e.IsDir():
				return fs.SkipDir
			case slices.Contains(in.written, path):
				return nil
			}
			if err := add(strings.TrimPrefix(path, dir), path); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ELOOP) {
				return err
			}
			return nil // a link that leads nowhere matters only to a row that names it
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// loadDirs are the folders of the files that rows name, each once.
func loadDirs(set *rows.Set) []string {
	var dirs []string
	for _, src := range set.Sources {
		dirs = append(dirs, src.LoadDirs()...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// Dependencies lists, for a depfile, the files that a build reads, and the folders
// where a file that is added or taken away changes what it reads. Files that rows
// name are in their folders: which they are is known only when rows are read. Of
// these folders none is listed that the output lies in or is, for publishing touches
// it. A name that a depfile cannot have is a [PlaceError].
func Dependencies(set *rows.Set, output string) ([]string, error) {
	paths := sideFiles(set)
	for i := range set.Files() {
		paths = append(paths, set.Path(i))
	}
	for _, src := range set.Sources {
		paths = append(paths, src.SideFiles()...)
		folders := slices.Concat(src.Listing().Watched, src.SideFolders())
		for _, f := range folders {
			var err error
			if paths, err = appendFolders(paths, f.Path, f.Depth); err != nil {
				return nil, err
			}
		}
		for _, dir := range src.LoadDirs() {
			below, err := appendFolders(nil, dir, input.AnyDepth)
			if err != nil {
				return nil, err
			}
			real := realPath(output)
			touched := func(path string) bool { path = realPath(path); return path == filepath.Dir(real) || within(path, real) }
			paths = append(paths, slices.DeleteFunc(below, touched)...)
		}
	}
	if i := slices.IndexFunc(paths, isUnnameable); i >= 0 {
		return nil, &PlaceError{fmt.Sprintf("make cannot name %q: without -depfile it can be built", paths[i])}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// isUnnameable reports whether a depfile cannot have a name: make knows no way to
// write a newline.
func isUnnameable(path string) bool { return strings.Contains(path, "\n") }

// appendFolders appends root and the folders so many levels below it, without
// those that are hidden. Links are followed where the levels have an end, as
// patterns follow them.
func appendFolders(list []string, root string, depth int) ([]string, error) {
	list = append(list, root)
	if depth == 0 {
		return list, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, &input.Error{Path: root, Err: err}
	}
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if !isFolder(path, e, depth > 0) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if list, err = appendFolders(list, path, max(input.AnyDepth, depth-1)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// isFolder reports whether an entry at path is a folder, or a link to one that
// is followed.
func isFolder(path string, e fs.DirEntry, follow bool) bool {
	if !follow || e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
