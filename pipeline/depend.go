package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/sources"
)

// listDependencies lists, for a depfile, the files that a build reads, and the
// folders where a file that is added or taken away changes what it reads. Files
// that rows name are in their folders: which they are is known only when rows
// are read.
func (j *job) listDependencies() ([]string, error) {
	if err := j.checkDepfile(j.run.Depfile); err != nil {
		return nil, err
	}
	paths := j.sideFiles()
	for _, f := range j.files {
		paths = append(paths, f.source.Path(f.local))
	}
	for _, s := range j.sources {
		paths = append(paths, s.SideFiles()...)
		folders, err := s.folders()
		if err != nil {
			return nil, err
		}
		paths = append(paths, folders...)
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

// folders are those where the source looks for files.
func (s *source) folders() (list []string, err error) {
	spec := s.Spec()
	dirs, patterns := s.treeDirs(), slices.Clone(spec.Table.Files)
	for _, j := range spec.Join {
		patterns = append(patterns, j.Table.Files...)
	}
	for _, dir := range dirs {
		if list, err = appendFolders(list, dir, anyDepth); err != nil {
			return nil, err
		}
	}
	for _, p := range patterns {
		if !strings.ContainsAny(p, "*?[") {
			continue
		}
		root, depth := sources.FixedFolder(p), anyDepth
		if levels := strings.Split(p, "/"); !slices.Contains(levels, "**") {
			depth = len(levels) - 1 - strings.Count(filepath.Join(root, "x"), "/")
		}
		if list, err = appendFolders(list, root, depth); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// treeDirs are the folders all of whose files may be read.
func (s *source) treeDirs() (dirs []string) {
	spec := s.Spec()
	if !spec.Kind.IsTable() {
		dirs = append(dirs, spec.Dir)
	}
	for _, l := range spec.Load {
		dirs = append(dirs, l.Dir)
	}
	return dirs
}

const anyDepth = -1

// appendFolders appends root and the folders so many levels below it, without
// those that are hidden.
func appendFolders(list []string, root string, depth int) ([]string, error) {
	list = append(list, root)
	if depth == 0 {
		return list, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, &sources.InputError{Path: root, Err: err}
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if list, err = appendFolders(list, filepath.Join(root, e.Name()), max(anyDepth, depth-1)); err != nil {
			return nil, err
		}
	}
	return list, nil
}
