package expr

import (
	"bytes"
	"math"

	"tfr-build/schema"
)

// outcomes is a set of results of a comparison: less, equal, more.
type outcomes uint8

const (
	less outcomes = 1 << iota
	same
	more
)

// accepted returns the outcomes for which an operator is true.
func (o op) accepted() outcomes {
	switch o {
	case opLess:
		return less
	case opAtMost:
		return less | same
	case opMore:
		return more
	case opAtLeast:
		return more | same
	case opUnequal:
		return less | more
	}
	return same
}

// has reports whether c, the result -1, 0, or 1 of a comparison, is in o.
func (o outcomes) has(c int) bool { return o>>(c+1)&1 != 0 }

// compare compares numbers exactly, also an int with a float. It returns -1, 0, or 1.
func (x num) compare(y num) int {
	switch {
	case !x.isFloat && !y.isFloat:
		return compareOrdered(x.int, y.int)
	case x.isFloat && y.isFloat:
		return compareOrdered(x.float, y.float)
	case x.isFloat:
		return -compareMixed(y.int, x.float)
	}
	return compareMixed(x.int, y.float)
}

// compareOrdered returns -1 if x < y, 1 if x > y, and otherwise 0.
func compareOrdered[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// compareMixed compares an int with a float, without rounding either.
func compareMixed(x int64, y float64) int {
	switch {
	case y >= 1<<63:
		return -1
	case y < -1<<63:
		return 1
	}
	whole := math.Trunc(y)
	if c := compareOrdered(x, int64(whole)); c != 0 {
		return c
	}
	return compareOrdered(whole, y)
}

// order compiles <, <=, >, and >=, for numbers, or for strings by their bytes.
func order(n *node) boolFn {
	a, b := n.args[0].kinds, n.args[1].kinds
	switch {
	case a&likeNumber == 0 || b&likeNumber == 0:
		return orderTexts(n)
	case a&isText == 0 && b&isText == 0 || a&^isMissing&^numeric == 0 || b&^isMissing&^numeric == 0:
		return orderNumbers(n)
	}
	return orderAny(n)
}

func orderNumbers(n *node) boolFn {
	accepted := n.op.accepted()
	return binaryFn(numOf(n.args[0]), numOf(n.args[1]), func(_ *eval, x, y num) (bool, bool) { return accepted.has(x.compare(y)), true })
}

// isNumber reports whether n is a literal number.
func (n *node) isNumber() bool { return n.op == opInt || n.op == opFloat }

// literalNum returns the value of a literal number.
func (n *node) literalNum() num { return num{n.int, n.float, n.op == opFloat} }

func orderTexts(n *node) boolFn {
	accepted := n.op.accepted()
	return binaryFn(textOf(n.args[0]), textOf(n.args[1]), func(_ *eval, x, y []byte) (bool, bool) { return accepted.has(bytes.Compare(x, y)), true })
}

// orderAny is order for kinds that differ between rows. It compares strings if one of the values is
// a JSON string or a computed string, and otherwise numbers.
func orderAny(n *node) boolFn {
	accepted := n.op.accepted()
	return binaryFn(numberOrText(n.args[0]), anyOf(n.args[1]), func(e *eval, x, y datum) (bool, bool) {
		c, ok := orderOf(e, n, &x, &y)
		return ok && accepted.has(c), ok
	})
}

func orderOf(e *eval, n *node, x, y *datum) (int, bool) {
	if x.is == isText || y.is == isText {
		v, ok := e.datumText(n.args[0], x)
		if !ok {
			return 0, false
		}
		w, ok := e.datumText(n.args[1], y)
		return bytes.Compare(v, w), ok
	}
	v, ok := e.datumNum(n.args[0], x)
	if !ok {
		return 0, false
	}
	w, ok := e.datumNum(n.args[1], y)
	return v.compare(w), ok
}

// equal compiles == and !=, whose values may be missing.
func equal(n *node) boolFn {
	a, b := n.args[0], n.args[1]
	expected := n.op == opEqual
	switch {
	case (a.kinds|b.kinds)&^numeric == 0:
		return orderNumbers(n)
	case a.kinds == isText && b.kinds == isText:
		return orderTexts(n)
	case a.op == opColumn && !a.inLoop && b.op == opText:
		return equalText(a, b.text, expected)
	case a.op == opColumn && !a.inLoop && b.isNumber():
		return equalNumber(a, b.literalNum(), n)
	}
	return binaryFn(anyOf(a), anyOf(b), func(e *eval, x, y datum) (bool, bool) {
		is, ok := equals(e, n, a, b, &x, &y)
		return is == expected, ok
	})
}

// equalText compares a column with a literal string.
func equalText(a *node, text string, expected bool) boolFn {
	return func(e *eval) (bool, bool) {
		v := e.value(a.column)
		if v.Kind == schema.Missing {
			return !expected, true
		}
		x, ok := e.toText(a, v)
		return (string(x) == text) == expected, ok
	}
}

// equalNumber compares a column with a literal number.
func equalNumber(a *node, y num, n *node) boolFn {
	accepted := n.op.accepted()
	return func(e *eval) (bool, bool) {
		v := e.value(a.column)
		if v.Kind == schema.Missing {
			return n.op == opUnequal, true
		}
		x, ok := e.toNum(a, v)
		return ok && accepted.has(x.compare(y)), ok
	}
}

// equals reports whether x and y are equal, the values of the nodes a and b. An untyped value is
// converted to the kind of the other one; two untyped values are compared as strings. ok is false
// if they cannot be compared.
func equals(e *eval, n, a, b *node, x, y *datum) (is, ok bool) {
	switch {
	case x.is == isMissing || y.is == isMissing:
		return x.is == y.is, true
	case x.is&likeText != 0 && y.is&likeText != 0:
		return bytes.Equal(x.text, y.text), true
	case x.is&likeNumber != 0 && y.is&likeNumber != 0:
		v, ok := e.datumNum(a, x)
		if !ok {
			return false, false
		}
		w, ok := e.datumNum(b, y)
		return ok && v.compare(w) == 0, ok
	case x.is&likeBool != 0 && y.is&likeBool != 0:
		v, ok := e.datumBool(a, x)
		if !ok {
			return false, false
		}
		w, ok := e.datumBool(b, y)
		return v == w, ok
	}
	e.fail(n, codeType, "found "+x.describe()+" and "+y.describe()+"; "+n.operatorName()+" compares values of one kind")
	return false, false
}
