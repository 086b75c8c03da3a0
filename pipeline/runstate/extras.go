package runstate

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/pipeline/base"
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
	sys, keys := in.set.System, keysOf(in.set)
	var list []extra
	for _, path := range in.set.Classes.Files() {
		list = append(list, extra{path: path, at: keys[path], name: store.Base(path)})
	}
	for _, src := range in.set.Sources {
		for _, f := range src.SideFiles() {
			list = append(list, extra{path: f.Path, at: f.At, name: f.Name})
		}
	}
	err := files.Each(ctx, len(list), func(i int) (err error) {
		e := &list[i]
		if e.File, err = sys.Stat(store.Base(e.path), e.path); err != nil {
			return &input.Error{Path: e.path, Err: err}
		}
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
			e := extra{path: path, File: f, dir: dir, at: keys[dir], name: strings.TrimPrefix(f.Name, "/")}
			if in.made == nil || in.made[[2]string{e.at, e.name}] != nil {
				list = append(list, e)
			}
			return nil
		})
		if err != nil {
			return nil, input.Of(err)
		}
	}
	return list, nil
}

// keysOf returns the key of the config that names each class file, and each directory of files that rows name.
// The first of several wins.
func keysOf(set *rows.Set) map[string]string {
	keys := map[string]string{}
	add := func(path, at string) {
		if path = set.Config.Resolve(path); keys[path] == "" {
			keys[path] = at
		}
	}
	for _, f := range set.Config.AllFeatures() {
		if f.Classes != nil && f.Classes.File != "" {
			add(f.Classes.File, f.At+".classes")
		}
	}
	for i := range set.Config.Sources {
		s := &set.Config.Sources[i]
		if file := s.ClassFile(); file != "" {
			add(file, s.At)
		}
		for k := range s.Load {
			add(s.Load[k].Dir, s.Load[k].At)
		}
	}
	return keys
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
// in which a new or removed file changes the input. If rows name files in a directory, all files
// below it are input. It skips such a directory if the output is in it or is it, because
// publishing changes it. A path that a depfile cannot contain is a [BadPathError]. old are the
// files that a base has: a build with a changed one fails.
func (in *Inputs) Dependencies(old []base.Listed, output string) ([]string, error) {
	set := in.set
	paths := configFiles(set)
	for _, f := range old {
		paths = append(paths, f.Path)
	}
	for i := range set.Files() {
		paths = append(paths, set.Path(i))
	}
	for i := range in.extras {
		e := &in.extras[i]
		if e.dir == "" {
			paths = append(paths, e.path)
		} else {
			paths = append(paths, store.Join(e.dir, e.name)) // its path has no links
		}
	}
	for _, src := range set.Sources {
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
		return nil, badPath("a depfile cannot name %q: remove --depfile", paths[i])
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// isUnnameable reports whether a depfile cannot contain a path: make has no syntax for a newline.
func isUnnameable(path string) bool { return strings.Contains(path, "\n") }
