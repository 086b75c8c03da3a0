package markup

import (
	"bytes"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// deliver adds a column's value to the innermost open list of its path; without one it is the
// document's value.
func (p *parser) deliver(column int, v schema.Value) {
	if st := &p.states[column]; len(st.bases) > 0 {
		st.lists = append(st.lists, v)
	} else {
		p.vals[p.paths.slots[column]] = v
	}
}

// countedList is the number of elements from which on the elements of a list are counted in
// advance, so that it does not grow step by step.
const countedList = 1024

// countElement checks how many elements the lists of a document have. This is the next element of a
// list, and n elements are before it.
func (p *parser) countElement(e *edge, n, at int) error {
	if p.elements += len(e.to.below); p.elements > p.limits.Record {
		bad := input.LongList(p.limits.Record)
		bad.At, bad.Column = at, p.paths.names[e.to.below[0]]
		return bad
	}
	if n != countedList {
		return nil
	}
	more := min(bytes.Count(p.data[at:], []byte("<"+e.name)), (p.limits.Record-p.elements)/len(e.to.below)+1)
	for _, c := range e.to.below {
		if st := &p.states[c]; cap(st.lists)-len(st.lists) < more {
			st.lists = append(make([]schema.Value, 0, len(st.lists)+more), st.lists...)
		}
	}
	return nil
}

// openLists begins a list for each column below a node.
func (p *parser) openLists(n *node) {
	for _, c := range n.below {
		st := &p.states[c]
		st.bases = append(st.bases, len(st.lists))
	}
}

// fillMissing adds a Missing element for each column below a node for which its element had no
// value. Afterwards all lists have count elements.
func (p *parser) fillMissing(n *node, at, count int) {
	for _, c := range n.below {
		st := &p.states[c]
		if len(st.lists) < st.bases[len(st.bases)-1]+count {
			st.lists = append(st.lists, schema.Value{At: uint32(at)})
		}
	}
}

// closeLists delivers the lists that openLists began. Their parent is at at.
func (p *parser) closeLists(n *node, at int) {
	for _, c := range n.below {
		st := &p.states[c]
		last := len(st.bases) - 1
		base := st.bases[last]
		st.bases = st.bases[:last]
		v := schema.Value{Kind: schema.List, List: st.lists[base:], At: uint32(at)}
		if last > 0 {
			v.List = p.inner.Take(len(v.List))
			copy(v.List, st.lists[base:])
			st.lists = slices.Delete(st.lists, base, len(st.lists))
		}
		p.deliver(c, v)
	}
}
