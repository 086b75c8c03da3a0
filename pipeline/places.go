package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/sink"
	"tfr-build/sources"
)

// output is the path of the dataset.
func (j *job) output() string {
	if j.run.Output != "" {
		return filepath.Clean(j.run.Output)
	}
	return j.cfg.Resolve(j.cfg.Output)
}

// checkPlaces refuses an output that would stand among its own inputs, and
// inputs that would stand in what the run writes and removes.
func (j *job) checkPlaces() error {
	output := realPath(j.output())
	if output == string(filepath.Separator) {
		return &PlaceError{"the output is the root of the file system; name a folder below it"}
	}
	for _, s := range j.sources {
		for _, dir := range s.Dirs() {
			if within(output, realPath(dir)) {
				return &PlaceError{fmt.Sprintf("the output %s lies inside %s, which is an input: its files would become rows", j.output(), dir)}
			}
		}
	}
	for _, path := range j.inputPaths() {
		real := realPath(path)
		if within(real, output) || within(real, sink.HiddenPath(output)) {
			return &PlaceError{fmt.Sprintf("the input %s lies inside the output %s, which is replaced as a whole", path, j.output())}
		}
	}
	return nil
}

// checkDepfile refuses a depfile that would stand in what the run writes and
// removes, or take the place of an input.
func (j *job) checkDepfile(path string) error {
	real, output := realPath(path), realPath(j.output())
	if within(real, output) || within(real, sink.HiddenPath(output)) {
		return &PlaceError{fmt.Sprintf("the depfile %s lies inside the output %s, which is replaced as a whole", path, j.output())}
	}
	for _, input := range j.inputPaths() {
		if within(real, realPath(input)) {
			return &PlaceError{fmt.Sprintf("the depfile %s would touch the input %s", path, input)}
		}
	}
	return nil
}

// inputPaths are the folders, tables and other files that are read.
func (j *job) inputPaths() []string {
	var paths []string
	for _, s := range j.sources {
		spec := s.Spec()
		if !spec.Kind.IsTable() {
			paths = append(paths, spec.Dir)
		} else {
			for i := range s.Files {
				paths = append(paths, s.Path(i))
			}
		}
		for _, join := range spec.Join {
			paths = append(paths, join.Table.Files...)
		}
		for _, load := range spec.Load {
			paths = append(paths, load.Dir)
		}
	}
	return append(paths, j.sideFiles()...)
}

// sideFiles are the files of class names, and the config itself where it is a
// file.
func (j *job) sideFiles() []string {
	var paths []string
	if j.cfg.File != "" {
		paths = append(paths, j.cfg.File)
	}
	for i := range j.cfg.Features {
		if c := j.cfg.Features[i].Classes; c != nil && c.File != "" {
			paths = append(paths, j.cfg.Resolve(c.File))
		}
	}
	for i := range j.cfg.Sources {
		if t := j.cfg.Sources[i].Images; t != nil && t.ClassPerFile != "" {
			paths = append(paths, j.cfg.Resolve(t.ClassPerFile))
		}
	}
	return paths
}

// realPath follows the links of as much of path as there is.
func realPath(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	rest := ""
	for p := path; ; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if p == filepath.Dir(p) {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// sideInputs are the files that are no source's own: side tables, names of
// classes, and all files below the folders that rows name files in.
func (j *job) sideInputs() ([]input, error) {
	var list []input
	add := func(name, path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return &sources.InputError{Path: path, Err: err}
		}
		if !info.IsDir() {
			list = append(list, input{Name: name, Size: info.Size(), ModTime: info.ModTime().UnixNano()})
		}
		return nil
	}
	paths := j.sideFiles()
	if j.cfg.File != "" {
		paths = paths[1:] // the digest speaks for the config
	}
	for _, s := range j.sources {
		paths = append(paths, s.SideFiles()...)
	}
	for _, p := range paths {
		if err := add(filepath.Base(p), p); err != nil {
			return nil, err
		}
	}
	for _, dir := range j.loadFolders() {
		dir = realPath(dir)
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return &sources.InputError{Path: path, Err: err}
			}
			if err := add(strings.TrimPrefix(path, dir), path); err != nil && !errors.Is(err, fs.ErrNotExist) {
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

// loadFolders are the folders of the files that rows name, each once.
func (j *job) loadFolders() []string {
	var dirs []string
	for _, s := range j.sources {
		for _, l := range s.Spec().Load {
			dirs = append(dirs, l.Dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
