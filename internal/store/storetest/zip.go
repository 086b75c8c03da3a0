package storetest

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"path"
	"strings"

	"tfr-build/internal/store"
)

// A Zip is a store of the files of a zip archive, whose names are URLs below Root, which ends with a slash.
type Zip struct {
	*zip.Reader
	Root string
}

func (z Zip) in(name string) string {
	return path.Clean(strings.TrimPrefix(name+"/", z.Root))
}

// Open opens a file of the archive.
func (z Zip) Open(name string) (store.File, error) {
	info, err := fs.Stat(z.Reader, z.in(name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: store.Cause(err)}
	}
	data, err := fs.ReadFile(z.Reader, z.in(name))
	return zipFile{bytes.NewReader(data), name, info}, err
}

// Stat describes a file or directory of the archive.
func (z Zip) Stat(name string) (fs.FileInfo, error) { return fs.Stat(z.Reader, z.in(name)) }

// ReadDir lists a directory of the archive, sorted by name.
func (z Zip) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(z.Reader, z.in(name)) }

type zipFile struct {
	*bytes.Reader
	name string
	info fs.FileInfo
}

func (f zipFile) Name() string               { return f.name }
func (f zipFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f zipFile) Close() error               { return nil }
