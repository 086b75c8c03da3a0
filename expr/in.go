package expr

import (
	"tfr-build/schema"
)

// maxLinear is the number of values up to which a linear search is faster than hashing.
const maxLinear = 8

// in compiles x in list.
func in(n *node) boolFn {
	list := n.args[1]
	switch {
	case list.op != opList:
		return inAny(n)
	case len(list.args) > 0 && allLiterals(list, opText):
		return inTexts(n)
	case len(list.args) > 0 && allLiterals(list, opInt, opFloat):
		return inNumbers(n)
	}
	return inValues(n)
}

// allLiterals reports whether all values of a list are literals of these kinds.
func allLiterals(list *node, ops ...op) bool {
	for _, a := range list.args {
		is := false
		for _, o := range ops {
			is = is || a.op == o
		}
		if !is {
			return false
		}
	}
	return true
}

// inTexts searches literal strings.
func inTexts(n *node) boolFn {
	x := textOf(n.args[0])
	texts, set := []string{}, map[string]bool{}
	for _, a := range n.args[1].args {
		texts = append(texts, a.text)
		set[a.text] = true
	}
	if len(texts) > maxLinear {
		return func(e *eval) (bool, bool) {
			v, ok := x(e)
			return ok && set[string(v)], ok
		}
	}
	return func(e *eval) (bool, bool) {
		v, ok := x(e)
		for _, text := range texts {
			if string(v) == text {
				return ok, ok
			}
		}
		return false, ok
	}
}

// inNumbers searches literal numbers.
func inNumbers(n *node) boolFn {
	x := numOf(n.args[0])
	values, set := []num{}, map[int64]bool{}
	for _, a := range n.args[1].args {
		values = append(values, a.literalNum())
		set[a.int] = true
	}
	if len(values) > maxLinear && allLiterals(n.args[1], opInt) {
		return func(e *eval) (bool, bool) {
			v, ok := x(e)
			if v.isFloat && compareMixed(int64(clamp(v.float)), v.float) == 0 {
				v = num{int: int64(v.float)}
			}
			return ok && !v.isFloat && set[v.int], ok
		}
	}
	return func(e *eval) (bool, bool) {
		v, ok := x(e)
		for _, y := range values {
			if v.compare(y) == 0 {
				return ok, ok
			}
		}
		return false, ok
	}
}

// clamp returns x, or 0 if an int64 cannot hold it.
func clamp(x float64) float64 {
	if x >= -1<<63 && x < 1<<63 {
		return x
	}
	return 0
}

// inValues searches computed values.
func inValues(n *node) boolFn {
	x, list := anyOf(n.args[0]), n.args[1].args
	values := make([]anyFn, len(list))
	for i, a := range list {
		values[i] = anyOf(a)
	}
	return func(e *eval) (bool, bool) {
		v, ok := searchedValue(e, n.args[0], x)
		if !ok {
			return false, false
		}
		for i, value := range values {
			w, ok := value(e)
			if !ok {
				return false, false
			}
			if is, ok := equals(e, n, n.args[0], list[i], &v, &w); is || !ok {
				return is, ok
			}
		}
		return false, true
	}
}

// searchedValue computes the value to search for, which must not be missing or a list.
func searchedValue(e *eval, n *node, x anyFn) (datum, bool) {
	d, ok := x(e)
	if ok && d.is&(isMissing|isList) != 0 {
		return d, e.failKind(n, &d, "a number, a string, or a bool")
	}
	return d, ok
}

// inAny searches a list that is not in brackets.
func inAny(n *node) boolFn {
	x, list := anyOf(n.args[0]), listOf(n.args[1])
	return func(e *eval) (bool, bool) {
		v, ok := searchedValue(e, n.args[0], x)
		if !ok {
			return false, false
		}
		of, ok := list(e)
		if !ok || n.inLoop && !e.step(n, of.Len()) {
			return false, false
		}
		if of.Kind == schema.Array {
			return inArray(e, n, &v, of)
		}
		for i := range of.List {
			if equalsElement(&v, &of.List[i]) {
				return true, true
			}
		}
		return false, true
	}
}

// equalsElement reports whether x equals an element of a list. Values of different kinds are not
// equal.
func equalsElement(x *datum, elem *schema.Value) bool {
	switch elem.Kind {
	case schema.Text:
		return x.is&likeText != 0 && string(x.text) == string(elem.Text) || x.is&numeric != 0 && isNum(elem.Text, x.num) || x.is == isBool && isTruth(elem.Text, x.num.int != 0)
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
func inArray(e *eval, n *node, x *datum, of *schema.Value) (is, ok bool) {
	v, ok := e.datumNum(n.args[0], x)
	if !ok {
		return false, false
	}
	for i := range of.Len() {
		var y num
		y.int, y.float, y.isFloat = of.NumberAt(i)
		if y.float-y.float == 0 && v.compare(y) == 0 {
			return true, true
		}
	}
	return false, true
}
