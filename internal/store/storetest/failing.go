package storetest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"tfr-build/internal/store"
)

// An Op is an operation of a [Failing] store: open, stat, readdir, read, close, put, or delete.
type Op struct{ Kind, Name string }

// A Failing is a store whose operations a hook can fail. An operation that fails is not done, except
// that a close closes.
type Failing struct {
	under store.Reader
	hook  func(i int, op Op) error

	mu  sync.Mutex
	ops []Op
}

// NewFailing returns the store under, with a hook that is called before operation i, from 0, one
// call at a time. An error is the operation's result.
func NewFailing(under store.Reader, hook func(i int, op Op) error) *Failing {
	return &Failing{under: under, hook: hook}
}

// Ops returns the operations that have begun.
func (f *Failing) Ops() []Op {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Op(nil), f.ops...)
}

func (f *Failing) before(kind, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	op := Op{kind, name}
	f.ops = append(f.ops, op)
	if err := f.hook(len(f.ops)-1, op); err != nil {
		return &fs.PathError{Op: kind, Path: name, Err: err}
	}
	return nil
}

// Open opens a file whose operations may fail, too.
func (f *Failing) Open(name string) (store.File, error) {
	if err := f.before("open", name); err != nil {
		return nil, err
	}
	file, err := f.under.Open(name)
	if err != nil {
		return nil, err
	}
	return &failingFile{file, f}, nil
}

// Stat describes a file or directory.
func (f *Failing) Stat(name string) (fs.FileInfo, error) {
	if err := f.before("stat", name); err != nil {
		return nil, err
	}
	return f.under.Stat(name)
}

// ReadDir lists a directory.
func (f *Failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.before("readdir", name); err != nil {
		return nil, err
	}
	return f.under.ReadDir(name)
}

// Put writes a file, if the store under it is a [store.Putter].
func (f *Failing) Put(ctx context.Context, name string, from io.ReaderAt, size int64,
	cond store.Condition) (etag string, err error) {
	if err := f.before("put", name); err != nil {
		return "", err
	}
	p, ok := f.under.(store.Putter)
	if !ok {
		return "", &fs.PathError{Op: "put", Path: name, Err: errors.ErrUnsupported}
	}
	return p.Put(ctx, name, from, size, cond)
}

// Delete removes files one after another, if the store under it is a [store.Putter].
func (f *Failing) Delete(ctx context.Context, names ...string) error {
	for _, name := range names {
		if err := f.before("delete", name); err != nil {
			return err
		}
		p, ok := f.under.(store.Putter)
		if !ok {
			return &fs.PathError{Op: "delete", Path: name, Err: errors.ErrUnsupported}
		}
		if err := p.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

type failingFile struct {
	store.File
	of *Failing
}

func (f *failingFile) Read(p []byte) (int, error) {
	if err := f.of.before("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

func (f *failingFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.of.before("read", f.Name()); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f *failingFile) Close() error {
	err := f.of.before("close", f.Name())
	if closed := f.File.Close(); err == nil {
		err = closed
	}
	return err
}
