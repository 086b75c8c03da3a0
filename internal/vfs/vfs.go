// Package vfs is the seam of the crash model, between the local store and the file system:
// everything a run writes, stages, locks or publishes goes through an [FS].
//
//	store.Local
//	     │
//	     FS ─┬─ OS()           the real file system
//	         └─ vfstest.Mem …  for tests
//
// The seam is small and exact: every method is one operation that a file system
// either does or does not do, so that a test can fail each of them in turn and a
// model of a crash can keep or drop the effects of each. What takes several
// operations ([MkdirAll], [RemoveAll], [ReadFile]) is a function over the seam.
//
// Two rules of durability run through it. The bytes of a file are safe after
// [File.Sync]; its name is safe after [FS.SyncDir] of the folder that holds it.
package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// ErrNotRegular is the error of reading a folder, a pipe, a device, a socket, or a
// file of those that a kernel makes up while they are read.
var ErrNotRegular = errors.New("not a regular file")

// Cause returns what err is about, without the operation and the paths.
func Cause(err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return at.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// An FS is a file system. Names are paths as the operating system takes them.
// All methods may be called from several goroutines. Errors are an
// *fs.PathError or *os.LinkError around the system's own error number; what a
// file system does not offer is an error that is [errors.ErrUnsupported].
type FS interface {
	// Create makes a new file for reading and writing. A file, folder or
	// link of that name is an error that is fs.ErrExist.
	Create(name string) (File, error)
	// Open opens a file for reading. It waits for no pipe: pipes and devices are
	// [ErrNotRegular].
	Open(name string) (File, error)
	// Edit opens a file that exists for reading and writing and leaves its
	// bytes as they are.
	Edit(name string) (File, error)
	// Mkdir makes one folder.
	Mkdir(name string) error
	// Remove removes a file, a link or an empty folder.
	Remove(name string) error
	// Rename gives a file or folder another name, on the same file system.
	// It replaces a file by a file and an empty folder by a folder.
	Rename(from, to string) error
	// Exchange swaps two files or folders in one step. Where that cannot be
	// done at once the error is errors.ErrUnsupported and nothing has changed.
	Exchange(a, b string) error
	// Symlink makes a link of that name, which leads to target: a path as it is
	// seen from the folder of the link. What has the name already is an error that
	// is fs.ErrExist.
	Symlink(target, name string) error
	// Readlink returns what a link leads to, as it was made.
	Readlink(name string) (string, error)
	// ReadDir lists a folder, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes a file or folder; it follows links.
	Stat(name string) (fs.FileInfo, error)
	// Lstat describes a file, a folder or the link itself.
	Lstat(name string) (fs.FileInfo, error)
	// Resolve follows name for as long as it is a link, and returns the first
	// name that is none, whether or not something has that name.
	Resolve(name string) (string, error)
	// IsMount reports whether a file system is mounted at the folder name.
	IsMount(name string) (bool, error)
	// SyncDir makes the names in a folder durable. A file system that does
	// not sync folders gives errors.ErrUnsupported.
	SyncDir(name string) error
	// Lock opens the file name, which it creates where it is missing, and
	// takes an exclusive lock on it that lasts until the file is closed or
	// the process ends. It does not wait: ErrLocked says that the lock is
	// taken. locked is false, without an error, where files cannot be locked.
	Lock(name string) (f File, locked bool, err error)
	// Free returns how many bytes can still be written under the folder name.
	Free(name string) (int64, error)
}

// A File is an open file. Its methods may be called from several goroutines.
// ReadAt fills p, Write and WriteAt take all of p, or they return an error.
type File interface {
	io.Reader
	io.ReaderAt
	io.Writer
	io.WriterAt
	io.Closer
	// Name returns the name the file was opened by.
	Name() string
	// Stat describes the file.
	Stat() (fs.FileInfo, error)
	// Truncate sets the length of the file, and gives back space that was
	// allocated beyond it.
	Truncate(size int64) error
	// Sync makes the bytes and the length of the file durable. After an error
	// what the file holds is not known, and another Sync that succeeds does
	// not change that.
	Sync() error
	// Allocate reserves space for the first size bytes and leaves the length
	// as it is. It is a hint: its errors tell nothing about later writes.
	Allocate(size int64) error
	// StartWrite has the system begin to write n bytes at off to the disk, so
	// that a later Sync has less to do. It is a hint and makes nothing durable.
	StartWrite(off, n int64) error
	// DropCache has the system forget what it holds of the file in memory, so
	// that what is read next comes from the disk. Only bytes that are durable
	// are forgotten. It is a hint.
	DropCache() error
}
