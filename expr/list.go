package expr

import (
	"bytes"
	"strconv"

	"tfr-build/schema"
)

// This file computes lists. A list is a value of kind List or Array: one of the row, or one whose
// elements are in eval.values.

// valueFn computes a node whose value is in a row or in a list.
type valueFn func(e *eval) (*schema.Value, bool)

// isStored reports whether n is a value of a list, or a column that a comprehension reads again for
// each element.
func (n *node) isStored() bool {
	return n.op == opVariable || n.op == opElement || n.op == opColumn && n.inLoop
}

// makesList reports whether n computes a new list.
func (n *node) makesList() bool {
	switch n.op {
	case opList, opMap, opFilter:
		return true
	case opCall:
		return n.function.list != nil
	}
	return false
}

// storedOf compiles a column, a variable, or an element of a list.
func storedOf(n *node) valueFn {
	switch n.op {
	case opVariable:
		return func(e *eval) (*schema.Value, bool) {
			v := e.vars[n.column]
			return v, e.readAgain(n, v)
		}
	case opElement:
		return elementOf(n)
	}
	return func(e *eval) (*schema.Value, bool) {
		v := e.value(n.column)
		return v, e.readAgain(n, v)
	}
}

// elementOf compiles a[i].
func elementOf(n *node) valueFn {
	list, index := listOf(n.args[0]), intOf(n.args[1])
	return func(e *eval) (*schema.Value, bool) {
		of, ok := list(e)
		if !ok {
			return nil, false
		}
		i, ok := index(e)
		if !ok {
			return nil, false
		}
		if i < 0 || i >= int64(of.Len()) {
			e.fail(n, codeDomain, "index "+strconv.FormatInt(i, 10)+" in "+describe(of))
			return nil, false
		}
		v := e.elementAt(of, int(i), n.slot)
		return v, !n.inLoop || e.readAgain(n, v)
	}
}

// elementAt returns an element of a list. A number of an Array is an Array of one number, which is
// stored in a slot.
func (e *eval) elementAt(of *schema.Value, i, slot int) *schema.Value {
	if of.Kind == schema.List {
		return &of.List[i]
	}
	size := of.Elem.Size()
	v := &e.stored[slot]
	*v = schema.Value{Kind: schema.Array, Elem: of.Elem, Text: of.Text[i*size : (i+1)*size], At: of.At}
	return v
}

// listOf compiles a node to a list.
func listOf(n *node) valueFn {
	switch {
	case n.op == opList:
		return bracketed(n)
	case n.op == opMap:
		return mapped(n)
	case n.op == opFilter:
		return filtered(n)
	case n.makesList():
		return n.function.list(n)
	case n.op == opCond:
		return condition(n, listOf)
	case n.op == opColumn:
		return columnList(n)
	case n.isStored():
		return storedList(n)
	}
	x := anyOf(n)
	return func(e *eval) (*schema.Value, bool) {
		d, ok := x(e)
		if ok {
			ok = e.failKind(n, &d, "a list")
		}
		return nil, ok
	}
}

// columnList compiles the list in a column. A list of one element is a list here, even if it is
// accepted as one value elsewhere.
func columnList(n *node) valueFn {
	return func(e *eval) (*schema.Value, bool) {
		v := &e.vals[e.slots[n.column]]
		if v.Len() >= 0 {
			return v, true
		}
		return nil, e.failList(n, e.value(n.column))
	}
}

// storedList compiles an element that is a list.
func storedList(n *node) valueFn {
	x := storedOf(n)
	return func(e *eval) (*schema.Value, bool) {
		v, ok := x(e)
		if ok && (v.Len() < 0 || v == &e.stored[n.slot]) { // a number of an Array is not a list
			ok = e.failList(n, v)
		}
		return v, ok
	}
}

// failList records that v is not a list, and returns false.
func (e *eval) failList(n *node, v *schema.Value) bool {
	if v.Kind == schema.Missing {
		e.failMissing(n, v)
		return false
	}
	e.failValue(n, v, codeType, "found "+describe(v)+"; expected a list")
	if v.Kind == schema.Text || v.Kind == schema.String {
		e.err.Hint = "split(" + n.snippet() + `, ",")`
	}
	return false
}

// newList returns a list of computed elements.
func (e *eval) newList(n *node, elems []schema.Value) *schema.Value {
	v := &e.stored[n.slot]
	*v = schema.Value{Kind: schema.List, List: elems}
	return v
}

// bracketed compiles a list in brackets.
func bracketed(n *node) valueFn {
	values := make([]anyFn, len(n.args))
	for i, a := range n.args {
		values[i] = anyOf(a)
	}
	return func(e *eval) (*schema.Value, bool) {
		elems, ok := e.take(n, len(values))
		for i := 0; ok && i < len(values); i++ {
			elems[i], ok = e.compute(n.args[i], values[i])
		}
		return e.newList(n, elems), ok
	}
}

// compute computes a node as an element of a list.
func (e *eval) compute(n *node, value anyFn) (schema.Value, bool) {
	d, ok := value(e)
	if !ok {
		return schema.Value{}, false
	}
	return e.toValue(n, &d)
}

// mapped compiles a.map(x, b).
func mapped(n *node) valueFn {
	list, body := listOf(n.args[0]), anyOf(n.args[1])
	return func(e *eval) (*schema.Value, bool) {
		of, ok := list(e)
		if !ok {
			return nil, false
		}
		elems, ok := e.take(n, of.Len())
		for i := 0; ok && i < len(elems); i++ {
			e.vars[n.column] = e.elementAt(of, i, n.view)
			elems[i], ok = e.compute(n.args[1], body)
		}
		return e.newList(n, elems), ok
	}
}

// filtered compiles a.filter(x, b). The numbers of an Array stay an Array.
func filtered(n *node) valueFn {
	list, body := listOf(n.args[0]), boolOf(n.args[1])
	return func(e *eval) (*schema.Value, bool) {
		of, ok := list(e)
		if !ok {
			return nil, false
		}
		elems, ok := e.take(n, of.Len())
		if !ok {
			return nil, false
		}
		kept := elems[:0]
		for i := range elems {
			v := e.elementAt(of, i, n.view)
			e.vars[n.column] = v
			is, ok := body(e)
			switch {
			case !ok:
				return nil, false
			case is && v.Kind == schema.Missing:
				kept = append(kept, schema.Value{})
			case is:
				kept = append(kept, *v)
			}
		}
		if of.Kind == schema.Array {
			return e.newArray(n, of.Elem, kept)
		}
		return e.newList(n, kept), true
	}
}

// newArray returns an Array of numbers that are Arrays of one number each.
func (e *eval) newArray(n *node, elem schema.Type, numbers []schema.Value) (*schema.Value, bool) {
	if !e.room(n, len(numbers)*elem.Size()) {
		return nil, false
	}
	start := len(e.made)
	for i := range numbers {
		e.made = append(e.made, numbers[i].Text...)
	}
	v := &e.stored[n.slot]
	*v = schema.Value{Kind: schema.Array, Elem: elem, Text: e.since(start)}
	return v, true
}

// searched compiles a.exists(x, b) and a.all(x, b), which end at the first element for which b is
// decisive.
func searched(n *node) boolFn {
	list, body, decisive := listOf(n.args[0]), boolOf(n.args[1]), n.op == opExists
	return func(e *eval) (bool, bool) {
		of, ok := list(e)
		if !ok {
			return false, false
		}
		for i := range of.Len() {
			if !e.step(n, 1) {
				return false, false
			}
			e.vars[n.column] = e.elementAt(of, i, n.view)
			if is, ok := body(e); !ok || is == decisive {
				return is, ok
			}
		}
		return !decisive, true
	}
}

// split compiles split.
func split(n *node) valueFn {
	text, separator := textOf(n.args[0]), textOf(n.args[1])
	return func(e *eval) (*schema.Value, bool) {
		x, ok := text(e)
		if !ok {
			return nil, false
		}
		by, ok := separator(e)
		if !ok {
			return nil, false
		}
		if len(by) == 0 {
			e.fail(n.args[1], codeDomain, "an empty separator")
			return nil, false
		}
		parts, ok := e.take(n, bytes.Count(x, by)+1)
		for i := range parts {
			var part []byte
			part, x, _ = bytes.Cut(x, by)
			parts[i] = schema.Value{Kind: schema.String, Text: part}
		}
		return e.newList(n, parts), ok
	}
}

// zip compiles zip.
func zip(n *node) valueFn {
	first, second := listOf(n.args[0]), listOf(n.args[1])
	return func(e *eval) (*schema.Value, bool) {
		a, ok := first(e)
		if !ok {
			return nil, false
		}
		b, ok := second(e)
		if !ok {
			return nil, false
		}
		count := a.Len()
		if count != b.Len() {
			e.fail(n, codeDomain, "zip takes lists of one length, found "+describe(a)+" and "+describe(b))
			return nil, false
		}
		elems, ok := e.take(n, 3*count) // the pairs, then the elements of each
		if !ok {
			return nil, false
		}
		pairs, rest := elems[:count:count], elems[count:]
		for i := range pairs {
			pair := rest[2*i : 2*i+2 : 2*i+2]
			if pair[0], ok = e.copyElement(n, a, i); !ok {
				return nil, false
			}
			if pair[1], ok = e.copyElement(n, b, i); !ok {
				return nil, false
			}
			pairs[i] = schema.Value{Kind: schema.List, List: pair}
		}
		return e.newList(n, pairs), true
	}
}

// copyElement returns an element of a list as a value of another list.
func (e *eval) copyElement(n *node, of *schema.Value, i int) (schema.Value, bool) {
	v := e.elementAt(of, i, n.view)
	switch {
	case v.Kind == schema.Missing:
		return schema.Value{}, true
	case of.Kind == schema.List:
		return *v, true
	}
	d, ok := e.toDatum(n, v)
	if !ok {
		return schema.Value{}, false
	}
	return e.toValue(n, &d)
}
