package vfstest

import (
	"fmt"
	"slices"
	"sync"

	"tfr-build/internal/vfs"
)

// An Op is one operation on a file system, as a [Log] records it.
type Op struct {
	Kind string // the method in lower case, such as "create" or "writeat"
	Name string // its first name
	To   string // the second name of rename and exchange; the target of symlink
	Off  int64  // of readat and writeat
	Size int64  // bytes, or the new length for truncate
}

// String returns the operation in one line: "rename a b", "writeat a 0 4096".
func (op Op) String() string {
	switch op.Kind {
	case "rename", "exchange", "symlink":
		return fmt.Sprintf("%s %s %s", op.Kind, op.Name, op.To)
	case "readat", "writeat":
		return fmt.Sprintf("%s %s %d %d", op.Kind, op.Name, op.Off, op.Size)
	case "read", "write", "truncate", "allocate":
		return fmt.Sprintf("%s %s %d", op.Kind, op.Name, op.Size)
	default:
		return op.Kind + " " + op.Name
	}
}

// A Log is a [vfs.FS] over another one. It records each operation, also those that fail, in the
// order in which they begin.
type Log struct {
	tap

	mu  sync.Mutex
	ops []Op
}

// NewLog returns a Log over an FS.
func NewLog(under vfs.FS) *Log {
	l := &Log{}
	l.tap = tap{under: under, before: l.record}
	return l
}

func (l *Log) record(op Op) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ops = append(l.ops, op)
	return nil
}

// Ops returns the operations so far.
func (l *Log) Ops() []Op {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.ops)
}
