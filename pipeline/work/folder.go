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

// A Folder stores complete files by name, in the work directory. A name is a path with slashes;
// its directory is one of those that Make creates.
type Folder struct {
	storage *store.Storage
	store   backend
	dir     string
	attempt string
	temps   atomic.Int64
}

// A backend is the storage of a work directory. There are two: a directory of a file system, and a
// prefix in a bucket.
type backend interface {
	make() error
	// put and putNew write a file through temp, a name that only this process uses. If the name
	// exists, put replaces it, and putNew returns ErrExist.
	put(name, temp string, data []byte) error
	putNew(name, temp string, data []byte) error
	remove(name string) error
	// clear removes files and directories, and the work directory itself if it is then empty.
	clear(names []string) error
	// create creates a file without its final name, and name gives it that name. Then readAt can
	// read it, as io.ReaderAt.
	create(temp string) (store.LocalFile, error)
	name(f store.LocalFile, size int64, name string) error
	discard(f store.LocalFile)
	readAt(name string, p []byte, off int64) (int, error)
	close()
}

// NewFolder returns the work directory dir, which need not exist. With sync, each file is on disk
// before it gets its name. If dir is a URL, incomplete files are in the local directory scratch.
// Close the work directory.
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

// Attempt returns a string that differs for each process that uses the work directory.
func (f *Folder) Attempt() string { return f.attempt }

// Path returns the path of the work directory.
func (f *Folder) Path() string { return f.dir }

// tmpName is the directory of incomplete files.
const tmpName = "tmp"

// subfolders has the directories that Make creates.
var subfolders = []string{doneName, faultsName, runsName, tmpName}

// Make creates the work directory if it does not exist.
func (f *Folder) Make() error { return f.store.make() }

// at returns the path of a file.
func (f *Folder) at(name string) string { return store.Join(f.dir, name) }

// temp returns a new name for a file of this process.
func (f *Folder) temp() string {
	return path.Join(tmpName, fmt.Sprintf("%s-%d", f.attempt, f.temps.Add(1)))
}

// Get returns the content of a file; nil if it does not exist.
func (f *Folder) Get(name string) ([]byte, error) {
	data, _, err := f.storage.Get(f.storage.Context(), f.at(name), math.MaxInt64)
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", f.at(name), objects.Cause(err))
	}
	return data, nil // not nil for an empty file
}

// isMissing reports whether err says that a file or a directory of the work directory does not
// exist. A bucket that does not exist is another error.
func isMissing(err error) bool {
	return (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && !bucket.IsNoBucket(err)
}

// Put writes a complete file. It replaces a file with the same name.
func (f *Folder) Put(name string, data []byte) error { return f.store.put(name, f.temp(), data) }

// ErrExist says that a file already exists.
var ErrExist = fs.ErrExist

// PutNew writes a file that does not exist yet. If it exists, the error is [ErrExist]. If several
// processes try at once, one succeeds. The name is directory/file, and the directory must have no
// other file.
func (f *Folder) PutNew(name string, data []byte) error { return f.store.putNew(name, f.temp(), data) }

// List returns the names of the files in a subfolder, sorted. A missing subfolder has no files.
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

// Remove removes a file. If it does not exist, that is not an error.
func (f *Folder) Remove(name string) error { return f.store.remove(name) }

// Clear removes everything that Make and the tasks created, except the names in stay. It removes
// the work directory, too, if it is then empty. Files of others remain.
func (f *Folder) Clear(stay ...string) error {
	names := append(slices.Clone(subfolders), planFolder, CommittedName)
	return f.store.clear(slices.DeleteFunc(names, func(name string) bool { return slices.Contains(stay, name) }))
}
