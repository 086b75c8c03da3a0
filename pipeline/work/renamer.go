package work

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"syscall"

	"tfr-build/internal/store"
	"tfr-build/sink"
)

// A renamer writes a work directory in a file system, which machines may share.
type renamer struct {
	fs   store.Local
	dir  string
	sync bool
}

func (r *renamer) at(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *renamer) makeDirectories() error {
	for _, name := range subdirectories {
		changed, err := r.fs.MkdirAll(r.at(name))
		if err != nil {
			return writeError(r.at(name), err)
		}
		if err := r.syncDirs(changed...); err != nil {
			return err
		}
	}
	return nil
}

// putNew renames a directory that contains the file, in one step. The rename fails if the target
// directory has a file: this holds on every file system.
func (r *renamer) putNew(name, temp string, data []byte) error {
	temp = r.at(temp)
	to := filepath.Dir(r.at(name))
	if err := r.fs.Mkdir(temp); err != nil {
		return writeError(temp, err)
	}
	file, err := r.fs.Create(filepath.Join(temp, path.Base(name)))
	if err == nil {
		_, err = file.Write(data)
		err = cmp.Or(err, r.close(file))
	}
	if err = writeError(temp, err); err == nil {
		err = r.syncDirs(temp)
	}
	if err == nil {
		if err = r.fs.Rename(temp, to); errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
			err = ErrExist
		} else {
			err = writeError(to, err)
		}
	}
	if err != nil {
		_ = r.fs.RemoveAll(temp) // the error that matters is in hand
		return err
	}
	return r.syncDirs(r.dir)
}

func (r *renamer) clear(names []string) error {
	for _, name := range names {
		if err := r.fs.RemoveAll(r.at(name)); err != nil {
			return writeError(r.at(name), err)
		}
	}
	err := r.fs.Remove(r.dir)
	if err == nil {
		return r.syncDirs(filepath.Dir(r.dir))
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return writeError(r.dir, err)
}

func (r *renamer) create(temp string) (store.LocalFile, error) {
	f, err := r.fs.Create(r.at(temp))
	return f, writeError(r.at(temp), err)
}

func (r *renamer) finish(f store.LocalFile, _ int64, name string) error {
	to := r.at(name)
	err := writeError(f.Name(), r.close(f))
	if err == nil {
		err = writeError(to, r.fs.Rename(f.Name(), to))
	}
	if err != nil {
		_ = r.fs.Remove(f.Name()) // the error that matters is in hand
		return err
	}
	return r.syncDirs(filepath.Dir(to))
}

// close closes a complete file. Its bytes are on disk before it gets a name by which others find it.
func (r *renamer) close(f store.LocalFile) (err error) {
	if r.sync {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

func (r *renamer) discard(f store.LocalFile) {
	_ = f.Close() // another error is returned
	_ = r.fs.Remove(f.Name())
}

func (r *renamer) syncDirs(dirs ...string) error {
	if !r.sync {
		return nil
	}
	for _, dir := range dirs {
		if err := r.fs.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) && err != nil {
			return writeError(dir, err)
		}
	}
	return nil
}

func writeError(path string, err error) error { return wrapError("writing", path, -1, err) }

// wrapError returns err as a *[sink.OutputError], or nil if err is nil. off is negative without an offset.
func wrapError(op, path string, off int64, err error) error {
	if err == nil {
		return nil
	}
	return &sink.OutputError{Op: op, Path: path, Offset: off, Err: store.Cause(err)}
}
