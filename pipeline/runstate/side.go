package runstate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/files"
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
	sys := in.set.System
	paths := slices.Clone(in.set.Classes.Files())
	for _, src := range in.set.Sources {
		paths = append(paths, src.SideFiles()...)
	}
	var list []side
	for _, path := range paths {
		f, err := sys.Stat(store.Base(path), path)
		if err != nil {
			return nil, &input.Error{Path: path, Err: err}
		}
		if f.Regular {
			list = append(list, side{path: path, File: f})
		}
	}
	if in.near {
		return list, nil
	}
	skip := func(path string) bool { return slices.Contains(in.written, path) }
	for _, dir := range loadDirs(in.set) {
		err := sys.Each(ctx, dir, skip, func(path string, f files.File) error {
			list = append(list, side{path, f, dir})
			return nil
		})
		if err != nil {
			return nil, input.Of(err)
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
			if paths, err = set.System.AppendFolders(paths, f.Path, f.Depth); err != nil {
				return nil, input.Of(err)
			}
		}
		for _, dir := range src.LoadDirs() {
			below, err := set.System.AppendFolders(nil, dir, files.AnyDepth)
			if err != nil {
				return nil, input.Of(err)
			}
			real := store.Real(output)
			touched := func(path string) bool {
				path = store.Real(path)
				return path == filepath.Dir(real) || within(path, real)
			}
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
