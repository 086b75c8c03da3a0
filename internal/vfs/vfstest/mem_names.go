package vfstest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A node is a file, a folder or a link of a Mem, under whatever name.
type node struct {
	link  string           // where a link leads; empty for others
	names map[string]*node // of a folder, as they are; a file has none
	safe  map[string]*node // of a folder, as they are durable
	content

	named  bool // it has a name, which a file that is removed while open has not
	opened int  // how often a file is open
	holder *memFile
}

func newFolder() *node { return &node{names: map[string]*node{}, safe: map[string]*node{}} }

func (n *node) isFolder() bool { return n.names != nil }

func (n *node) info(name string) fs.FileInfo {
	if n.isFolder() {
		return memInfo{name: name, mode: fs.ModeDir | 0o755}
	}
	if n.link != "" {
		return memInfo{name: name, size: int64(len(n.link)), mode: fs.ModeSymlink | 0o777}
	}
	return memInfo{name: name, size: int64(len(n.data)), mode: 0o644}
}

// A slot is a place for a node: a name in a folder.
type slot struct {
	dir  *node
	name string
}

// maxName is how long a name can be, as on most file systems.
const maxName = 255

// rooted returns name as it is below "/".
func rooted(name string) string {
	if !filepath.IsAbs(name) {
		name = "/" + name
	}
	return filepath.Clean(name)
}

// maxLinks is how many links are followed on the way to a name, as many as Linux does.
const maxLinks = 40

// find finds the slot of a name, and the node in it, if there is
// one: a link at its end, and not what that leads to. "/" is the root without a slot.
func (m *Mem) find(name string) (s slot, n *node, err error) {
	if name == "" {
		return s, nil, syscall.ENOENT
	}
	if strings.Contains(name, "\x00") {
		return s, nil, syscall.EINVAL
	}
	n = m.root
	at, links := "/", 0 // the path of n
	for rest := rooted(name)[1:]; rest != ""; {
		switch {
		case n == nil:
			return s, nil, syscall.ENOENT
		case !n.isFolder():
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

// target is where a link in the folder dir leads.
func target(dir, link string) string {
	if filepath.IsAbs(link) {
		return filepath.Clean(link)
	}
	return filepath.Join(dir, link)
}

// resolve follows name for as long as it is a link.
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

// names gives the names of a folder as they are.
func names(dir *node) map[string]*node { return dir.names }

// holds reports whether dir is n or is somewhere below it.
func holds(n, dir *node, names func(*node) map[string]*node) bool {
	if n == dir {
		return true
	}
	for _, below := range names(n) {
		if below.isFolder() && holds(below, dir, names) {
			return true
		}
	}
	return false
}

// An edit puts another node, or none, into a slot.
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

// A change is edits that are done together: one for a name that comes or goes,
// two for a rename or an exchange.
type change struct {
	edits  []edit
	synced []bool // whether the folder of each edit was synced since
}

// crosses reports whether a change takes something from one folder to another.
func (c change) crosses() bool { return len(c.edits) == 2 && c.edits[0].dir != c.edits[1].dir }

// isMove reports whether a folder changes the folder that it is in.
func (c change) isMove() bool {
	return c.crosses() && slices.ContainsFunc(c.edits, func(e edit) bool { return e.after != nil && e.after.isFolder() })
}

// gone is the folder that a change does away with, if it does with one.
func (c change) gone() *node {
	last := c.edits[len(c.edits)-1] // of a rename the one that replaces
	if n := last.before; n != nil && n.isFolder() && n != c.edits[0].after {
		return n
	}
	return nil
}

// change does edits, and keeps them in mind until they are durable.
func (m *Mem) change(edits ...edit) {
	for _, e := range edits {
		e.apply(e.dir.names)
		if e.before != nil {
			e.before.named = false
		}
	}
	for _, e := range edits {
		if e.after != nil {
			e.after.named = true
		}
	}
	for _, e := range edits {
		if e.before != nil {
			m.release(e.before)
		}
	}
	m.pending = append(m.pending, change{edits, make([]bool, len(edits))})
}

// sync makes a node durable: the bytes of a file or the names in a folder.
func (m *Mem) sync(n *node) {
	if !n.isFolder() {
		n.content.sync()
		return
	}
	for _, c := range m.pending {
		for i, e := range c.edits {
			c.synced[i] = c.synced[i] || e.dir == n
		}
	}
	due := m.due()
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

// due says which changes are durable: those whose folders were all synced, and
// what they depend on. That is earlier changes of the same slots; for a folder
// that is gone, what happened in it; and for a folder that moves, earlier moves,
// so that none ends up in itself.
func (m *Mem) due() []bool {
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
		gone[c.gone()] = true
		moves = moves || c.isMove()
	}
	return due
}
