package dataset

import "tfr-build/internal/store"

// A Store is where the files of a dataset are read. Names are paths, or URLs that the store knows.
// Errors are *fs.PathError; a file that does not exist is fs.ErrNotExist. A Store may be used by
// several goroutines. A nil Store is the file system of the operating system.
type Store = store.Reader

// A StoreFile is a file of a [Store] that is open for reading. Read may be called by one goroutine at
// a time, ReadAt by several.
type StoreFile = store.File
