package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

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

// checkPlaces refuses what the run would write among its own inputs, inputs that
// would stand in what it writes and removes, and a file of rejects inside the
// dataset or in the place of an input.
func (j *job) checkPlaces() error {
	output := realPath(j.output())
	if output == string(filepath.Separator) {
		return &PlaceError{"the output is the root of the file system; name a folder below it"}
	}
	if err := j.outsideInputs("the output", j.output()); err != nil {
		return err
	}
	for _, path := range j.inputPaths() {
		if j.isReplaced(path) {
			return &PlaceError{fmt.Sprintf("the input %s lies inside the output %s, which is replaced as a whole", path, j.output())}
		}
	}
	if j.run.Scratch != "" {
		if err := j.outsideInputs("the scratch folder", j.run.Scratch); err != nil {
			return err
		}
	}
	if j.cfg.OnError == "quarantine" {
		return j.checkRejects(j.rejectsFile().Path)
	}
	return nil
}

// outsideInputs refuses a place in a folder whose files are rows.
func (j *job) outsideInputs(what, path string) error {
	real := realPath(path)
	for _, s := range j.sources {
		for _, dir := range s.Dirs() {
			if within(real, realPath(dir)) {
				return &PlaceError{fmt.Sprintf("%s %s lies inside %s, which is an input: its files would become rows", what, path, dir)}
			}
		}
	}
	return nil
}

// isReplaced reports whether a path lies in what the run replaces and removes.
func (j *job) isReplaced(path string) bool {
	real, output := realPath(path), realPath(j.output())
	return within(real, output) || within(real, sink.StagingPath(output))
}

// checkRejects refuses a file of rejects that would stand in the dataset, among
// the inputs or in the place of one.
func (j *job) checkRejects(path string) error {
	if j.isReplaced(path) {
		return &PlaceError{fmt.Sprintf("the file of rejects %s lies inside the output %s; it stands beside the dataset", path, j.output())}
	}
	if err := j.outsideInputs("the file of rejects", path); err != nil {
		return err
	}
	for _, input := range j.inputPaths() {
		if realPath(path) == realPath(input) {
			return &PlaceError{fmt.Sprintf("the file of rejects %s is an input", path)}
		}
	}
	return nil
}

// checkDepfile refuses a depfile that would stand in what the run writes and
// removes, or take the place of an input.
func (j *job) checkDepfile(path string) error {
	if j.isReplaced(path) {
		return &PlaceError{fmt.Sprintf("the depfile %s lies inside the output %s, which is replaced as a whole", path, j.output())}
	}
	for _, input := range j.inputPaths() {
		if within(realPath(path), realPath(input)) {
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
		if file := j.cfg.Sources[i].ClassFile(); file != "" {
			paths = append(paths, j.cfg.Resolve(file))
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
		f, err := sources.Stat(name, path)
		if err == nil && f.Regular {
			list = append(list, input{-1, name, path, f.Size, f.ModTime, f.Inode})
		}
		return err
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
