package work

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"sync"
	"syscall"

	"tfr-build/internal/store"
)

// A local is a work directory in a file system, which machines may share.
type local struct {
	fs   store.Local
	dir  string
	sync bool

	mu   sync.RWMutex
	read store.File // last file that was read; nil before the first
}

func (l *local) at(name string) string { return filepath.Join(l.dir, filepath.FromSlash(name)) }

func (l *local) make() error {
	for _, name := range subfolders {
		changed, err := l.fs.MkdirAll(l.at(name))
		if err != nil {
			return writeError(l.at(name), err)
		}
		if err := l.syncDirs(changed...); err != nil {
			return err
		}
	}
	return nil
}

func (l *local) put(name, temp string, data []byte) error {
	to := l.at(name)
	temp = l.at(temp)
	err := l.fill(temp, data)
	if err == nil {
		err = writeError(to, l.fs.Rename(temp, to))
	}
	if err != nil {
		_ = l.fs.Remove(temp) // the error that matters is in hand
		return err
	}
	return l.syncDirs(filepath.Dir(to))
}

// putNew renames a directory that contains the file, in one step. The rename fails if the target
// directory has a file: this holds on every file system.
func (l *local) putNew(name, temp string, data []byte) error {
	temp = l.at(temp)
	to := filepath.Dir(l.at(name))
	if err := l.fs.Mkdir(temp); err != nil {
		return writeError(temp, err)
	}
	err := l.fill(filepath.Join(temp, path.Base(name)), data)
	if err == nil {
		err = l.syncDirs(temp)
	}
	if err == nil {
		if err = l.fs.Rename(temp, to); errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
			err = ErrExist
		} else {
			err = writeError(to, err)
		}
	}
	if err != nil {
		_ = l.fs.RemoveAll(temp) // the error that matters is in hand
		return err
	}
	return l.syncDirs(l.dir)
}

// fill writes a temporary file.
func (l *local) fill(temp string, data []byte) error {
	file, err := l.fs.Create(temp)
	if err != nil {
		return writeError(temp, err)
	}
	if _, err = file.Write(data); err == nil && l.sync {
		err = file.Sync()
	}
	return writeError(temp, cmp.Or(err, file.Close()))
}

func (l *local) remove(name string) error {
	if err := l.fs.Remove(l.at(name)); !errors.Is(err, fs.ErrNotExist) {
		return writeError(l.at(name), err)
	}
	return nil
}

func (l *local) clear(names []string) error {
	for _, name := range names {
		if err := l.fs.RemoveAll(l.at(name)); err != nil {
			return writeError(l.at(name), err)
		}
	}
	err := l.fs.Remove(l.dir)
	if err == nil {
		return l.syncDirs(filepath.Dir(l.dir))
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return writeError(l.dir, err)
}

func (l *local) create(temp string) (store.LocalFile, error) {
	f, err := l.fs.Create(l.at(temp))
	return f, writeError(l.at(temp), err)
}

func (l *local) name(f store.LocalFile, _ int64, name string) (err error) {
	l.close() // the file that has the name may be open, and damaged
	if l.sync {
		err = f.Sync()
	}
	to := l.at(name)
	if err = writeError(f.Name(), cmp.Or(err, f.Close())); err == nil {
		err = writeError(to, l.fs.Rename(f.Name(), to))
	}
	if err != nil {
		_ = l.fs.Remove(f.Name()) // the error that matters is in hand
		return err
	}
	return l.syncDirs(filepath.Dir(to))
}

func (l *local) discard(f store.LocalFile) {
	_ = f.Close() // another error is returned
	_ = l.fs.Remove(f.Name())
}

// readAt keeps only the last file open: the number of spill files may exceed the limit of open
// files.
func (l *local) readAt(name string, p []byte, off int64) (int, error) {
	l.mu.RLock()
	if l.isOpen(name) {
		defer l.mu.RUnlock()
		return l.read.ReadAt(p, off)
	}
	l.mu.RUnlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.isOpen(name) {
		l.closeRead()
		f, err := l.fs.Open(l.at(name))
		if err != nil {
			return 0, err
		}
		l.read = f
	}
	return l.read.ReadAt(p, off)
}

func (l *local) isOpen(name string) bool { return l.read != nil && l.read.Name() == l.at(name) }

func (l *local) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeRead()
}

// closeRead closes the open file. The caller must hold mu.
func (l *local) closeRead() {
	if l.read != nil {
		_ = l.read.Close() // nothing was written
		l.read = nil
	}
}

func (l *local) syncDirs(dirs ...string) error {
	if !l.sync {
		return nil
	}
	for _, dir := range dirs {
		if err := l.fs.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) && err != nil {
			return writeError(dir, err)
		}
	}
	return nil
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &store.WriteError{Path: path, Err: store.Cause(err)}
}
