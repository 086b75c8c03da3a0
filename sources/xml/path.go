package xml

import (
	"fmt"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// paths are the compiled columns that are read from each document. They never change, so any number
// of parsers may share them.
type paths struct {
	root    *node
	columns []input.Bound
}

// A node is an element that the path of some column leads to or through.
type node struct {
	edges      []edge
	named      map[string][]int // indexes of edges, by name
	attributes []attribute
	texts      []int // columns whose value is the text of the element
	below      []int // columns whose path leads through or to here
}

// An edge leads to child elements with a name.
type edge struct {
	name  string
	index int // which of them: from 0 on, or one of the constants below
	to    *node
}

const (
	only = -1 // the only one
	each = -2 // each of them, for a list
)

type attribute struct {
	name   string
	column int
}

// compile returns the paths of columns.
func compile(columns []input.Bound) (*paths, error) {
	p := &paths{root: &node{}, columns: columns}
	for i, c := range columns {
		if err := p.add(i, c.Name); err != nil {
			return nil, fmt.Errorf("column %s: %w", schema.Quote(c.Name), err)
		}
	}
	return p, nil
}

// add adds a column to the tree.
func (p *paths) add(column int, name string) error {
	n := p.root
	steps := strings.Split(name, ".")
	for i := 0; i < len(steps); i++ {
		step := steps[i]
		if name, is := strings.CutPrefix(step, "@"); is {
			if i == 0 || i < len(steps)-1 || name == "" {
				return fmt.Errorf("an attribute is the last step of a path, after an element; expected a path like " +
					"annotation.@verified")
			}
			n.attributes = append(n.attributes, attribute{name, column})
			return nil
		}
		index := only
		if i+1 < len(steps) {
			if at, is := indexOf(steps[i+1]); is {
				index = at
				i++
			}
		}
		if step == "" || step == "*" || step[0] >= '0' && step[0] <= '9' {
			return fmt.Errorf("found the step %q; expected the name of an element", step)
		}
		n = n.child(step, index)
		n.below = append(n.below, column)
	}
	n.texts = append(n.texts, column)
	return nil
}

// indexOf returns the index of a step that selects elements of the name before it.
func indexOf(step string) (index int, is bool) {
	if step == "*" {
		return each, true
	}
	return input.Index(step)
}

// child returns the node at the end of an edge. It adds the edge if necessary.
func (n *node) child(name string, index int) *node {
	for _, i := range n.named[name] {
		if n.edges[i].index == index {
			return n.edges[i].to
		}
	}
	if n.named == nil {
		n.named = map[string][]int{}
	}
	to := &node{}
	n.named[name] = append(n.named[name], len(n.edges))
	n.edges = append(n.edges, edge{name, index, to})
	return to
}
