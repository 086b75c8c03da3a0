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
	*Directory
	disk *sink.Disk
	fs   store.Local
}

func (r *renamer) makeDirectories() error {
	for _, name := range subdirectories {
		if err := r.disk.MkdirAll(r.at(name)); err != nil {
			return err
		}
	}
	return nil
}

// putNew renames a directory that contains the file, in one step. The rename fails if the target
// directory has a file: this holds on every file system.
func (r *renamer) putNew(name, temp string, data []byte) error {
	from, to := r.at(temp), filepath.Dir(r.at(name))
	if err := r.fs.Mkdir(from); err != nil {
		return writeError(from, err)
	}
	file, err := r.create(path.Join(temp, path.Base(name)))
	if err == nil {
		_, err = file.Write(data)
		err = cmp.Or(writeError(from, err), r.close(file))
	}
	if err == nil {
		err = r.disk.SyncDirs(from)
	}
	if err == nil {
		if err = r.fs.Rename(from, to); errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
			err = ErrExist
		} else {
			err = writeError(to, err)
		}
	}
	if err != nil {
		_ = r.fs.RemoveAll(from) // the error that matters is in hand
		return err
	}
	return r.disk.SyncDirs(r.dir)
}

func (r *renamer) clear(files, directories []string) error {
	for _, name := range files {
		if err := r.fs.RemoveAll(r.at(name)); err != nil {
			return writeError(r.at(name), err)
		}
	}
	for _, name := range append(directories, "") {
		err := r.fs.Remove(r.at(name))
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist):
		case err != nil:
			return writeError(r.at(name), err)
		case name == "":
			return r.disk.SyncDirs(filepath.Dir(r.dir))
		}
	}
	return nil
}

func (r *renamer) create(temp string) (store.LocalFile, error) {
	f, err := r.fs.Create(r.at(temp))
	return f, writeError(r.at(temp), err)
}

func (r *renamer) finish(f store.LocalFile, _ int64, name string) error {
	to := r.at(name)
	err := r.close(f)
	if err == nil {
		err = writeError(to, r.fs.Rename(f.Name(), to))
	}
	if err != nil {
		_ = r.fs.Remove(f.Name()) // the error that matters is in hand
		return err
	}
	return r.disk.SyncDirs(filepath.Dir(to))
}

// close closes a complete file. Its bytes are on disk before it gets a name by which others find it.
func (r *renamer) close(f store.LocalFile) error {
	return cmp.Or(r.disk.SyncFile(f), writeError(f.Name(), f.Close()))
}

func (r *renamer) discard(f store.LocalFile) {
	_ = f.Close() // another error is returned
	_ = r.fs.Remove(f.Name())
}

func writeError(path string, err error) error { return sink.WrapErrorAt("writing", path, -1, err) }
