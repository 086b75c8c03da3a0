package vfs

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// MkdirAll creates the directory name and its missing parents. It returns the directories whose
// entries changed, from the top: the caller syncs them.
func MkdirAll(fsys FS, name string) (changed []string, err error) {
	switch info, err := fsys.Stat(name); {
	case err == nil && info.IsDir():
		return nil, nil
	case err == nil:
		return nil, &fs.PathError{Op: "mkdir", Path: name, Err: errNotDir}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	parent := filepath.Dir(name)
	if parent != name {
		if changed, err = MkdirAll(fsys, parent); err != nil {
			return changed, err
		}
	}
	if err := fsys.Mkdir(name); err != nil && !errors.Is(err, fs.ErrExist) {
		return changed, err
	}
	return append(changed, parent), nil
}

// RemoveAll removes a file, or a directory with everything in it. It does not follow links. A
// name that does not exist is not an error.
func RemoveAll(fsys FS, name string) error {
	info, err := fsys.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := fsys.ReadDir(name)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := RemoveAll(fsys, filepath.Join(name, e.Name())); err != nil {
				return err
			}
		}
	}
	if err := fsys.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
