package jsonl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Paths are the columns that are read from each row, compiled. They are never
// changed: any number of Scanners may share them.
type Paths struct {
	columns []input.Bound
	dotted  []int // the columns that may be found by key and by path
	stars   []int // by column: how many * its path has
	root    *node
	limits  Limits
}

// A node is a place in a row that some column leads to or through.
type node struct {
	edges  []edge
	byName map[string]*node // the same edges, where there are many
	star   *node            // each element of an array
	items  []edge           // the edges that are indices, ascending
	ends   []end            // columns whose value stands here
	below  []int            // columns whose path leads through or to here
	slot   int              // the slot, where one undotted column ends and nothing follows; else -1
}

type edge struct {
	name  string
	index int // name as the index of an array; -1 where it is none
	to    *node
}

type end struct {
	column int
	exact  bool // by the row's own key, not by a path
}

// few is how many names are faster to compare than to hash.
const few = 8

// Compile makes Paths of columns. The value of columns[i] goes to slots[i] of
// each row's values; without slots it goes to i.
func Compile(columns []string, slots []int, limits Limits) (*Paths, error) {
	limits, err := limits.withDefaults()
	if err != nil {
		return nil, err
	}
	if slots != nil && len(slots) != len(columns) {
		return nil, fmt.Errorf("%d slots for %d columns", len(slots), len(columns))
	}
	p := &Paths{root: &node{}, limits: limits}
	for i, name := range columns {
		c := input.Bound{Name: name, Slot: i}
		if slots != nil {
			c.Slot = slots[i]
		}
		p.columns = append(p.columns, c)
		if err := p.add(i, name); err != nil {
			return nil, err
		}
	}
	p.root.finish(p)
	return p, nil
}

func (p *Paths) add(column int, name string) error {
	own := p.root.child(name)
	own.ends = append(own.ends, end{column: column, exact: true})
	p.stars = append(p.stars, 0)
	segments := strings.Split(name, ".")
	if len(segments) == 1 {
		return nil
	}
	if segments[0] == "*" {
		return fmt.Errorf("column %s: a row is an object, so no path begins with *", schema.Quote([]byte(name)))
	}
	p.dotted = append(p.dotted, column)
	n := p.root
	for _, s := range segments {
		if s == "*" {
			if n.star == nil {
				n.star = &node{}
			}
			n = n.star
			p.stars[column]++
		} else {
			n = n.child(s)
		}
		n.below = append(n.below, column)
	}
	n.ends = append(n.ends, end{column: column})
	return nil
}

// child is the node at the end of the edge of that name, made if it is not there.
func (n *node) child(name string) *node {
	if c := n.find(name); c != nil {
		return c
	}
	index := -1
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && strconv.Itoa(i) == name {
		index = i
	}
	c := &node{}
	n.edges = append(n.edges, edge{name: name, index: index, to: c})
	if len(n.edges) > few {
		if n.byName == nil {
			n.byName = make(map[string]*node)
			for _, e := range n.edges {
				n.byName[e.name] = e.to
			}
		}
		n.byName[name] = c
	}
	return c
}

func (n *node) find(name string) *node {
	if n.byName != nil {
		return n.byName[name]
	}
	for i := range n.edges {
		if n.edges[i].name == name {
			return n.edges[i].to
		}
	}
	return nil
}

func (n *node) findBytes(name []byte) *node {
	if n.byName != nil {
		return n.byName[string(name)]
	}
	for i := range n.edges {
		if n.edges[i].name == string(name) {
			return n.edges[i].to
		}
	}
	return nil
}

// finish works out what needs the whole tree.
func (n *node) finish(p *Paths) {
	n.slot = -1
	if len(n.ends) == 1 && !n.inner() && !strings.Contains(p.columns[n.ends[0].column].Name, ".") {
		n.slot = p.columns[n.ends[0].column].Slot
	}
	for _, e := range n.edges {
		if e.index >= 0 {
			n.items = append(n.items, e)
		}
		e.to.finish(p)
	}
	slices.SortFunc(n.items, func(a, b edge) int { return cmp.Compare(a.index, b.index) })
	if n.star != nil {
		n.star.finish(p)
	}
}

// inner tells whether paths go on from here.
func (n *node) inner() bool { return len(n.edges) > 0 || n.star != nil }
