package vfstest

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"
)

var errNegative = errors.New("negative offset")

// A memFile is an open file of a Mem.
type memFile struct {
	m        *Mem
	node     *node
	name     string
	writable bool
	closed   bool
	pos      int64
}

// open opens a node. The caller holds mu.
func (m *Mem) open(n *node, name string, writable bool) *memFile {
	n.opened++
	return &memFile{m: m, node: n, name: name, writable: writable}
}

// release frees the space of a file that has no name and is not open.
func (m *Mem) release(n *node) {
	if n.named == 0 && n.opened == 0 {
		m.used -= n.space()
	}
}

// resizing updates used for a change of a file's size.
func (m *Mem) resizing(n *node, change func()) {
	m.used -= n.space()
	change()
	m.used += n.space()
}

// do runs an operation on an open file. For a closed one the error is ifClosed.
func (f *memFile) do(op string, ifClosed error, work func() error) error {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	err := ifClosed
	if !f.closed {
		err = work()
	}
	if err == nil || err == io.EOF {
		return err
	}
	return &fs.PathError{Op: op, Path: f.name, Err: err}
}

// emptyOp returns the result of reading or writing no bytes, or of a negative offset: os.File
// returns it without a system call.
func (f *memFile) emptyOp(op string, off int64) error {
	if off < 0 {
		return &fs.PathError{Op: op, Path: f.name, Err: errNegative}
	}
	return nil
}

func (f *memFile) Name() string { return f.name }

func (f *memFile) Read(p []byte) (n int, err error) {
	err = f.do("read", fs.ErrClosed, func() error {
		n, err = f.node.readAt(p, f.pos)
		f.pos += int64(n)
		if n > 0 {
			return nil
		}
		return err
	})
	return n, err
}

func (f *memFile) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 || len(p) == 0 {
		return 0, f.emptyOp("readat", off)
	}
	err = f.do("read", fs.ErrClosed, func() error {
		n, err = f.node.readAt(p, off)
		return err
	})
	return n, err
}

// readAt fills p, or returns an error.
func (n *node) readAt(p []byte, off int64) (int, error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case n.isDir():
		return 0, syscall.EISDIR
	case off >= int64(len(n.data)):
		return 0, io.EOF
	}
	done := copy(p, n.data[off:])
	if done < len(p) {
		return done, io.EOF
	}
	return done, nil
}

func (f *memFile) Write(p []byte) (n int, err error) {
	err = f.do("write", fs.ErrClosed, func() error {
		n, err = f.write(p, f.pos)
		f.pos += int64(n)
		return err
	})
	return n, err
}

func (f *memFile) WriteAt(p []byte, off int64) (n int, err error) {
	if off < 0 || len(p) == 0 {
		return 0, f.emptyOp("writeat", off)
	}
	err = f.do("write", fs.ErrClosed, func() error {
		n, err = f.write(p, off)
		return err
	})
	return n, err
}

// write writes as many bytes as fit on the disk.
func (f *memFile) write(p []byte, off int64) (int, error) {
	if !f.writable {
		return 0, syscall.EBADF
	}
	n := int(min(int64(len(p)), max(0, f.available()-off)))
	if n > 0 {
		f.m.resizing(f.node, func() { f.node.writeAt(p[:n], int(off)) })
	}
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// available is how long the file can become.
func (f *memFile) available() int64 { return f.node.space() + f.m.free() }

func (f *memFile) Close() error {
	return f.do("close", fs.ErrClosed, func() error {
		f.closed = true
		if f.node.holder == f {
			f.node.holder = nil
		}
		f.node.opened--
		f.m.release(f.node)
		return nil
	})
}

func (f *memFile) Stat() (info fs.FileInfo, err error) {
	err = f.do("stat", fs.ErrClosed, func() error {
		info = f.node.info(filepath.Base(f.name))
		return nil
	})
	return info, err
}

func (f *memFile) Truncate(size int64) error {
	return f.do("truncate", fs.ErrClosed, func() error {
		switch {
		case !f.writable || size < 0:
			return syscall.EINVAL
		case size > f.available():
			return syscall.ENOSPC
		}
		f.m.resizing(f.node, func() {
			f.node.resize(int(size))
			f.node.allocated = 0
		})
		return nil
	})
}

func (f *memFile) Sync() error {
	return f.do("sync", fs.ErrClosed, func() error {
		f.m.sync(f.node)
		return nil
	})
}

// failSync simulates a sync that fails: the system then treats the written bytes as durable,
// although they are not.
func (f *memFile) failSync() {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	f.node.markClean()
}

func (f *memFile) Allocate(size int64) error {
	return f.do("fallocate", syscall.EBADF, func() error {
		switch {
		case size <= 0:
			return unsupported(syscall.EINVAL)
		case !f.writable:
			return syscall.EBADF
		case size > f.available():
			return syscall.ENOSPC
		}
		f.m.resizing(f.node, func() { f.node.allocated = max(f.node.allocated, size) })
		return nil
	})
}

func (f *memFile) DropCache() error {
	return f.do("fadvise", syscall.EBADF, func() error { return nil })
}
