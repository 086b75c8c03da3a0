package vfstest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Crash says what a power loss leaves of changes that were not synced. The same Crash of the
// same file system always leaves the same.
type Crash struct {
	Seed    uint64
	Keep    float64 // probability that a block of 4 KiB or a truncation is kept, from 0 to 1
	Garbage bool    // half of the blocks that are lost have random bytes where they changed
	Names   Names
}

// Names says what a power loss leaves of changes of names that were not synced. Each change is
// kept completely or not at all, also an exchange and a rename from one directory to another. It
// is durable when each directory that it changes was synced.
type Names uint8

// The changes that are kept although they are not durable.
const (
	NamesLost   Names = iota // none
	NamesKept                // all: the worst case for files that are renamed before they are synced
	NamesPrefix              // the first of them up to some instant, as file systems with a journal do
	NamesEach                // any of them that can be without the others
)

// Crash returns the file system after a power loss at this instant. In it everything is durable,
// nothing is open, and nothing is locked. m does not change, so an instant can be tested many
// times. With Keep 1 and NamesKept nothing is lost.
func (m *Mem) Crash(c Crash) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := rand.New(rand.NewPCG(c.Seed, uint64(c.Names)))
	left := tree{root: m.root, changed: map[*node]map[string]*node{}}
	left.crash(m.pending, c.Names, r)
	after := &Mem{capacity: m.capacity}
	after.root = after.restore(m.root, left, c, r)
	return after
}

// restore returns a node of m for a node of another Mem after a crash.
func (m *Mem) restore(n *node, left tree, c Crash, r *rand.Rand) *node {
	if n.link != "" {
		return &node{named: 1, link: n.link}
	}
	if !n.isDir() {
		data := n.content.crash(c, r)
		m.used += int64(len(data))
		return &node{named: 1, content: content{data: data, safe: slices.Clone(data), shortest: len(data)}}
	}
	dir := newDir()
	dir.named = 1
	names := left.names(n)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		dir.names[name] = m.restore(names[name], left, c, r)
	}
	dir.safe = maps.Clone(dir.names)
	return dir
}

// A tree has the names in all directories after a crash. For an unchanged directory they are the
// durable names.
type tree struct {
	root    *node
	changed map[*node]map[string]*node
}

func (t tree) names(dir *node) map[string]*node {
	if names, ok := t.changed[dir]; ok {
		return names
	}
	return dir.safe
}

// crash adds the changes that are kept although they are not durable.
func (t tree) crash(pending []change, names Names, r *rand.Rand) {
	switch names {
	case NamesKept:
		t.apply(pending...)
	case NamesPrefix:
		t.apply(pending[:r.IntN(len(pending)+1)]...)
	case NamesEach:
		for _, c := range pending {
			if r.IntN(2) == 0 && t.isPossible(c) {
				t.apply(c)
			}
		}
	}
}

func (t tree) apply(changes ...change) {
	for _, c := range changes {
		for _, e := range c.edits {
			if t.changed[e.dir] == nil {
				t.changed[e.dir] = maps.Clone(e.dir.safe)
			}
			e.apply(t.changed[e.dir])
		}
	}
}

// isPossible reports whether a change can be kept without earlier changes that are lost. Its
// slots must have the nodes they had then, and a directory that it removes must be empty. It must
// not disconnect anything from the tree.
func (t tree) isPossible(c change) bool {
	if gone := c.removedDir(); gone != nil && len(t.names(gone)) > 0 {
		return false
	}
	for _, e := range c.edits {
		if t.names(e.dir)[e.name] != e.before {
			return false
		}
		if c.crosses() && !t.reaches(e) {
			return false
		}
	}
	return true
}

// reaches reports whether the directory of an edit is in the tree, and not below the node that
// the edit puts into it.
func (t tree) reaches(e edit) bool {
	return contains(t.root, e.dir, t.names) && (e.after == nil || !contains(e.after, e.dir, t.names))
}
