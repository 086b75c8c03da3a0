package sink

import (
	"errors"
	"io/fs"
	"path/filepath"

	"tfr-build/internal/store"
)

// named is the name that the link has, empty where there is no link. What is there
// in its place, or a link that leads elsewhere than to a version beside it, was not
// made by this package, and stays.
func (vs *Versions) named(fsys store.Local) (string, error) {
	if vs.Link == "" {
		return "", nil
	}
	path := vs.in(vs.Link)
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fault("inspecting", path, err)
	}
	target := ""
	if info.Mode().Type() == fs.ModeSymlink {
		if target, err = fsys.Readlink(path); err != nil {
			return "", fault("reading the link", path, err)
		}
	}
	if _, ok := vs.versionOf(target); !ok {
		return "", &placeError{path, notOurs("a link to a version beside it")}
	}
	return target, nil
}

// PointTo has the link name the dataset that the stage has published, durably and in
// one step: whoever opens a path through it gets the older version or this one. It
// reports whether it named another one before.
func (vs *Versions) PointTo(s *Stage) (changed bool, err error) {
	version := filepath.Base(s.place.output)
	if was, err := vs.named(s.disk.fs); err != nil || vs.Link == "" || was == version {
		return false, err
	}
	temp, path := s.place.in(linkName), vs.in(vs.Link)
	if err := s.disk.removeAll(temp); err != nil {
		return false, err
	}
	if err := fault("making the link", temp, s.disk.fs.Symlink(version, temp)); err != nil {
		return false, err
	}
	if err := s.disk.rename(temp, path); err != nil {
		return false, err
	}
	return true, s.disk.syncDirs(vs.Dir, s.place.staging)
}
