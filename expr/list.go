package expr

import (
	"bytes"
	"strconv"

	"tfr-build/schema"
)

// This file computes lists. A list is a value of kind List or Array: one of the row, or one whose
// elements are in eval.values.

// read returns the value of a column, a variable, or an element of a list. In a comprehension the
// value is read again for each element, which counts as steps.
func (e *eval) read(n *node) (v *schema.Value) {
	switch n.op {
	case opColumn:
		v = e.value(n.column)
	case opVariable:
		v = e.vars[n.column]
	default:
		v = e.element(n)
	}
	if n.inLoop {
		e.readAgain(n, v)
	}
	return v
}

// element computes a[i].
func (e *eval) element(n *node) *schema.Value {
	of := e.list(n.args[0])
	i := e.int(n.args[1])
	if i < 0 || i >= int64(of.Len()) {
		e.fail(n, codeDomain, "index "+strconv.FormatInt(i, 10)+" in "+describe(of), "")
		return &noList
	}
	return e.elementAt(of, int(i), n.slot)
}

// elementAt returns an element of a list. A number of an Array is an Array of one number, which is
// stored in a slot.
func (e *eval) elementAt(of *schema.Value, i, slot int) *schema.Value {
	if of.Kind == schema.List {
		return &of.List[i]
	}
	v := &e.stored[slot]
	*v = of.Element(i)
	return v
}

// newList returns a list of computed elements.
func (e *eval) newList(n *node, elems []schema.Value) datum {
	return e.keep(n, schema.Value{Kind: schema.List, List: elems})
}

// keep stores the list that n computed.
func (e *eval) keep(n *node, list schema.Value) datum {
	e.stored[n.slot] = list
	return listOf(&e.stored[n.slot])
}

// makeList computes a list in brackets.
func (e *eval) makeList(n *node) datum {
	elems := e.take(n, len(n.args))
	for i := range elems {
		elems[i] = e.computeElement(n.args[i])
	}
	return e.newList(n, elems)
}

// computeElement computes a node as an element of a list.
func (e *eval) computeElement(n *node) schema.Value { return e.toValue(n, e.compute(n)) }

// collect computes a.map(x, b) or a.filter(x, b). The numbers of an Array that are filtered stay an Array.
func (e *eval) collect(n *node) datum {
	of := e.list(n.args[0])
	elems := e.take(n, of.Len())
	kept := elems[:0]
	for i := 0; i < len(elems) && e.err == nil; i++ {
		v := e.elementAt(of, i, n.view)
		e.vars[n.column] = v
		switch {
		case n.op == opMap:
			kept = append(kept, e.computeElement(n.args[1]))
		case e.bool(n.args[1]):
			kept = append(kept, copyValue(v))
		}
	}
	if n.op == opMap || of.Kind == schema.List {
		return e.newList(n, kept)
	}
	if !e.room(n, len(kept)*of.Elem.Size()) {
		return listOf(&noList)
	}
	start := len(e.made)
	for i := range kept {
		e.made = append(e.made, kept[i].Text...)
	}
	return e.keep(n, schema.Value{Kind: schema.Array, Elem: of.Elem, Text: e.made[start:], List: []schema.Value{}})
}

// copyValue returns v as an element of another list.
func copyValue(v *schema.Value) schema.Value {
	if v.Kind == schema.Missing {
		return schema.Value{}
	}
	return *v
}

// search computes a.exists(x, b) or a.all(x, b), which end at the first element for which b is
// decisive.
func (e *eval) search(n *node) bool {
	of, decisive := e.list(n.args[0]), n.op == opExists
	for i := 0; i < of.Len() && e.step(n, 1) && e.err == nil; i++ {
		e.vars[n.column] = e.elementAt(of, i, n.view)
		if e.bool(n.args[1]) == decisive {
			return decisive
		}
	}
	return !decisive
}

func split(e *eval, n *node) datum {
	x := e.text(n.args[0])
	by := e.text(n.args[1])
	if len(by) == 0 {
		e.fail(n.args[1], codeDomain, "an empty separator", "")
	}
	count := bytes.Count(x, by) + 1
	if len(n.args) == 3 {
		most := e.int(n.args[2])
		if most < 1 {
			e.fail(n.args[2], codeDomain, "at most "+strconv.FormatInt(most, 10)+" parts; expected 1 or more", "")
		}
		count = int(min(int64(count), max(most, 1)))
	}
	parts := e.take(n, count)
	for i := range parts {
		part := x
		if i < count-1 {
			part, x, _ = bytes.Cut(x, by)
		}
		parts[i] = schema.Value{Kind: schema.String, Text: part}
	}
	return e.newList(n, parts)
}

func zip(e *eval, n *node) datum {
	a := e.list(n.args[0])
	b := e.list(n.args[1])
	count := a.Len()
	if count != b.Len() {
		e.fail(n, codeDomain, "zip takes lists of one length, found "+describe(a)+" and "+describe(b), "")
	}
	elems := e.take(n, 3*count) // the pairs, then the elements of each
	if elems == nil {
		return listOf(&noList)
	}
	pairs, rest := elems[:count:count], elems[count:]
	for i := range pairs {
		pair := rest[2*i : 2*i+2 : 2*i+2]
		pair[0], pair[1] = e.copyElement(n, a, i), e.copyElement(n, b, i)
		pairs[i] = schema.Value{Kind: schema.List, List: pair}
	}
	return e.newList(n, pairs)
}

// flatten computes one list of the elements of all lists in a list.
func flatten(e *eval, n *node) datum {
	of, count := e.list(n.args[0]), 0
	for i := range of.Len() {
		if v := e.elementAt(of, i, n.view); v.Len() < 0 || v == &e.stored[n.view] {
			e.failValue(n, v, codeType, "found "+describe(v)+"; expected a list", "")
			return listOf(&noList)
		}
		count += of.List[i].Len()
	}
	elems := e.take(n, count)
	if elems == nil {
		return listOf(&noList)
	}
	elems = elems[:0]
	for i := range of.Len() {
		for j := range of.List[i].Len() {
			elems = append(elems, e.copyElement(n, &of.List[i], j))
		}
	}
	return e.newList(n, elems)
}

// copyElement returns an element of a list as a value of another list.
func (e *eval) copyElement(n *node, of *schema.Value, i int) schema.Value {
	v := e.elementAt(of, i, n.view)
	if of.Kind == schema.List {
		return copyValue(v)
	}
	return e.toValue(n, datumOf(v))
}
