package work

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"

	"tfr-build/internal/vfs"
)

// A Folder holds whole files by name. A name is a path with slashes, of which the
// folder is one of those that Make makes.
type Folder struct {
	fs      vfs.FS
	dir     string
	sync    bool
	attempt string
	temps   atomic.Int64
}

// NewFolder is the folder dir, which need not be there. With sync each file is
// durable before it has its name.
func NewFolder(fsys vfs.FS, dir string, sync bool) *Folder {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return &Folder{fs: fsys, dir: dir, sync: sync, attempt: hex.EncodeToString(id[:])}
}

// Attempt tells this process from all others that work in the folder.
func (f *Folder) Attempt() string { return f.attempt }

// Path is where the folder stands.
func (f *Folder) Path() string { return f.dir }

// tmpName is the folder of what is not whole yet.
const tmpName = "tmp"

// subfolders are those that names may be in.
var subfolders = []string{doneName, runsName, tmpName}

// Make makes the folder where it is missing.
func (f *Folder) Make() error {
	for _, name := range subfolders {
		if err := f.mkdirAll(f.at(name)); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) mkdirAll(dir string) error {
	changed, err := vfs.MkdirAll(f.fs, dir)
	if err != nil {
		return writeError(dir, err)
	}
	return f.syncDirs(changed...)
}

func (f *Folder) at(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// temp is a name of this process's own.
func (f *Folder) temp() string {
	return f.at(path.Join(tmpName, fmt.Sprintf("%s-%d", f.attempt, f.temps.Add(1))))
}

// Get is the content of a file; nil where there is none.
func (f *Folder) Get(name string) ([]byte, error) {
	data, err := vfs.ReadFile(f.fs, f.at(name))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.at(name), vfs.Cause(err))
	}
	return append([]byte{}, data...), nil // an empty file is one, too
}

// Put writes a file, whole. One of that name is replaced.
func (f *Folder) Put(name string, data []byte) error {
	temp := f.temp()
	err := f.fill(temp, data)
	if err == nil {
		err = writeError(f.at(name), f.fs.Rename(temp, f.at(name)))
	}
	if err != nil {
		_ = f.fs.Remove(temp) // the error that matters is in hand
		return err
	}
	return f.syncDirs(filepath.Dir(f.at(name)))
}

// ErrExist says that a file is there already.
var ErrExist = fs.ErrExist

// PutNew writes a file that is not there yet; else the error is [ErrExist]. Of those
// who try at once one succeeds. The name is folder/file, and the folder holds nothing
// else: a folder with its file gets its name in one step, unless there is one with a
// file, on every file system.
func (f *Folder) PutNew(name string, data []byte) error {
	temp, to := f.temp(), filepath.Dir(f.at(name))
	if err := f.fs.Mkdir(temp); err != nil {
		return writeError(temp, err)
	}
	err := f.fill(filepath.Join(temp, filepath.Base(f.at(name))), data)
	if err == nil {
		err = f.syncDirs(temp)
	}
	if err == nil {
		if err = f.fs.Rename(temp, to); errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
			err = ErrExist
		} else {
			err = writeError(to, err)
		}
	}
	if err != nil {
		_ = vfs.RemoveAll(f.fs, temp) // the error that matters is in hand
		return err
	}
	return f.syncDirs(f.dir)
}

// fill writes a file under a temporary name.
func (f *Folder) fill(temp string, data []byte) error {
	file, err := f.fs.Create(temp)
	if err != nil {
		return writeError(temp, err)
	}
	if _, err = file.Write(data); err == nil && f.sync {
		err = file.Sync()
	}
	return writeError(temp, cmp.Or(err, file.Close()))
}

// List are the names of the files in a subfolder, in their order; none where it is
// missing.
func (f *Folder) List(folder string) ([]string, error) {
	entries, err := f.fs.ReadDir(f.at(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", f.at(folder), vfs.Cause(err))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// Remove removes a file that may be gone.
func (f *Folder) Remove(name string) error {
	if err := f.fs.Remove(f.at(name)); !errors.Is(err, fs.ErrNotExist) {
		return writeError(f.at(name), err)
	}
	return nil
}

// Clear removes all that Make and the tasks put here, but for what is to stay, and
// the folder itself where nothing is left in it. What others put there stays.
func (f *Folder) Clear(stay ...string) error {
	for _, name := range append(slices.Clone(subfolders), planFolder, CommittedName) {
		if slices.Contains(stay, name) {
			continue
		}
		if err := vfs.RemoveAll(f.fs, f.at(name)); err != nil {
			return writeError(f.at(name), err)
		}
	}
	err := f.fs.Remove(f.dir)
	if err == nil {
		return f.syncDirs(filepath.Dir(f.dir))
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return writeError(f.dir, err)
}

func (f *Folder) syncDirs(dirs ...string) error {
	if !f.sync {
		return nil
	}
	for _, dir := range dirs {
		if err := f.fs.SyncDir(dir); !errors.Is(err, errors.ErrUnsupported) && err != nil {
			return writeError(dir, err)
		}
	}
	return nil
}

func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	return &vfs.WriteError{Path: path, Err: vfs.Cause(err)}
}
