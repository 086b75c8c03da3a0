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

// A Mem is a file system in memory that knows what of it is durable, so that
// [Mem.Crash] can tell what a loss of power leaves. It behaves as the real one
// does, with the same error numbers, but for this: relative names begin at "/", all
// times are the same, holes in files take space, and links are durable with their names.
type Mem struct {
	mu       sync.Mutex
	root     *node
	pending  []change // of names, from the oldest, not yet durable
	capacity int64
	used     int64
}

const errNotDir = syscall.ENOTDIR

// startCapacity is large for a test and small for a machine.
const startCapacity = 4 << 30

// NewMem returns a file system that holds the folders dirs, durably, and no
// files.
func NewMem(dirs ...string) *Mem {
	m := &Mem{root: newFolder(), capacity: startCapacity}
	for _, dir := range dirs {
		at := m.root
		for part := range strings.SplitSeq(strings.Trim(rooted(dir), "/"), "/") {
			if part == "" {
				continue
			}
			if at.names[part] == nil {
				at.names[part] = newFolder()
				at.safe[part] = at.names[part]
			}
			at = at.names[part]
		}
	}
	return m
}

// SetCapacity sets how many bytes all files together can hold.
func (m *Mem) SetCapacity(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.capacity = bytes
}

// free is how much more can be written.
func (m *Mem) free() int64 { return max(0, m.capacity-m.used) }

// at finds what has a name, if anything has, and does something about it.
func (m *Mem) at(op, name string, do func(slot, *node) error) error {
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

// node finds what has a name, links followed, and does something with it.
func (m *Mem) node(op, name string, do func(*node) error) error {
	return m.at(op, name, func(_ slot, n *node) error {
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

// create gives a slot that is empty a new file or folder.
func (m *Mem) create(s slot, old, made *node) error {
	if old != nil {
		return syscall.EEXIST
	}
	m.change(edit{slot: s, after: made})
	return nil
}

// Create is the method of [vfs.FS].
func (m *Mem) Create(name string) (f vfs.File, err error) {
	err = m.at("open", name, func(s slot, n *node) error {
		made := &node{}
		if err := m.create(s, n, made); err != nil {
			return err
		}
		f = m.open(made, name, true)
		return nil
	})
	return f, err
}

// Open is the method of [vfs.FS].
func (m *Mem) Open(name string) (f vfs.File, err error) {
	err = m.node("open", name, func(n *node) error {
		f = m.open(n, name, false)
		return nil
	})
	return f, err
}

// Edit is the method of [vfs.FS].
func (m *Mem) Edit(name string) (f vfs.File, err error) {
	err = m.node("open", name, func(n *node) error {
		if n.isFolder() {
			return syscall.EISDIR
		}
		f = m.open(n, name, true)
		return nil
	})
	return f, err
}

// Mkdir is the method of [vfs.FS].
func (m *Mem) Mkdir(name string) error {
	return m.at("mkdir", name, func(s slot, n *node) error { return m.create(s, n, newFolder()) })
}

// Remove is the method of [vfs.FS].
func (m *Mem) Remove(name string) error {
	return m.at("remove", name, func(s slot, n *node) error {
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

// two finds what has two names and does something with both.
func (m *Mem) two(a, b string, do func(a, b edit) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	sa, na, err := m.find(a)
	sb, nb, errB := m.find(b)
	if err == nil || errB == syscall.EINVAL { // which comes before anything on the disk
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

// Rename is the method of [vfs.FS].
func (m *Mem) Rename(from, to string) error {
	err := m.two(from, to, func(a, b edit) error {
		if a.before != nil && a.before == b.before {
			return nil
		}
		if err := mayRename(a, b); err != nil {
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

// mayRename says why what has the name a cannot take the place of what has the name b.
func mayRename(a, b edit) error {
	moved, old := a.before, b.before
	switch {
	case moved == nil:
		return syscall.ENOENT
	case holds(moved, b.dir, names):
		return syscall.EINVAL
	case old == nil:
		return nil
	case holds(old, a.dir, names):
		return syscall.ENOTEMPTY
	case moved.isFolder() && !old.isFolder():
		return errNotDir
	case old.isFolder() && !moved.isFolder():
		return syscall.EISDIR
	case len(old.names) > 0:
		return syscall.ENOTEMPTY
	}
	return nil
}

// Exchange is the method of [vfs.FS].
func (m *Mem) Exchange(a, b string) error {
	err := m.two(a, b, func(a, b edit) error {
		switch {
		case a.before == nil || b.before == nil:
			return syscall.ENOENT
		case holds(a.before, b.dir, names) || holds(b.before, a.dir, names):
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

// unsupported is what the real file system makes of EINVAL where an operation or
// a hint may be missing.
func unsupported(err error) error {
	if err == syscall.EINVAL {
		return errors.ErrUnsupported
	}
	return err
}

// Symlink is the method of [vfs.FS].
func (m *Mem) Symlink(target, name string) error {
	err := m.at("symlink", name, func(s slot, n *node) error {
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

// Readlink is the method of [vfs.FS].
func (m *Mem) Readlink(name string) (target string, err error) {
	err = m.at("readlink", name, func(_ slot, n *node) error {
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

// ReadDir is the method of [vfs.FS].
func (m *Mem) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = m.node("open", name, func(n *node) error {
		if !n.isFolder() {
			return errNotDir
		}
		for _, base := range slices.Sorted(maps.Keys(n.names)) {
			entries = append(entries, fs.FileInfoToDirEntry(n.names[base].info(base)))
		}
		return nil
	})
	return entries, err
}

// Stat is the method of [vfs.FS].
func (m *Mem) Stat(name string) (info fs.FileInfo, err error) {
	err = m.node("stat", name, func(n *node) error {
		info = n.info(filepath.Base(name))
		return nil
	})
	return info, err
}

// Lstat is the method of [vfs.FS].
func (m *Mem) Lstat(name string) (info fs.FileInfo, err error) {
	err = m.at("lstat", name, func(_ slot, n *node) error {
		if n == nil {
			return syscall.ENOENT
		}
		info = n.info(filepath.Base(name))
		return nil
	})
	return info, err
}

// Resolve is the method of [vfs.FS].
func (m *Mem) Resolve(name string) (path string, err error) {
	err = m.at("lstat", name, func(slot, *node) (err error) {
		path, err = m.resolve(name)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return path, err
}

// IsMount is the method of [vfs.FS].
func (m *Mem) IsMount(name string) (mount bool, err error) {
	err = m.at("statx", name, func(_ slot, n *node) error {
		if n == nil {
			return syscall.ENOENT
		}
		mount = n == m.root
		return nil
	})
	return mount, err
}

// SyncDir is the method of [vfs.FS].
func (m *Mem) SyncDir(name string) error {
	return m.node("open", name, func(n *node) error {
		m.sync(n)
		return nil
	})
}

// Lock is the method of [vfs.FS].
func (m *Mem) Lock(name string) (f vfs.File, locked bool, err error) {
	err = m.at("lock", name, func(s slot, n *node) error {
		switch {
		case n == nil:
			n = &node{}
			m.change(edit{slot: s, after: n})
		case n.isFolder():
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

// Free is the method of [vfs.FS].
func (m *Mem) Free(name string) (bytes int64, err error) {
	err = m.node("statfs", name, func(*node) error {
		bytes = m.free()
		return nil
	})
	return bytes, err
}

// memInfo describes a file or folder of a Mem.
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
