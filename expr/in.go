package expr

import (
	"slices"

	"tfr-build/schema"
)

// A literals is the values of a list of literals in brackets, strings or numbers.
type literals struct {
	texts map[string]bool // nil for numbers
	ints  map[int64]bool  // nil unless all numbers are ints
}

// setIn prepares the search in a list of literals.
func (n *node) setIn() {
	list := n.args[1]
	switch {
	case list.op != opList || len(list.args) == 0:
	case allLiterals(list, opText, opText):
		n.literals = &literals{texts: map[string]bool{}}
		for _, a := range list.args {
			n.literals.texts[a.text] = true
		}
	case allLiterals(list, opInt, opFloat):
		n.literals = &literals{}
		if allLiterals(list, opInt, opInt) {
			n.literals.ints = map[int64]bool{}
		}
		for _, a := range list.args {
			if n.literals.ints != nil {
				n.literals.ints[a.int] = true
			}
		}
	}
}

// allLiterals reports whether all values of a list are literals of these kinds.
func allLiterals(list *node, a, b op) bool {
	return !slices.ContainsFunc(list.args, func(n *node) bool { return n.op != a && n.op != b })
}

// in computes x in list.
func (e *eval) in(n *node) bool {
	x, list := n.args[0], n.args[1]
	switch {
	case n.literals != nil && n.literals.texts != nil:
		return n.literals.texts[string(e.text(x))]
	case n.literals != nil:
		return n.literals.hasNum(list, e.num(x))
	}
	v := e.compute(x)
	if v.is&(isMissing|isList) != 0 {
		e.failKind(x, &v, "a number, a string, or a bool")
		return false
	}
	if list.op != opList {
		return e.inList(n, &v, e.list(list))
	}
	for _, a := range list.args {
		w := e.compute(a)
		if e.equals(n, x, a, &v, &w) || e.err != nil {
			return true
		}
	}
	return false
}

// inList searches a list that is not in brackets.
func (e *eval) inList(n *node, v *datum, of *schema.Value) bool {
	switch {
	case n.inLoop && !e.step(n, of.Len()):
		return false
	case of.Kind == schema.Array:
		return e.inArray(n, v, of)
	}
	return slices.ContainsFunc(of.List, func(elem schema.Value) bool { return equalsElement(v, &elem) })
}

func (l *literals) hasNum(list *node, v num) bool {
	if l.ints != nil {
		if v.isFloat && compareMixed(int64(clamp(v.float)), v.float) == 0 {
			v = num{int: int64(v.float)}
		}
		return !v.isFloat && l.ints[v.int]
	}
	for _, a := range list.args {
		if v.compare(a.literalNum()) == 0 {
			return true
		}
	}
	return false
}

// clamp returns x, or 0 if an int64 cannot hold it.
func clamp(x float64) float64 {
	if x >= -1<<63 && x < 1<<63 {
		return x
	}
	return 0
}

// equalsElement reports whether x equals an element of a list. Values of different kinds are not
// equal.
func equalsElement(x *datum, elem *schema.Value) bool {
	switch elem.Kind {
	case schema.Text:
		return x.is&likeText != 0 && string(x.text) == string(elem.Text) || x.is&numeric != 0 && isNum(elem.Text, x.num) ||
			x.is == isBool && isTruth(elem.Text, x.num.int != 0)
	case schema.String:
		return x.is&likeText != 0 && string(x.text) == string(elem.Text)
	case schema.Number:
		return x.is&numeric != 0 && isNum(elem.Text, x.num) || x.is == isCell && sameNumbers(x.text, elem.Text)
	case schema.Bool:
		truth, _ := schema.ReadBool(elem.Text)
		return x.is == isBool && truth == (x.num.int != 0) || x.is == isCell && isTruth(x.text, truth)
	}
	return false
}

// isTruth reports whether text is the bool x.
func isTruth(text []byte, x bool) bool {
	y, ok := schema.ReadBool(text)
	return ok && x == y
}

// isNum reports whether text is the number x.
func isNum(text []byte, x num) bool {
	y, ok := readNum(text)
	return ok && x.compare(y) == 0
}

func sameNumbers(a, b []byte) bool {
	x, ok := readNum(a)
	return ok && isNum(b, x)
}

func readNum(text []byte) (x num, ok bool) {
	x.int, x.float, x.isFloat, ok = schema.ReadNumber(text)
	return x, ok
}

// inArray searches an Array for a number.
func (e *eval) inArray(n *node, x *datum, of *schema.Value) bool {
	v := e.datumNum(n.args[0], x)
	for i := range of.Len() {
		var y num
		y.int, y.float, y.isFloat = of.NumberAt(i)
		if y.float-y.float == 0 && v.compare(y) == 0 {
			return true
		}
	}
	return false
}
