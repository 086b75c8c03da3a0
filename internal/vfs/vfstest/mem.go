package vfstest

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tfr-build/internal/vfs"
)

// A Mem is a file system in memory. It knows which of its changes are durable, so that
// [Mem.Crash] can return what a power loss leaves. It behaves like the real one, with the same
// error numbers. The differences: relative names begin at "/", all times are equal, holes in
// files take space, and links are durable with their names.
type Mem struct {
	mu       sync.Mutex
	root     *node
	pending  []change // of names, the oldest first, that are not durable
	capacity int64
	used     int64
}

const errNotDir = syscall.ENOTDIR

// startCapacity is more than a test needs, and less than a machine has.
const startCapacity = 4 << 30

// NewMem returns a file system with the directories dirs, which are durable, and no files.
func NewMem(dirs ...string) *Mem {
	m := &Mem{root: newDir(), capacity: startCapacity}
	for _, dir := range dirs {
		at := m.root
		for part := range strings.SplitSeq(strings.Trim(rooted(dir), "/"), "/") {
			if part == "" {
				continue
			}
			if at.names[part] == nil {
				at.names[part] = newDir()
				at.safe[part] = at.names[part]
			}
			at = at.names[part]
		}
	}
	return m
}

// SetCapacity sets how many bytes all files together can have.
func (m *Mem) SetCapacity(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.capacity = bytes
}

// free returns how many more bytes can be written.
func (m *Mem) free() int64 { return max(0, m.capacity-m.used) }

// withSlot calls do with the slot of a name and its node, which may be nil.
func (m *Mem) withSlot(op, name string, do func(slot, *node) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, n, err := m.find(name)
	if err == nil {
		err = do(s, n)
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// withNode calls do with the node of a name. It follows links.
func (m *Mem) withNode(op, name string, do func(*node) error) error {
	return m.withSlot(op, name, func(_ slot, n *node) error {
		if n != nil && n.link != "" {
			path, err := m.resolve(name)
			if err != nil {
				return err
			}
			if _, n, err = m.find(path); err != nil {
				return err
			}
		}
		if n == nil {
			return syscall.ENOENT
		}
		return do(n)
	})
}

// create puts a new node into an empty slot.
func (m *Mem) create(s slot, old, made *node) error {
	if old != nil {
		return syscall.EEXIST
	}
	m.change(edit{slot: s, after: made})
	return nil
}

// Create implements [vfs.FS].
func (m *Mem) Create(name string) (f vfs.File, err error) {
	err = m.withSlot("open", name, func(s slot, n *node) error {
		made := &node{}
		if err := m.create(s, n, made); err != nil {
			return err
		}
		f = m.open(made, name, true)
		return nil
	})
	return f, err
}

// Open implements [vfs.FS].
func (m *Mem) Open(name string) (f vfs.File, err error) {
	err = m.withNode("open", name, func(n *node) error {
		f = m.open(n, name, false)
		return nil
	})
	return f, err
}

// Edit implements [vfs.FS].
func (m *Mem) Edit(name string) (f vfs.File, err error) {
	err = m.withNode("open", name, func(n *node) error {
		if n.isDir() {
			return syscall.EISDIR
		}
		f = m.open(n, name, true)
		return nil
	})
	return f, err
}

// Mkdir implements [vfs.FS].
func (m *Mem) Mkdir(name string) error {
	return m.withSlot("mkdir", name, func(s slot, n *node) error { return m.create(s, n, newDir()) })
}

// Remove implements [vfs.FS].
func (m *Mem) Remove(name string) error {
	return m.withSlot("remove", name, func(s slot, n *node) error {
		switch {
		case n == nil:
			return syscall.ENOENT
		case n == m.root:
			return syscall.EBUSY
		case len(n.names) > 0:
			return syscall.ENOTEMPTY
		}
		m.change(edit{slot: s, before: n})
		return nil
	})
}

// withTwo calls do with an exchange of the nodes of two names.
func (m *Mem) withTwo(a, b string, do func(a, b edit) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	sa, na, err := m.find(a)
	sb, nb, errB := m.find(b)
	if err == nil || errB == syscall.EINVAL { // the system checks the names before it looks at the disk
		err = errB
	}
	switch {
	case err != nil:
		return err
	case na == m.root || nb == m.root:
		return syscall.EBUSY
	}
	return do(edit{sa, na, nb}, edit{sb, nb, na})
}

// Rename implements [vfs.FS].
func (m *Mem) Rename(from, to string) error {
	err := m.withTwo(from, to, func(a, b edit) error {
		if a.before != nil && a.before == b.before {
			return nil
		}
		if err := checkRename(a, b); err != nil {
			return err
		}
		a.after = nil
		m.change(a, b)
		return nil
	})
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// checkRename returns why the node of edit a cannot replace the node of edit b, or nil.
func checkRename(a, b edit) error {
	moved, old := a.before, b.before
	switch {
	case moved == nil:
		return syscall.ENOENT
	case contains(moved, b.dir, names):
		return syscall.EINVAL
	case old == nil:
		return nil
	case contains(old, a.dir, names):
		return syscall.ENOTEMPTY
	case moved.isDir() && !old.isDir():
		return errNotDir
	case old.isDir() && !moved.isDir():
		return syscall.EISDIR
	case len(old.names) > 0:
		return syscall.ENOTEMPTY
	}
	return nil
}

// Exchange implements [vfs.FS].
func (m *Mem) Exchange(a, b string) error {
	err := m.withTwo(a, b, func(a, b edit) error {
		switch {
		case a.before == nil || b.before == nil:
			return syscall.ENOENT
		case contains(a.before, b.dir, names) || contains(b.before, a.dir, names):
			return syscall.EINVAL
		}
		m.change(a, b)
		return nil
	})
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: unsupported(err)}
	}
	return nil
}

// unsupported returns the error of the real file system for EINVAL, if an operation or a hint may
// be missing.
func unsupported(err error) error {
	if err == syscall.EINVAL {
		return errors.ErrUnsupported
	}
	return err
}

// Link implements [vfs.FS].
func (m *Mem) Link(from, to string) error {
	if err := m.link(from, to); err != nil {
		return &os.LinkError{Op: "link", Old: from, New: to, Err: err}
	}
	return nil
}

func (m *Mem) link(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, n, err := m.find(from)
	s, there, errTo := m.find(to)
	switch {
	case errTo == syscall.EINVAL: // the system checks the names before it looks at the disk
		return errTo
	case err != nil:
		return err
	case n == nil:
		return syscall.ENOENT
	case errTo != nil:
		return errTo
	case there != nil:
		return syscall.EEXIST
	case n.isDir():
		return syscall.EPERM
	}
	m.change(edit{slot: s, after: n})
	return nil
}

// Symlink implements [vfs.FS].
func (m *Mem) Symlink(target, name string) error {
	err := m.withSlot("symlink", name, func(s slot, n *node) error {
		if target == "" {
			return syscall.ENOENT
		}
		return m.create(s, n, &node{link: target})
	})
	if err != nil {
		return &os.LinkError{Op: "symlink", Old: target, New: name, Err: vfs.Cause(err)}
	}
	return nil
}

// Readlink implements [vfs.FS].
func (m *Mem) Readlink(name string) (target string, err error) {
	err = m.withSlot("readlink", name, func(_ slot, n *node) error {
		switch {
		case n == nil:
			return syscall.ENOENT
		case n.link == "":
			return syscall.EINVAL
		}
		target = n.link
		return nil
	})
	return target, err
}

// ReadDir implements [vfs.FS].
func (m *Mem) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = m.withNode("open", name, func(n *node) error {
		if !n.isDir() {
			return errNotDir
		}
		for _, base := range slices.Sorted(maps.Keys(n.names)) {
			entries = append(entries, fs.FileInfoToDirEntry(n.names[base].info(base)))
		}
		return nil
	})
	return entries, err
}

// Stat implements [vfs.FS].
func (m *Mem) Stat(name string) (info fs.FileInfo, err error) {
	err = m.withNode("stat", name, func(n *node) error {
		info = n.info(filepath.Base(name))
		return nil
	})
	return info, err
}

// Lstat implements [vfs.FS].
func (m *Mem) Lstat(name string) (info fs.FileInfo, err error) {
	err = m.withSlot("lstat", name, func(_ slot, n *node) error {
		if n == nil {
			return syscall.ENOENT
		}
		info = n.info(filepath.Base(name))
		return nil
	})
	return info, err
}

// Resolve implements [vfs.FS].
func (m *Mem) Resolve(name string) (path string, err error) {
	err = m.withSlot("lstat", name, func(slot, *node) (err error) {
		path, err = m.resolve(name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return path, err
}

// IsMount implements [vfs.FS].
func (m *Mem) IsMount(name string) (mount bool, err error) {
	err = m.withSlot("statx", name, func(_ slot, n *node) error {
		if n == nil {
			return syscall.ENOENT
		}
		mount = n == m.root
		return nil
	})
	return mount, err
}

// SyncDir implements [vfs.FS].
func (m *Mem) SyncDir(name string) error {
	return m.withNode("open", name, func(n *node) error {
		m.sync(n)
		return nil
	})
}

// Lock implements [vfs.FS].
func (m *Mem) Lock(name string) (f vfs.File, locked bool, err error) {
	err = m.withSlot("lock", name, func(s slot, n *node) error {
		switch {
		case n == nil:
			n = &node{}
			m.change(edit{slot: s, after: n})
		case n.isDir():
			return syscall.EISDIR
		case n.link != "":
			return syscall.ELOOP
		case n.holder != nil:
			return vfs.ErrLocked
		}
		n.holder = m.open(n, name, true)
		f = n.holder
		return nil
	})
	return f, err == nil, err
}

// Free implements [vfs.FS].
func (m *Mem) Free(name string) (bytes int64, err error) {
	err = m.withNode("statfs", name, func(*node) error {
		bytes = m.free()
		return nil
	})
	return bytes, err
}

// A memInfo describes a file or directory of a Mem.
type memInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) Mode() fs.FileMode  { return i.mode }
func (i memInfo) ModTime() time.Time { return time.Unix(0, 0) }
func (i memInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memInfo) Sys() any           { return nil }
