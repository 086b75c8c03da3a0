package xml

import (
	"bytes"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// deliver adds a column's value to the innermost open list of its path; without one it is the
// document's value.
func (p *parser) deliver(column int, v schema.Value) {
	switch st := &p.states[column]; {
	case len(st.bases) == 0:
		p.vals[p.paths.columns[column].Slot] = v
	case p.tooMany == nil:
		st.lists = append(st.lists, v)
	}
}

// countedList is the number of elements from which on the elements of a list are counted in
// advance, so that it does not grow step by step.
const countedList = 1024

// countElement counts the elements of the lists of a document. This is the next element of a
// list, and n elements are before it. Elements beyond limits.record are only counted.
func (p *parser) countElement(e *edge, n, at int) {
	p.elements += len(e.to.below)
	most := p.limits.Record / input.ElementSize
	if p.elements > most && p.tooMany == nil {
		p.tooMany = &schema.RowError{At: at, Column: p.paths.columns[e.to.below[0]].Name}
	}
	if n != countedList || p.tooMany != nil {
		return
	}
	more := min(bytes.Count(p.data[at:], []byte("<"+e.name)), (most-p.elements)/len(e.to.below)+1)
	for _, c := range e.to.below {
		if st := &p.states[c]; cap(st.lists)-len(st.lists) < more {
			st.lists = append(make([]schema.Value, 0, len(st.lists)+more), st.lists...)
		}
	}
}

// tooManyError returns the error of a document whose lists have too many elements, or nil.
func (p *parser) tooManyError() error {
	if p.tooMany == nil {
		return nil
	}
	bad := input.LongList(p.elements, p.limits.Record)
	bad.At, bad.Column = p.tooMany.At, p.tooMany.Column
	return bad
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
	if p.tooMany != nil {
		return
	}
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
