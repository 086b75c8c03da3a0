package vfstest

import (
	"io/fs"

	"tfr-build/internal/vfs"
)

// A tap is an FS over another one. It calls before ahead of each operation, which may fail the
// operation. [Log] and [Inject] share it.
type tap struct {
	under  vfs.FS
	before func(Op) error // its error is the result of the operation
}

// do runs an operation whose only result is an error.
func (t *tap) do(op Op, f func() error) error {
	switch err := t.before(op); err {
	case nil:
		return f()
	case ErrSkip:
		return nil
	default:
		return err
	}
}

// run runs an operation that returns a value.
func run[T any](t *tap, op Op, f func() (T, error)) (T, error) {
	if err := t.before(op); err != nil {
		var none T
		return none, err
	}
	return f()
}

// open runs an operation that opens a file.
func (t *tap) open(op Op, f func(string) (vfs.File, error)) (vfs.File, error) {
	file, err := run(t, op, func() (vfs.File, error) { return f(op.Name) })
	if err != nil {
		return nil, err
	}
	return &tapFile{t, file}, nil
}

func (t *tap) Create(name string) (vfs.File, error) {
	return t.open(Op{Kind: "create", Name: name}, t.under.Create)
}

func (t *tap) Open(name string) (vfs.File, error) {
	return t.open(Op{Kind: "open", Name: name}, t.under.Open)
}

func (t *tap) Edit(name string) (vfs.File, error) {
	return t.open(Op{Kind: "edit", Name: name}, t.under.Edit)
}

func (t *tap) Mkdir(name string) error {
	return t.do(Op{Kind: "mkdir", Name: name}, func() error { return t.under.Mkdir(name) })
}

func (t *tap) Remove(name string) error {
	return t.do(Op{Kind: "remove", Name: name}, func() error { return t.under.Remove(name) })
}

func (t *tap) Rename(from, to string) error {
	return t.do(Op{Kind: "rename", Name: from, To: to}, func() error { return t.under.Rename(from, to) })
}

func (t *tap) Exchange(a, b string) error {
	return t.do(Op{Kind: "exchange", Name: a, To: b}, func() error { return t.under.Exchange(a, b) })
}

func (t *tap) Link(from, to string) error {
	return t.do(Op{Kind: "link", Name: from, To: to}, func() error { return t.under.Link(from, to) })
}

func (t *tap) Symlink(target, name string) error {
	return t.do(Op{Kind: "symlink", Name: name, To: target}, func() error { return t.under.Symlink(target, name) })
}

func (t *tap) Readlink(name string) (string, error) {
	return run(t, Op{Kind: "readlink", Name: name}, func() (string, error) { return t.under.Readlink(name) })
}

func (t *tap) ReadDir(name string) ([]fs.DirEntry, error) {
	return run(t, Op{Kind: "readdir", Name: name}, func() ([]fs.DirEntry, error) { return t.under.ReadDir(name) })
}

func (t *tap) Stat(name string) (fs.FileInfo, error) {
	return run(t, Op{Kind: "stat", Name: name}, func() (fs.FileInfo, error) { return t.under.Stat(name) })
}

func (t *tap) Lstat(name string) (fs.FileInfo, error) {
	return run(t, Op{Kind: "lstat", Name: name}, func() (fs.FileInfo, error) { return t.under.Lstat(name) })
}

func (t *tap) Resolve(name string) (string, error) {
	return run(t, Op{Kind: "resolve", Name: name}, func() (string, error) { return t.under.Resolve(name) })
}

func (t *tap) IsMount(name string) (bool, error) {
	return run(t, Op{Kind: "ismount", Name: name}, func() (bool, error) { return t.under.IsMount(name) })
}

func (t *tap) SyncDir(name string) error {
	return t.do(Op{Kind: "syncdir", Name: name}, func() error { return t.under.SyncDir(name) })
}

func (t *tap) Lock(name string) (f vfs.File, locked bool, err error) {
	f, err = t.open(Op{Kind: "lock", Name: name}, func(string) (f vfs.File, err error) {
		f, locked, err = t.under.Lock(name)
		return f, err
	})
	return f, locked, err
}

func (t *tap) Free(name string) (int64, error) {
	return run(t, Op{Kind: "free", Name: name}, func() (int64, error) { return t.under.Free(name) })
}
