package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// ErrSkip, returned by the hook of an [Inject], has an operation report success
// without being done. Only operations whose sole result is an error can be
// skipped, writes included; others fail with it.
var ErrSkip = errors.New("operation skipped")

// An Op is one operation on a file system, as an [Inject] records it.
type Op struct {
	Kind string // the method in lower case, such as "create" or "writeat"
	Name string // what it is done to
	To   string // the second name of rename and exchange
	Off  int64  // of readat, writeat and startwrite
	Size int64  // bytes, or the new length for truncate
}

// String gives the operation in one line: "rename a b", "writeat a 0 4096".
func (op Op) String() string {
	switch op.Kind {
	case "rename", "exchange":
		return fmt.Sprintf("%s %s %s", op.Kind, op.Name, op.To)
	case "readat", "writeat", "startwrite":
		return fmt.Sprintf("%s %s %d %d", op.Kind, op.Name, op.Off, op.Size)
	case "read", "write", "truncate", "allocate":
		return fmt.Sprintf("%s %s %d", op.Kind, op.Name, op.Size)
	default:
		return op.Kind + " " + op.Name
	}
}

// An Inject is an [FS] over another one that records each operation and lets a
// hook fail any of them. An operation that fails is not done, but for two: a
// write writes the first half, as on a disk that fills up, and a close closes.
type Inject struct {
	under FS
	hook  func(i int, op Op) error

	mu  sync.Mutex
	ops []Op
}

// NewInject returns an Inject over an FS. Before operation i (from 0, in the
// order of their beginning) it calls hook, one call at a time; an error is the
// operation's result. hook may be nil.
func NewInject(under FS, hook func(i int, op Op) error) *Inject {
	return &Inject{under: under, hook: hook}
}

// Once returns a hook that fails operation n.
func Once(n int, err error) func(int, Op) error {
	return func(i int, _ Op) error {
		if i == n {
			return err
		}
		return nil
	}
}

// From returns a hook that fails operation n and all that follow.
func From(n int, err error) func(int, Op) error {
	return func(i int, _ Op) error {
		if i >= n {
			return err
		}
		return nil
	}
}

// Ops returns the operations so far.
func (in *Inject) Ops() []Op {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]Op(nil), in.ops...)
}

// before records op and returns what the hook says of it.
func (in *Inject) before(op Op) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ops = append(in.ops, op)
	if in.hook == nil {
		return nil
	}
	if err := in.hook(len(in.ops)-1, op); err != nil && err != ErrSkip {
		return &fs.PathError{Op: op.Kind, Path: op.Name, Err: err}
	} else if err == ErrSkip {
		return ErrSkip
	}
	return nil
}

// do runs an operation that only fails or succeeds.
func (in *Inject) do(op Op, f func() error) error {
	switch err := in.before(op); err {
	case nil:
		return f()
	case ErrSkip:
		return nil
	default:
		return err
	}
}

// ask runs an operation that has a result.
func ask[T any](in *Inject, op Op, f func() (T, error)) (T, error) {
	if err := in.before(op); err != nil {
		var none T
		return none, err
	}
	return f()
}

// open runs an operation that opens a file.
func (in *Inject) open(op Op, f func(string) (File, error)) (File, error) {
	file, err := ask(in, op, func() (File, error) { return f(op.Name) })
	if err != nil {
		return nil, err
	}
	return &injectFile{in, file}, nil
}

// Create is the method of [FS].
func (in *Inject) Create(name string) (File, error) {
	return in.open(Op{Kind: "create", Name: name}, in.under.Create)
}

// Open is the method of [FS].
func (in *Inject) Open(name string) (File, error) {
	return in.open(Op{Kind: "open", Name: name}, in.under.Open)
}

// Edit is the method of [FS].
func (in *Inject) Edit(name string) (File, error) {
	return in.open(Op{Kind: "edit", Name: name}, in.under.Edit)
}

// Mkdir is the method of [FS].
func (in *Inject) Mkdir(name string) error {
	return in.do(Op{Kind: "mkdir", Name: name}, func() error { return in.under.Mkdir(name) })
}

// Remove is the method of [FS].
func (in *Inject) Remove(name string) error {
	return in.do(Op{Kind: "remove", Name: name}, func() error { return in.under.Remove(name) })
}

// Rename is the method of [FS].
func (in *Inject) Rename(from, to string) error {
	return in.do(Op{Kind: "rename", Name: from, To: to}, func() error { return in.under.Rename(from, to) })
}

// Exchange is the method of [FS].
func (in *Inject) Exchange(a, b string) error {
	return in.do(Op{Kind: "exchange", Name: a, To: b}, func() error { return in.under.Exchange(a, b) })
}

// ReadDir is the method of [FS].
func (in *Inject) ReadDir(name string) ([]fs.DirEntry, error) {
	return ask(in, Op{Kind: "readdir", Name: name}, func() ([]fs.DirEntry, error) { return in.under.ReadDir(name) })
}

// Stat is the method of [FS].
func (in *Inject) Stat(name string) (fs.FileInfo, error) {
	return ask(in, Op{Kind: "stat", Name: name}, func() (fs.FileInfo, error) { return in.under.Stat(name) })
}

// Lstat is the method of [FS].
func (in *Inject) Lstat(name string) (fs.FileInfo, error) {
	return ask(in, Op{Kind: "lstat", Name: name}, func() (fs.FileInfo, error) { return in.under.Lstat(name) })
}

// Resolve is the method of [FS].
func (in *Inject) Resolve(name string) (string, error) {
	return ask(in, Op{Kind: "resolve", Name: name}, func() (string, error) { return in.under.Resolve(name) })
}

// IsMount is the method of [FS].
func (in *Inject) IsMount(name string) (bool, error) {
	return ask(in, Op{Kind: "ismount", Name: name}, func() (bool, error) { return in.under.IsMount(name) })
}

// SyncDir is the method of [FS].
func (in *Inject) SyncDir(name string) error {
	return in.do(Op{Kind: "syncdir", Name: name}, func() error { return in.under.SyncDir(name) })
}

// Lock is the method of [FS].
func (in *Inject) Lock(name string) (f File, locked bool, err error) {
	f, err = in.open(Op{Kind: "lock", Name: name}, func(string) (f File, err error) {
		f, locked, err = in.under.Lock(name)
		return f, err
	})
	return f, locked, err
}

// Free is the method of [FS].
func (in *Inject) Free(name string) (int64, error) {
	return ask(in, Op{Kind: "free", Name: name}, func() (int64, error) { return in.under.Free(name) })
}
