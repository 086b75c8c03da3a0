package vfstest

import (
	"cmp"
	"errors"
	"io/fs"

	"tfr-build/internal/vfs"
)

// A tapFile is a file that a tap opened.
type tapFile struct {
	tap   *tap
	under vfs.File
}

func (f *tapFile) Name() string { return f.under.Name() }

func (f *tapFile) Read(p []byte) (int, error) {
	op := Op{Kind: "read", Name: f.Name(), Size: int64(len(p))}
	return run(f.tap, op, func() (int, error) { return f.under.Read(p) })
}

func (f *tapFile) ReadAt(p []byte, off int64) (int, error) {
	op := Op{Kind: "readat", Name: f.Name(), Off: off, Size: int64(len(p))}
	return run(f.tap, op, func() (int, error) { return f.under.ReadAt(p, off) })
}

func (f *tapFile) Write(p []byte) (int, error) {
	return f.write(Op{Kind: "write", Name: f.Name(), Size: int64(len(p))}, p, f.under.Write)
}

func (f *tapFile) WriteAt(p []byte, off int64) (int, error) {
	op := Op{Kind: "writeat", Name: f.Name(), Off: off, Size: int64(len(p))}
	return f.write(op, p, func(p []byte) (int, error) { return f.under.WriteAt(p, off) })
}

// write writes p, or half of it if the write is to fail.
func (f *tapFile) write(op Op, p []byte, write func([]byte) (int, error)) (int, error) {
	err := f.tap.before(op)
	switch {
	case err == nil:
		return write(p)
	case err == ErrSkip:
		return len(p), nil
	case errors.Is(err, ErrStopped):
		return 0, err
	default:
		n, werr := write(p[:len(p)/2])
		return n, cmp.Or(err, werr)
	}
}

// Close closes the file even if it is to fail, as the system does.
func (f *tapFile) Close() error {
	err := f.tap.before(Op{Kind: "close", Name: f.Name()})
	if closed := f.under.Close(); err == nil {
		return closed
	}
	if err == ErrSkip {
		return nil
	}
	return err
}

func (f *tapFile) Stat() (fs.FileInfo, error) {
	return run(f.tap, Op{Kind: "fstat", Name: f.Name()}, f.under.Stat)
}

func (f *tapFile) Truncate(size int64) error {
	op := Op{Kind: "truncate", Name: f.Name(), Size: size}
	return f.tap.do(op, func() error { return f.under.Truncate(size) })
}

// Sync makes a file of a Mem lose its written bytes if the sync is to fail.
func (f *tapFile) Sync() error {
	err := f.tap.before(Op{Kind: "sync", Name: f.Name()})
	switch {
	case err == nil:
		return f.under.Sync()
	case err == ErrSkip:
		return nil
	case !errors.Is(err, ErrStopped):
		f.failSync()
	}
	return err
}

func (f *tapFile) failSync() {
	if under, can := f.under.(interface{ failSync() }); can {
		under.failSync()
	}
}

func (f *tapFile) Allocate(size int64) error {
	op := Op{Kind: "allocate", Name: f.Name(), Size: size}
	return f.tap.do(op, func() error { return f.under.Allocate(size) })
}

func (f *tapFile) DropCache() error {
	return f.tap.do(Op{Kind: "dropcache", Name: f.Name()}, f.under.DropCache)
}
