package vfstest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Crash says what a loss of power leaves of what was not synced. The same
// Crash of the same file system always leaves the same.
type Crash struct {
	Seed    uint64
	Keep    float64 // the chance of each block of 4 KiB, and of each cut of a file, to be kept, from 0 to 1
	Garbage bool    // half of the blocks that are not kept hold random bytes where they changed
	Names   Names
}

// Names says what a loss of power leaves of the names that came, went or changed
// and were not synced. Each change happens wholly or not at all, exchanges and
// renames from folder to folder included; it is durable when each folder that it
// touches was synced.
type Names uint8

// What is left of the changes that are not durable.
const (
	NamesLost   Names = iota // none
	NamesKept                // all: the worst case for files that are renamed before they are synced
	NamesPrefix              // the first of them up to some instant, as file systems with a journal do
	NamesEach                // any of them that can be without the others
)

// Crash returns what is there after a loss of power at this instant: another file
// system, where all is durable, nothing is open and nothing locked. The one that
// it comes from stays as it is, so that an instant can be looked at many times.
// With Keep 1 and NamesKept nothing is lost.
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

// restore makes a node of m from one of another Mem and what a crash left of it.
func (m *Mem) restore(n *node, left tree, c Crash, r *rand.Rand) *node {
	if n.link != "" {
		return &node{named: true, link: n.link}
	}
	if !n.isFolder() {
		data := n.content.crash(c, r)
		m.used += int64(len(data))
		return &node{named: true, content: content{data: data, safe: slices.Clone(data), shortest: len(data)}}
	}
	folder := newFolder()
	folder.named = true
	names := left.names(n)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		folder.names[name] = m.restore(names[name], left, c, r)
	}
	folder.safe = maps.Clone(folder.names)
	return folder
}

// A tree is the names in all folders as a crash leaves them: those that are
// durable, but for folders that are changed.
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

// crash adds the changes that are kept, though they are not durable.
func (t tree) crash(pending []change, names Names, r *rand.Rand) {
	switch names {
	case NamesKept:
		t.apply(pending...)
	case NamesPrefix:
		t.apply(pending[:r.IntN(len(pending)+1)]...)
	case NamesEach:
		for _, c := range pending {
			if r.IntN(2) == 0 && t.fits(c) {
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

// fits reports whether a change can be kept without those before it that are
// lost: its slots hold what they held, a folder that it does away with is empty,
// and it takes nothing out of the tree.
func (t tree) fits(c change) bool {
	if gone := c.gone(); gone != nil && len(t.names(gone)) > 0 {
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

// reaches reports whether the folder of an edit is in the tree, and not below
// what the edit puts into it.
func (t tree) reaches(e edit) bool {
	return holds(t.root, e.dir, t.names) && (e.after == nil || !holds(e.after, e.dir, t.names))
}
