package dataset

import (
	"io"
	"io/fs"
)

// A Store is where the files of a dataset are read. Names are paths, or URLs that the store knows.
// Errors are *fs.PathError; a file that does not exist is fs.ErrNotExist. A Store may be used by
// several goroutines. A nil Store is the file system of the operating system.
type Store interface {
	// Open opens a regular file as it is now. It never waits for a pipe or a device.
	Open(name string) (StoreFile, error)
	// Stat describes a file or directory; it follows links.
	Stat(name string) (fs.FileInfo, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
}

// A StoreFile is a file of a [Store] that is open for reading. Read may be called by one goroutine at
// a time, ReadAt by several.
type StoreFile = interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Name returns the name the file was opened by.
	Name() string
	// Stat describes the file as it was opened.
	Stat() (fs.FileInfo, error)
}
