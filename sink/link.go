package sink

import (
	"errors"
	"io/fs"
	"path/filepath"

	"tfr-build/internal/store"
)

// readLink returns the version that the link names, or an empty string if the link does not
// exist. The error is [ErrNotOwned] if something else has the name, or a link to something else.
// This package did not make it, and does not change it.
func (vs *Versions) readLink(fsys store.Local) (string, error) {
	if vs.Link == "" {
		return "", nil
	}
	path := vs.path(vs.Link)
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", wrapError("inspecting", path, err)
	}
	target := ""
	if info.Mode().Type() == fs.ModeSymlink {
		if target, err = fsys.Readlink(path); err != nil {
			return "", wrapError("reading the link", path, err)
		}
	}
	if _, ok := vs.versionOf(target); !ok {
		return "", &pathError{path, notOwnedError("a link to a version next to it")}
	}
	return target, nil
}

// PointTo makes the link name the dataset that the stage has published, durably and in one
// step. A path through the link leads to the older version or to this one at any time. changed
// is false if the link already named this version, or if Link is empty.
func (vs *Versions) PointTo(s *Stage) (changed bool, err error) {
	version := filepath.Base(s.location.output)
	switch was, err := vs.readLink(s.disk.fs); {
	case err != nil || vs.Link == "":
		return false, err
	case was == version: // the run that made the link may have been killed before it was durable
		return false, s.disk.SyncDirs(vs.Dir, s.location.staging)
	}
	temp, path := s.location.inStaging(linkName), vs.path(vs.Link)
	if err := s.disk.removeAll(temp); err != nil {
		return false, err
	}
	if err := wrapError("making the link", temp, s.disk.fs.Symlink(version, temp)); err != nil {
		return false, err
	}
	if err := s.disk.rename(temp, path); err != nil {
		return false, err
	}
	return true, s.disk.SyncDirs(vs.Dir, s.location.staging)
}
