package expr

import (
	"tfr-build/schema"
)

// few is how many values are faster to compare with than to hash.
const few = 8

// in computes x in list.
func in(n *node) boolFn {
	list := n.args[1]
	switch {
	case list.op != opList:
		return inAny(n)
	case len(list.args) > 0 && all(list, opText):
		return inTexts(n)
	case len(list.args) > 0 && all(list, opInt, opFloat):
		return inNumbers(n)
	}
	return inValues(n)
}

// all says whether the values of a list are literals of these kinds.
func all(list *node, ops ...op) bool {
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

// inTexts looks for a text among those that are written there.
func inTexts(n *node) boolFn {
	x := textOf(n.args[0])
	texts, set := []string{}, map[string]bool{}
	for _, a := range n.args[1].args {
		texts = append(texts, a.text)
		set[a.text] = true
	}
	if len(texts) > few {
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

// inNumbers looks for a number among those that are written there.
func inNumbers(n *node) boolFn {
	x := numOf(n.args[0])
	values, set := []num{}, map[int64]bool{}
	for _, a := range n.args[1].args {
		values = append(values, a.literalNum())
		set[a.int] = true
	}
	if len(values) > few && all(n.args[1], opInt) {
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

// clamp is x, or 0 where no int64 holds it.
func clamp(x float64) float64 {
	if x >= -1<<63 && x < 1<<63 {
		return x
	}
	return 0
}

// inValues looks for a value among others that are computed.
func inValues(n *node) boolFn {
	x, list := anyOf(n.args[0]), n.args[1].args
	values := make([]anyFn, len(list))
	for i, a := range list {
		values[i] = anyOf(a)
	}
	return func(e *eval) (bool, bool) {
		v, ok := there(e, n.args[0], x)
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

// there computes a value that may be looked for: it is not missing, and no list.
func there(e *eval, n *node, x anyFn) (datum, bool) {
	d, ok := x(e)
	if ok && d.is&(isMissing|isList) != 0 {
		return d, e.notKind(n, &d, "a number, a text or a bool")
	}
	return d, ok
}

// inAny looks for a value in the list of a column.
func inAny(n *node) boolFn {
	x, list := anyOf(n.args[0]), listOf(n.args[1])
	return func(e *eval) (bool, bool) {
		v, ok := there(e, n.args[0], x)
		if !ok {
			return false, false
		}
		of, ok := list(e)
		if !ok {
			return false, false
		}
		if of.Kind == schema.Array {
			return inArray(e, n, &v, of)
		}
		for i := range of.List {
			if holds(&v, &of.List[i]) {
				return true, true
			}
		}
		return false, true
	}
}

// holds reports whether an element of a list is x. One of another kind is not.
func holds(x *datum, elem *schema.Value) bool {
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

// isTruth reports whether a text is that bool.
func isTruth(text []byte, x bool) bool {
	y, ok := schema.ReadBool(text)
	return ok && x == y
}

// isNum reports whether a text is that number.
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

// inArray looks for a number in an array.
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

// listOf computes a node as the list of a column.
func listOf(n *node) func(e *eval) (*schema.Value, bool) {
	x := anyOf(n)
	return func(e *eval) (*schema.Value, bool) {
		d, ok := x(e)
		switch {
		case !ok:
			return nil, false
		case d.value != nil && (d.value.Kind == schema.List || d.value.Kind == schema.Array):
			return d.value, true
		}
		return nil, e.notKind(n, &d, "a list")
	}
}
