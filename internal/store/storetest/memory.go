package storetest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"tfr-build/internal/store"
)

// A Memory is a store of objects in memory: a [store.Reader] and a [store.Putter] without other
// capabilities. As in other stores of objects, a file that is open cannot be read after it was
// replaced or removed. The zero value is empty.
type Memory struct {
	mu      sync.Mutex
	objects map[string]*memoryFile // by URL
	puts    int
}

// A memoryFile is one version of an object.
type memoryFile struct {
	name    string
	content []byte
	etag    string
	put     time.Time
}

func notExist(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

// Open opens an object as it is now.
func (m *Memory) Open(name string) (store.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.objects[name]
	if !ok {
		return nil, notExist("open", name)
	}
	return &openObject{o, bytes.NewReader(o.content), m}, nil
}

// Stat describes an object, or a directory that has objects.
func (m *Memory) Stat(name string) (fs.FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o, ok := m.objects[name]; ok {
		return memoryInfo{o}, nil
	}
	for other := range m.objects {
		if strings.HasPrefix(other, strings.TrimSuffix(name, "/")+"/") {
			return memoryDir(path.Base(name)), nil
		}
	}
	return nil, notExist("stat", name)
}

// ReadDir lists a directory. One that does not exist is empty.
func (m *Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[string]fs.DirEntry{}
	for other, o := range m.objects {
		rest, ok := strings.CutPrefix(other, strings.TrimSuffix(name, "/")+"/")
		base, _, isDeeper := strings.Cut(rest, "/")
		switch {
		case !ok:
		case isDeeper:
			found[base] = memoryDir(base)
		default:
			found[base] = fs.FileInfoToDirEntry(memoryInfo{o})
		}
	}
	var entries []fs.DirEntry
	for _, base := range slices.Sorted(maps.Keys(found)) {
		entries = append(entries, found[base])
	}
	return entries, nil
}

// Put writes an object, if the condition holds.
func (m *Memory) Put(_ context.Context, name string, from io.ReaderAt, size int64, cond store.Condition) (etag string,
	err error) {
	content := make([]byte, size)
	if n, err := from.ReadAt(content, 0); int64(n) < size {
		return "", &fs.PathError{Op: "write", Path: name, Err: err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	old, exists := m.objects[name]
	if holds := cond.Over == "" || cond.Over == store.Nothing && !exists || exists && cond.Over == old.etag; !holds {
		return "", &fs.PathError{Op: "write", Path: name, Err: fs.ErrExist}
	}
	if m.objects == nil {
		m.objects = map[string]*memoryFile{}
	}
	m.puts++
	etag = fmt.Sprint("put ", m.puts)
	m.objects[name] = &memoryFile{name, content, etag, time.Now()}
	return etag, nil
}

// Delete removes objects.
func (m *Memory) Delete(_ context.Context, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		delete(m.objects, name)
	}
	return nil
}

// Objects returns the content of all objects, by URL.
func (m *Memory) Objects() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string]string{}
	for name, o := range m.objects {
		all[name] = string(o.content)
	}
	return all
}

// An openObject is open for reading.
type openObject struct {
	*memoryFile
	content *bytes.Reader
	of      *Memory
}

func (f *openObject) Read(p []byte) (int, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	return f.content.Read(p)
}

func (f *openObject) ReadAt(p []byte, off int64) (int, error) {
	if err := f.check(); err != nil {
		return 0, err
	}
	return f.content.ReadAt(p, off)
}

// check returns an error if the object is not the one that was opened.
func (f *openObject) check() error {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	switch f.of.objects[f.name] {
	case f.memoryFile:
		return nil
	case nil:
		return notExist("read", f.name)
	}
	return &fs.PathError{Op: "read", Path: f.name, Err: store.ErrChanged}
}

func (f *openObject) Name() string               { return f.name }
func (f *openObject) Stat() (fs.FileInfo, error) { return memoryInfo{f.memoryFile}, nil }
func (f *openObject) Close() error               { return nil }

// memoryInfo describes an object.
type memoryInfo struct{ of *memoryFile }

func (i memoryInfo) Name() string       { return path.Base(i.of.name) }
func (i memoryInfo) Size() int64        { return int64(len(i.of.content)) }
func (i memoryInfo) Mode() fs.FileMode  { return 0 }
func (i memoryInfo) ModTime() time.Time { return i.of.put }
func (i memoryInfo) IsDir() bool        { return false }
func (i memoryInfo) Sys() any           { return nil }
func (i memoryInfo) ETag() string       { return i.of.etag }
func (i memoryInfo) IsExact() bool      { return true }

// memoryDir describes a directory of this name.
type memoryDir string

func (d memoryDir) Name() string               { return string(d) }
func (d memoryDir) Size() int64                { return 0 }
func (d memoryDir) Mode() fs.FileMode          { return fs.ModeDir }
func (d memoryDir) ModTime() time.Time         { return time.Time{} }
func (d memoryDir) IsDir() bool                { return true }
func (d memoryDir) Sys() any                   { return nil }
func (d memoryDir) Type() fs.FileMode          { return fs.ModeDir }
func (d memoryDir) Info() (fs.FileInfo, error) { return d, nil }
