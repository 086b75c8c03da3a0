package remote

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"sync"

	"tfr-build/internal/bucket"
)

// A file is an object that is read: from its beginning, in ranges that are fetched
// ahead, or anywhere.
type file struct {
	ctx  context.Context
	name string
	o    bucket.Object
	at   *bucket.File

	mu sync.Mutex
	in *bucket.Reader // nil before the first Read
}

// Read reads on.
func (f *file) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.in == nil {
		f.in = f.at.Reader(f.ctx, 0, f.o.Size)
	}
	n, err := f.in.Read(p)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, failed("read", f.name, err)
}

// ReadAt reads as io.ReaderAt does.
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(p)), f.o.Size-off)))
	if err := f.at.ReadRange(f.ctx, p[:n], off); n > 0 && err != nil {
		return 0, failed("read", f.name, err)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close ends what is in flight.
func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.in == nil {
		return nil
	}
	return f.in.Close()
}

func (f *file) Name() string { return f.name }

func (f *file) Stat() (fs.FileInfo, error) { return entry{name: path.Base(f.o.Key), o: f.o}, nil }

// Sync and DropCache have nothing to do: what is read comes from the store.
func (f *file) Sync() error      { return nil }
func (f *file) DropCache() error { return nil }

func (f *file) refused() error { return failed("write", f.name, errors.ErrUnsupported) }

// What writes is refused.
func (f *file) Write([]byte) (int, error)          { return 0, f.refused() }
func (f *file) WriteAt([]byte, int64) (int, error) { return 0, f.refused() }
func (f *file) Truncate(int64) error               { return f.refused() }
func (f *file) Allocate(int64) error               { return f.refused() }
func (f *file) StartWrite(int64, int64) error      { return f.refused() }
