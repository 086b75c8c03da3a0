package vfstest

import (
	"errors"
	"io/fs"

	"tfr-build/internal/vfs"
)

// ErrSkip is returned by the hook of an [Inject] to make an operation report success without
// being done. Only operations whose sole result is an error can be skipped, and writes; others
// fail with it.
var ErrSkip = errors.New("operation skipped")

// ErrStopped is returned by the hook of an [Inject], from some operation on, to simulate the end
// of the process or of the power. The operations fail and do nothing, except that a close still
// closes.
var ErrStopped = errors.New("the file system has stopped")

// An Inject is a [Log] that lets a hook fail any operation. An operation that fails is not done,
// with three exceptions:
//
//   - A write writes the first half, as on a full disk.
//   - A close closes.
//   - A sync over a [Mem] loses what it was to make durable, so that another sync does not
//     restore it.
type Inject struct {
	Log
	hook func(i int, op Op) error
}

// NewInject returns an Inject over an FS. Before operation i (from 0, in the order in which they
// begin) it calls hook, one call at a time. An error of hook is the result of the operation. hook
// may be nil.
func NewInject(under vfs.FS, hook func(i int, op Op) error) *Inject {
	if hook == nil {
		hook = func(int, Op) error { return nil }
	}
	in := &Inject{hook: hook}
	in.tap = tap{under: under, before: in.before}
	return in
}

// before records op and returns the error of the hook.
func (in *Inject) before(op Op) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ops = append(in.ops, op)
	err := in.hook(len(in.ops)-1, op)
	if err == nil || err == ErrSkip {
		return err
	}
	return &fs.PathError{Op: op.Kind, Path: op.Name, Err: err}
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

// From returns a hook that fails operation n and all later ones.
func From(n int, err error) func(int, Op) error {
	return func(i int, _ Op) error {
		if i >= n {
			return err
		}
		return nil
	}
}
