package vfstest

import (
	"cmp"
	"io"

	"tfr-build/internal/vfs"
)

// ReadFile returns the bytes of a file.
func ReadFile(fsys vfs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, cmp.Or(err, f.Close())
}
