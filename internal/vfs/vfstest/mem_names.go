package vfstest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A node is a file, a directory, or a link of a Mem.
type node struct {
	link  string           // the target of a link; else empty
	names map[string]*node // current entries of a directory; nil for a file
	safe  map[string]*node // durable entries of a directory
	content

	named  int      // number of its names; 0 for a file that was removed while it was open
	opened int      // number of open memFiles
	holder *memFile // of the lock; else nil
}

func newDir() *node { return &node{names: map[string]*node{}, safe: map[string]*node{}} }

func (n *node) isDir() bool { return n.names != nil }

func (n *node) info(name string) fs.FileInfo {
	if n.isDir() {
		return memInfo{name: name, mode: fs.ModeDir | 0o755}
	}
	if n.link != "" {
		return memInfo{name: name, size: int64(len(n.link)), mode: fs.ModeSymlink | 0o777}
	}
	return memInfo{name: name, size: int64(len(n.data)), mode: 0o644}
}

// A slot is a name in a directory, which may have a node.
type slot struct {
	dir  *node
	name string
}

// maxName is the largest length of a name, as on most file systems.
const maxName = 255

// rooted returns the absolute path of name.
func rooted(name string) string {
	if !filepath.IsAbs(name) {
		name = "/" + name
	}
	return filepath.Clean(name)
}

// maxLinks is how many links are followed for one name, the same as on Linux.
const maxLinks = 40

// find returns the slot of a name, and its node, or nil. It does not follow a link at the end of
// the name. The slot of "/" is empty.
func (m *Mem) find(name string) (s slot, n *node, err error) {
	if name == "" {
		return s, nil, syscall.ENOENT
	}
	if strings.Contains(name, "\x00") {
		return s, nil, syscall.EINVAL
	}
	n = m.root
	at, links := "/", 0 // at is the path of n
	for rest := rooted(name)[1:]; rest != ""; {
		switch {
		case n == nil:
			return s, nil, syscall.ENOENT
		case !n.isDir():
			return s, nil, errNotDir
		}
		s.dir = n
		s.name, rest, _ = strings.Cut(rest, "/")
		if len(s.name) > maxName {
			return s, nil, syscall.ENAMETOOLONG
		}
		n = n.names[s.name]
		if n == nil || n.link == "" || rest == "" {
			at = filepath.Join(at, s.name)
			continue
		}
		if links++; links > maxLinks {
			return s, nil, syscall.ELOOP
		}
		rest = filepath.Join(target(at, n.link), rest)[1:]
		n, at = m.root, "/"
	}
	return s, n, nil
}

// target returns the path to which a link in the directory dir leads.
func target(dir, link string) string {
	if filepath.IsAbs(link) {
		return filepath.Clean(link)
	}
	return filepath.Join(dir, link)
}

// resolve follows name while it is a link.
func (m *Mem) resolve(name string) (string, error) {
	for range maxLinks {
		_, n, err := m.find(name)
		if err != nil {
			return "", err
		}
		if n == nil || n.link == "" {
			return name, nil
		}
		name = target(filepath.Dir(name), n.link)
	}
	return "", syscall.ELOOP
}

// names returns the current entries of a directory.
func names(dir *node) map[string]*node { return dir.names }

// contains reports whether dir is n or below it.
func contains(n, dir *node, names func(*node) map[string]*node) bool {
	if n == dir {
		return true
	}
	for _, below := range names(n) {
		if below.isDir() && contains(below, dir, names) {
			return true
		}
	}
	return false
}

// An edit replaces the node of a slot. before and after may be nil.
type edit struct {
	slot
	before, after *node
}

func (e edit) apply(names map[string]*node) {
	if e.after == nil {
		delete(names, e.name)
	} else {
		names[e.name] = e.after
	}
}

// A change is one or two edits that are done together. It has one if a name is created or
// removed, and two for a rename or an exchange.
type change struct {
	edits  []edit
	synced []bool // the directory of each edit was synced after the change
}

// crosses reports whether a change moves something from one directory to another.
func (c change) crosses() bool { return len(c.edits) == 2 && c.edits[0].dir != c.edits[1].dir }

// isMove reports whether a directory gets another parent.
func (c change) isMove() bool {
	return c.crosses() && slices.ContainsFunc(c.edits, func(e edit) bool { return e.after != nil && e.after.isDir() })
}

// removedDir returns the directory that a change removes, or nil.
func (c change) removedDir() *node {
	last := c.edits[len(c.edits)-1] // in a rename, the edit of the new name
	if n := last.before; n != nil && n.isDir() && n != c.edits[0].after {
		return n
	}
	return nil
}

// change applies edits, and records them until they are durable.
func (m *Mem) change(edits ...edit) {
	for _, e := range edits {
		e.apply(e.dir.names)
		if e.before != nil {
			e.before.named--
		}
	}
	for _, e := range edits {
		if e.after != nil {
			e.after.named++
		}
	}
	for _, e := range edits {
		if e.before != nil {
			m.release(e.before)
		}
	}
	m.pending = append(m.pending, change{edits, make([]bool, len(edits))})
}

// sync makes a node durable: the bytes of a file, or the names in a directory.
func (m *Mem) sync(n *node) {
	if !n.isDir() {
		n.content.sync()
		return
	}
	for _, c := range m.pending {
		for i, e := range c.edits {
			c.synced[i] = c.synced[i] || e.dir == n
		}
	}
	due := m.durable()
	left := m.pending[:0]
	for i, c := range m.pending {
		if !due[i] {
			left = append(left, c)
			continue
		}
		for _, e := range c.edits {
			e.apply(e.dir.safe)
		}
	}
	clear(m.pending[len(left):])
	m.pending = left
}

// durable returns which changes are durable: those whose directories were all synced, and those
// that they depend on. A change depends on earlier changes of the same slots. If it removes a
// directory, it depends on the changes in that directory. If it moves a directory, it depends on
// earlier moves, so that no directory ends up in itself.
func (m *Mem) durable() []bool {
	due := make([]bool, len(m.pending))
	slots := map[slot]bool{}
	gone := map[*node]bool{}
	moves := false
	for i, c := range slices.Backward(m.pending) {
		due[i] = !slices.Contains(c.synced, false) || moves && c.isMove() ||
			slices.ContainsFunc(c.edits, func(e edit) bool { return slots[e.slot] || gone[e.dir] })
		if !due[i] {
			continue
		}
		for _, e := range c.edits {
			slots[e.slot] = true
		}
		gone[c.removedDir()] = true
		moves = moves || c.isMove()
	}
	return due
}
