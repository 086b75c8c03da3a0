package jsonl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Paths are the compiled columns that are read from each row. They never change, so any number of
// Scanners may share them.
type Paths struct {
	columns []input.Bound
	dotted  []int // columns that a key or a path may find
	stars   []int // by column: number of * in its path
	root    *node
	limits  Limits
}

// A node is a position in a row that the path of some column leads to or through.
type node struct {
	edges  []edge
	byName map[string]*node // the same edges, if there are many
	star   *node            // each element of an array, or each member of an object
	items  []edge           // edges that are array indices, in ascending order
	ends   []end            // columns whose value is here
	below  []int            // columns whose path leads through or to here
	slot   int              // slot, if exactly one undotted column ends here and no path continues; else -1
}

type edge struct {
	name  string
	index int // the name as an array index, or -1
	to    *node
}

type end struct {
	column int
	exact  bool // found by the row's own key, not by a path
}

// few is the number of names up to which comparing is faster than hashing.
const few = 8

// Compile returns the Paths of columns, whose values are stored in their slots of each row's values.
// It returns an error for an invalid path.
func Compile(columns []input.Bound, limits Limits) (*Paths, error) {
	limits.Record = min(limits.Record, maxRecord)
	p := &Paths{root: &node{}, columns: columns, limits: limits}
	for i, c := range columns {
		if err := p.addColumn(i, c.Name); err != nil {
			return nil, err
		}
	}
	p.root.finish(p)
	return p, nil
}

func (p *Paths) addColumn(column int, name string) error {
	own := p.root.ensureChild(name)
	own.ends = append(own.ends, end{column: column, exact: true})
	p.stars = append(p.stars, 0)
	segments := strings.Split(name, ".")
	if len(segments) == 1 {
		return nil
	}
	if segments[0] == "*" {
		return fmt.Errorf("column %s: a row is an object, so no path begins with *", schema.Quote(name))
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
			n = n.ensureChild(s)
		}
		n.below = append(n.below, column)
	}
	n.ends = append(n.ends, end{column: column})
	return nil
}

// starHint suggests the path through each element of an array in place of an object.
func (p *Paths) starHint(name string, object *node) string {
	segments := strings.Split(name, ".")
	n := p.root
	for i, s := range segments {
		if n == object {
			return "from: " + strings.Join(slices.Insert(segments, i, "*"), ".") + " has a list of all elements"
		}
		if n = n.step(s); n == nil {
			break
		}
	}
	return ""
}

// joinHints returns two hints as one; either may be empty.
func joinHints(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// step returns the node after a segment of a path; nil if no path has it.
func (n *node) step(segment string) *node {
	if segment == "*" {
		return n.star
	}
	return n.find([]byte(segment))
}

// ensureChild returns the node at the end of the edge with that name. It adds the edge if
// necessary.
func (n *node) ensureChild(name string) *node {
	if c := n.find([]byte(name)); c != nil {
		return c
	}
	index, isIndex := input.Index(name)
	if !isIndex {
		index = -1
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

func (n *node) find(name []byte) *node {
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

// finish computes the fields that depend on the complete tree.
func (n *node) finish(p *Paths) {
	n.slot = -1
	if len(n.ends) == 1 && !n.hasChildren() && !strings.Contains(p.columns[n.ends[0].column].Name, ".") {
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

// columns returns the columns below a node, which may be nil.
func (n *node) columns() []int {
	if n == nil {
		return nil
	}
	return n.below
}

// hasChildren reports whether paths continue from here.
func (n *node) hasChildren() bool { return len(n.edges) > 0 || n.star != nil }
