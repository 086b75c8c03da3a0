// Package vfs is the interface between the local store and the file system. Everything that a run
// writes, stages, locks, or publishes goes through an [FS], which a model of crashes can replace:
//
//	store.Local
//	     │
//	     FS ─┬─ OS()           the real file system
//	         └─ vfstest.Mem …  for tests
//
// Each method is one operation that a file system either does or does not do. So a test can fail
// each of them in turn, and a model of a crash can keep or lose the effects of each. Tasks of
// several operations, [MkdirAll] and [RemoveAll], are functions over an FS.
//
// Two rules of durability hold. The bytes of a file are durable after [File.Sync]. Its name is
// durable after [FS.SyncDir] of its directory.
package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrLocked says that another process has the lock.
var ErrLocked = errors.New("locked by another process")

// ErrNotRegular is the error of reading a directory, a pipe, a device, a socket, or a file that
// the kernel generates when it is read.
var ErrNotRegular = errors.New("not a regular file")

// Cause returns the cause of err, without the operation and the paths.
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

// An FS is a file system. Names are paths of the operating system. Its methods may be called by
// several goroutines.
//
// Errors are an *fs.PathError or *os.LinkError with the error number of the system. If a file
// system does not support an operation, the error is [errors.ErrUnsupported].
type FS interface {
	// Create creates a file for reading and writing. If a file, directory, or link has the name,
	// the error is fs.ErrExist.
	Create(name string) (File, error)
	// Open opens a file for reading. It never waits for a pipe: pipes and devices are
	// [ErrNotRegular].
	Open(name string) (File, error)
	// Edit opens an existing file for reading and writing, and does not change its bytes.
	Edit(name string) (File, error)
	// Mkdir creates one directory.
	Mkdir(name string) error
	// Remove removes a file, a link, or an empty directory.
	Remove(name string) error
	// Rename renames a file or directory within a file system. A file replaces a file, and a
	// directory replaces an empty directory.
	Rename(from, to string) error
	// Exchange swaps two files or directories in one step. If the system cannot do that, the
	// error is errors.ErrUnsupported and nothing has changed.
	Exchange(a, b string) error
	// Link gives a file one more name within a file system. If the name exists, the error is fs.ErrExist.
	Link(from, to string) error
	// Symlink creates the link name to target, which is relative to the directory of the link. If
	// the name exists, the error is fs.ErrExist.
	Symlink(target, name string) error
	// Readlink returns the target of a link, as it was given to Symlink.
	Readlink(name string) (string, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
	// Stat describes a file or directory. It follows links.
	Stat(name string) (fs.FileInfo, error)
	// Lstat describes a file, a directory, or a link itself.
	Lstat(name string) (fs.FileInfo, error)
	// Resolve follows name while it is a link, and returns the first name that is not a link.
	// That name need not exist.
	Resolve(name string) (string, error)
	// IsMount reports whether a file system is mounted at the directory name.
	IsMount(name string) (bool, error)
	// SyncDir makes the names in a directory durable. If the file system does not sync
	// directories, the error is errors.ErrUnsupported.
	SyncDir(name string) error
	// Lock opens the file name, or creates it, and takes an exclusive lock on it. The lock lasts
	// until the file is closed or the process ends. Lock does not wait: if the lock is taken, the
	// error is ErrLocked. If the file system has no locks, locked is false and err is nil.
	Lock(name string) (f File, locked bool, err error)
	// Free returns how many bytes can still be written below the directory name.
	Free(name string) (int64, error)
}

// A File is an open file. Its methods may be called by several goroutines. ReadAt fills p, and
// Write and WriteAt write all of p, or they return an error.
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
	// Truncate sets the length of the file, and releases space that was allocated beyond it.
	Truncate(size int64) error
	// Sync makes the bytes and the length of the file durable. After an error the durable content
	// is unknown, and a later Sync that succeeds does not change that.
	Sync() error
	// Allocate reserves space for the first size bytes and does not change the length. It is a
	// hint: its result does not predict whether later writes succeed.
	Allocate(size int64) error
	// DropCache drops the pages of the file from memory, so that later reads come from the disk.
	// It drops only durable bytes. It is a hint.
	DropCache() error
}
