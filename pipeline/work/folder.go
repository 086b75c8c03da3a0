package work

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"sync/atomic"
	"syscall"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
)

// A Folder holds whole files by name. A name is a path with slashes, of which the
// folder is one of those that Make makes.
type Folder struct {
	storage *store.Storage
	store   backend
	dir     string
	attempt string
	temps   atomic.Int64
}

// A store is where a folder stands. There are two: a folder of a file system, and a
// prefix of a bucket.
type backend interface {
	make() error
	// put and putNew write a file, by way of temp, a name of this process's own.
	put(name, temp string, data []byte) error
	putNew(name, temp string, data []byte) error
	remove(name string) error
	// clear removes files and folders, and the folder itself where nothing is left in it.
	clear(names []string) error
	// create makes a file of no name, which name gives it one. Then readAt reads it, as
	// io.ReaderAt does.
	create(temp string) (store.LocalFile, error)
	name(f store.LocalFile, size int64, name string) error
	discard(f store.LocalFile)
	readAt(name string, p []byte, off int64) (int, error)
	close()
}

// NewFolder is the folder dir, which need not be there. With sync each file is durable
// before it has its name. Where dir is a URL, what is not whole yet stands in the local folder
// scratch.
func NewFolder(storage *store.Storage, dir, scratch string, sync bool) (*Folder, error) {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	f := &Folder{storage: storage, store: &local{fs: storage.Local(), dir: dir, sync: sync}, dir: dir, attempt: hex.EncodeToString(id[:])}
	if storage.CanRename(dir) {
		return f, nil
	}
	p, err := newPrefix(storage, dir, scratch)
	f.store = p
	return f, err
}

// Close closes what is open for reading.
func (f *Folder) Close() { f.store.close() }

// Attempt tells this process from all others that work in the folder.
func (f *Folder) Attempt() string { return f.attempt }

// Path is where the folder stands.
func (f *Folder) Path() string { return f.dir }

// tmpName is the folder of what is not whole yet.
const tmpName = "tmp"

// subfolders are those that names may be in.
var subfolders = []string{doneName, faultsName, runsName, tmpName}

// Make makes the folder where it is missing.
func (f *Folder) Make() error { return f.store.make() }

// at is where a file stands.
func (f *Folder) at(name string) string { return store.Join(f.dir, name) }

// temp is a name of this process's own.
func (f *Folder) temp() string {
	return path.Join(tmpName, fmt.Sprintf("%s-%d", f.attempt, f.temps.Add(1)))
}

// Get is the content of a file; nil where there is none.
func (f *Folder) Get(name string) ([]byte, error) {
	data, _, err := f.storage.Get(f.storage.Context(), f.at(name), math.MaxInt64)
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", f.at(name), objects.Cause(err))
	}
	return data, nil // not nil of an empty file
}

// isMissing reports whether a file or a directory of the folder does not exist. A bucket that
// does not exist is another error.
func isMissing(err error) bool {
	return (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && !bucket.IsNoBucket(err)
}

// Put writes a file, whole. One of that name is replaced.
func (f *Folder) Put(name string, data []byte) error { return f.store.put(name, f.temp(), data) }

// ErrExist says that a file is there already.
var ErrExist = fs.ErrExist

// PutNew writes a file that is not there yet; else the error is [ErrExist]. Of those
// who try at once one succeeds. The name is folder/file, and the folder holds nothing
// else.
func (f *Folder) PutNew(name string, data []byte) error { return f.store.putNew(name, f.temp(), data) }

// List are the names of the files in a subfolder, in their order; none where it is
// missing.
func (f *Folder) List(folder string) (names []string, err error) {
	entries, err := f.storage.ReadDir(f.at(folder))
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("listing %s: %w", f.at(folder), objects.Cause(err))
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// Remove removes a file that may be gone.
func (f *Folder) Remove(name string) error { return f.store.remove(name) }

// Clear removes all that Make and the tasks put here, but for what is to stay, and
// the folder itself where nothing is left in it. What others put there stays.
func (f *Folder) Clear(stay ...string) error {
	names := append(slices.Clone(subfolders), planFolder, CommittedName)
	return f.store.clear(slices.DeleteFunc(names, func(name string) bool { return slices.Contains(stay, name) }))
}
