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

// configFiles returns the paths of the class files, and of the config if it is a file.
func configFiles(set *rows.Set) []string {
	var paths []string
	if set.Config.File != "" {
		paths = append(paths, set.Config.File)
	}
	return append(paths, set.Classes.Files()...)
}

// readExtras describes the extra inputs as they are now: class files, lookup tables, and all files
// below the directories in which rows name files. The config itself is not among them: its digest
// is compared.
func (in *Inputs) readExtras(ctx context.Context) ([]extra, error) {
	sys := in.set.System
	paths := slices.Clone(in.set.Classes.Files())
	for _, src := range in.set.Sources {
		paths = append(paths, src.SideFiles()...)
	}
	list := make([]extra, len(paths))
	err := files.Each(ctx, len(paths), func(i int) error {
		f, err := sys.Stat(store.Base(paths[i]), paths[i])
		if err != nil {
			return &input.Error{Path: paths[i], Err: err}
		}
		list[i] = extra{path: paths[i], File: f}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e extra) bool { return !e.Regular })
	if in.near {
		return list, nil
	}
	skip := func(path string) bool { return slices.Contains(in.written, path) }
	for _, dir := range loadDirs(in.set) {
		err := sys.Each(ctx, dir, skip, func(path string, f files.File) error {
			list = append(list, extra{path, f, dir})
			return nil
		})
		if err != nil {
			return nil, input.Of(err)
		}
	}
	return list, nil
}

// loadDirs returns the directories of the files that rows name, without duplicates.
func loadDirs(set *rows.Set) []string {
	var dirs []string
	for _, src := range set.Sources {
		dirs = append(dirs, src.LoadDirs()...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// Dependencies returns the paths for a depfile: the files that a build reads, and the directories
// in which a new or removed file changes the input. Of the files that rows name it lists only the
// directories: the names are known only when rows are read. It skips such a directory if the
// output is in it or is it, because publishing changes it. A path that a depfile cannot contain is
// a [BadPathError].
func Dependencies(set *rows.Set, output string) ([]string, error) {
	paths := configFiles(set)
	for i := range set.Files() {
		paths = append(paths, set.Path(i))
	}
	for _, src := range set.Sources {
		paths = append(paths, src.SideFiles()...)
		directories := slices.Concat(src.Listing().Watched, src.SideDirectories())
		for _, f := range directories {
			var err error
			if paths, err = set.System.AppendDirectories(paths, f.Path, f.Depth); err != nil {
				return nil, input.Of(err)
			}
		}
		for _, dir := range src.LoadDirs() {
			below, err := set.System.AppendDirectories(nil, dir, files.AnyDepth)
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
		return nil, &BadPathError{fmt.Sprintf("a depfile cannot name %q: remove --depfile", paths[i])}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// isUnnameable reports whether a depfile cannot contain a path: make has no syntax for a newline.
func isUnnameable(path string) bool { return strings.Contains(path, "\n") }
