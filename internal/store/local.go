package store

import (
	"context"
	"io/fs"

	"tfr-build/internal/vfs"
)

// Local is the store of the operating system's paths, with directories, links, and locks. Its file
// system is the seam of the crash model, which only tests use otherwise.
type Local struct{ vfs.FS }

// A LocalFile is a file of the local store that can be written.
type LocalFile = vfs.File

// ErrLocked says that another process has a lock.
var ErrLocked = vfs.ErrLocked

// OpenFile opens a regular file for reading, with the hints that only local files take.
func (l Local) OpenFile(name string) (LocalFile, error) { return l.FS.Open(name) }

// MkdirAll makes a directory and its missing parents. It returns the directories whose names
// changed, from the top: sync those.
func (l Local) MkdirAll(name string) (changed []string, err error) { return vfs.MkdirAll(l.FS, name) }

// RemoveAll removes a file, or a directory with all that is in it. It follows no link. A name that
// does not exist is not an error.
func (l Local) RemoveAll(name string) error { return vfs.RemoveAll(l.FS, name) }

// A Process identifies a process by its machine and its ID.
type Process = vfs.Process

// ThisProcess describes the running process.
func ThisProcess() Process { return vfs.ThisProcess() }

// Open opens a regular file for reading.
func (l Local) Open(name string) (File, error) { return l.FS.Open(name) }

// Get returns a regular file of at most limit bytes. It looks before it opens the file: to open
// some devices has effects.
func (l Local) Get(_ context.Context, name string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := l.Stat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, &fs.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	case info.Size() > limit:
		return nil, info, &LargeError{info.Size()}
	}
	data, err := ReadFile(l, name)
	return data, info, err
}
