package dataset

import (
	"io/fs"
	"testing/fstest"
)

// A memory is a store of files. opened sees each file, and may put another in its place.
type memory struct {
	files  fstest.MapFS
	opened func(name string, f fs.File) fs.File
}

func (m memory) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(m.files, name) }
func (m memory) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(m.files, name) }

func (m memory) Open(name string) (StoreFile, error) {
	f, err := m.files.Open(name)
	if err != nil {
		return nil, err
	}
	if m.opened != nil {
		f = m.opened(name, f)
	}
	return memoryFile{in: f}, nil
}

type memoryFile struct {
	StoreFile
	in fs.File
}

func (f memoryFile) Read(p []byte) (int, error) { return f.in.Read(p) }
func (f memoryFile) Close() error               { return f.in.Close() }
