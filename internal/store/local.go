package store

import (
	"context"
	"io/fs"

	"tfr-build/internal/vfs"
)

// Local is the store of the operating system's paths. Its file system is the seam of the crash
// model.
type Local struct{ vfs.FS }

// Open opens a regular file for reading.
func (l Local) Open(name string) (File, error) {
	f, err := l.FS.Open(name)
	if err != nil {
		return nil, err // without a File in the interface
	}
	return f, nil
}

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
