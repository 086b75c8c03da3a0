package work

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"sync/atomic"
	"syscall"

	"tfr-build/internal/store"
	"tfr-build/sink"
)

// A Directory stores complete files by name, in the work directory. A name is a path with slashes;
// its directory is one of those that Make creates.
type Directory struct {
	storage *store.Storage
	writer  writer
	dir     string
	attempt string
	temps   atomic.Int64
	open    openFiles
}

// A writer writes the files of a work directory. There are two, as stores give complete files their
// names in two ways:
//
//   - A renamer renames files and directories, for a store that is a [store.Renamer].
//   - A putter puts objects, for a store that is a [store.Putter].
//
// Everything else about a work directory goes through [store.Storage] and is the same for both.
type writer interface {
	// makeDirectories creates the work directory and its subdirectories.
	makeDirectories() error
	// create creates a file without its final name.
	create(temp string) (store.LocalFile, error)
	// finish gives a complete file of so many bytes its final name, and closes it. It replaces a
	// file with the same name.
	finish(f store.LocalFile, size int64, name string) error
	// discard removes a file that is not finished.
	discard(f store.LocalFile)
	// putNew writes a file through temp, a name that only this process uses. If the final name
	// exists, the error is ErrExist.
	putNew(name, temp string, data []byte) error
	// clear removes files, and the directories and the work directory itself if they are then empty.
	clear(files, directories []string) error
}

// NewDirectory returns the work directory dir, which need not exist. With sync, each file is on disk
// before it gets its name. If dir is a URL, incomplete files are in the local directory scratch.
// Close the work directory.
func NewDirectory(storage *store.Storage, dir, scratch string, sync bool) (*Directory, error) {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	f := &Directory{storage: storage, dir: dir, attempt: hex.EncodeToString(id[:])}
	f.open.open = func(name string) (store.File, error) { return storage.Open(f.at(name)) }
	f.open.files = map[string]*openFile{}
	if storage.CanRename(dir) {
		f.open.limit = maxOpen
		f.writer = &renamer{f, sink.NewDisk(storage, sync), storage.Local()}
		return f, nil
	}
	err := storage.CheckName(dir)
	if err == nil && !storage.CanPut(dir) {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return nil, fmt.Errorf("the work directory %s: %w", dir, store.Cause(err))
	}
	f.open.limit = math.MaxInt // an open object takes no file descriptor
	f.writer = &putter{f, scratch}
	return f, nil
}

// maxOpen is how many spill files of a file system stay open for reading: their number may exceed
// the limit of open files.
const maxOpen = 1

// Close closes what is open for reading.
func (f *Directory) Close() { f.open.closeAll() }

// Attempt returns a string that differs for each process that uses the work directory.
func (f *Directory) Attempt() string { return f.attempt }

// Path returns the path of the work directory.
func (f *Directory) Path() string { return f.dir }

// tmpName is the directory of incomplete files.
const tmpName = "tmp"

// subdirectories are the directories that Make creates.
var subdirectories = []string{doneName, FailuresName, runsName, tmpName}

// KeptNames are the directories with the results of finished tasks.
var KeptNames = []string{doneName, runsName}

// ownNames matches the files that tasks write into the directories. A user may have chosen a directory that
// already had a tmp with other files.
var ownNames = regexp.MustCompile(
	`^(plan/plan|(done|faults)/[a-z]+-\d+|runs/[a-z]+-\d+-[0-9a-f]{16}|tmp/[0-9a-f]{16}-\d+)$`)

// Make creates the work directory if it does not exist.
func (f *Directory) Make() error { return f.writer.makeDirectories() }

// at returns the path of a file.
func (f *Directory) at(name string) string { return store.Join(f.dir, name) }

// temp returns a new name for a file of this process.
func (f *Directory) temp() string {
	return path.Join(tmpName, fmt.Sprintf("%s-%d", f.attempt, f.temps.Add(1)))
}

// Get returns the content of a file; nil if it does not exist. Anything but a file in its place is a
// *[BrokenError]: no task replaces a directory.
func (f *Directory) Get(name string) ([]byte, error) {
	data, _, err := f.storage.Get(f.storage.Context(), f.at(name), math.MaxInt64)
	switch {
	case isMissing(err):
		return nil, nil
	case errors.Is(err, store.ErrNotRegular):
		return nil, &BrokenError{Path: f.at(name), Err: store.ErrNotRegular}
	case err != nil:
		return nil, sink.WrapErrorAt("reading", f.at(name), -1, err)
	}
	return data, nil // not nil for an empty file
}

// isMissing reports whether err says that a file or a directory of the work directory does not
// exist. A bucket that does not exist is another error.
func isMissing(err error) bool {
	return store.IsMissing(err) || errors.Is(err, syscall.ENOTDIR)
}

// Put writes a complete file. It replaces a file with the same name.
func (f *Directory) Put(name string, data []byte) error {
	file, err := f.writer.create(f.temp())
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		f.writer.discard(file)
		return sink.WrapErrorAt("writing", file.Name(), 0, err)
	}
	return f.writer.finish(file, int64(len(data)), name)
}

// ErrExist says that a file already exists.
var ErrExist = fs.ErrExist

// PutNew writes a file that does not exist yet. If it exists, the error is [ErrExist]. If several
// processes try at once, one succeeds. The name is directory/file, and the directory must have no
// other file.
func (f *Directory) PutNew(name string, data []byte) error {
	return f.writer.putNew(name, f.temp(), data)
}

// List returns the names of the files in a subfolder, sorted. A missing subfolder has no files.
func (f *Directory) List(directory string) (names []string, err error) {
	entries, err := f.storage.ReadDir(f.at(directory))
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, sink.WrapErrorAt("listing", f.at(directory), -1, err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// Remove removes a file. If it does not exist, that is not an error.
func (f *Directory) Remove(name string) error {
	if err := f.storage.Remove(f.at(name)); !store.IsMissing(err) {
		return writeError(f.at(name), err)
	}
	return nil
}

// Clear removes everything that Make and the tasks created, except the names in stay. It removes
// the work directory, too, if it is then empty. Files of others remain.
func (f *Directory) Clear(stay ...string) error {
	var files []string
	stays := func(name string) bool { return slices.Contains(stay, name) }
	directories := slices.DeleteFunc(append(slices.Clone(subdirectories), planDirectory), stays)
	for _, directory := range directories {
		names, err := f.List(directory)
		if err != nil {
			return err
		}
		for _, name := range names {
			if name = path.Join(directory, name); ownNames.MatchString(name) {
				files = append(files, name)
			}
		}
	}
	if !stays(CommittedName) {
		files = append(files, CommittedName)
	}
	return f.writer.clear(files, directories)
}
