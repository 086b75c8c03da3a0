package expr

import (
	"bytes"
	"math"

	"tfr-build/schema"
)

// outcomes are what a comparison may come to, as a set: the first is less, equal, or
// more.
type outcomes uint8

const (
	less outcomes = 1 << iota
	same
	more
)

// accepted are the outcomes for which an operator is true.
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

// has reports whether a comparison, which gave -1, 0 or 1, is one of o.
func (o outcomes) has(c int) bool { return o>>(c+1)&1 != 0 }

// compare compares numbers exactly, whatever their types.
func (x num) compare(y num) int {
	switch {
	case !x.isFloat && !y.isFloat:
		return comparison(x.int, y.int)
	case x.isFloat && y.isFloat:
		return comparison(x.float, y.float)
	case x.isFloat:
		return -compareMixed(y.int, x.float)
	}
	return compareMixed(x.int, y.float)
}

// comparison is -1, 0 or 1, as x is less than y, neither, or more.
func comparison[T int64 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// compareMixed compares an int with a float, neither of which is rounded for it.
func compareMixed(x int64, y float64) int {
	switch {
	case y >= 1<<63:
		return -1
	case y < -1<<63:
		return 1
	}
	whole := math.Trunc(y)
	if c := comparison(x, int64(whole)); c != 0 {
		return c
	}
	return comparison(whole, y)
}

// order computes a < b and its like: of numbers, or of texts by their bytes.
func order(n *node) boolFn {
	a, b := n.args[0].kinds, n.args[1].kinds
	switch {
	case a&likeNumber == 0 || b&likeNumber == 0:
		return orderTexts(n)
	case a&^isMissing == isInt && b&^isMissing == isInt:
		return orderInts(n)
	case a&isText == 0 && b&isText == 0 || a&^isMissing&^numeric == 0 || b&^isMissing&^numeric == 0:
		return orderNumbers(n)
	}
	return orderAny(n)
}

func orderInts(n *node) boolFn {
	accepted := n.op.accepted()
	return inTurn(intOf(n.args[0]), intOf(n.args[1]), func(_ *eval, x, y int64) (bool, bool) { return accepted.has(comparison(x, y)), true })
}

func orderNumbers(n *node) boolFn {
	if n.args[0].op == opColumn && n.args[1].isNumber() {
		return orderColumn(n)
	}
	accepted := n.op.accepted()
	return inTurn(numOf(n.args[0]), numOf(n.args[1]), func(_ *eval, x, y num) (bool, bool) { return accepted.has(x.compare(y)), true })
}

// isNumber says whether n is a number as it is written.
func (n *node) isNumber() bool { return n.op == opInt || n.op == opFloat }

// literalNum is the number that n is.
func (n *node) literalNum() num { return num{n.int, n.float, n.op == opFloat} }

// orderColumn compares a column with a number that is written there.
func orderColumn(n *node) boolFn {
	a, y, accepted := n.args[0], n.args[1].literalNum(), n.op.accepted()
	return func(e *eval) (bool, bool) {
		x, ok := e.columnNum(a)
		return ok && accepted.has(x.compare(y)), ok
	}
}

func orderTexts(n *node) boolFn {
	accepted := n.op.accepted()
	return inTurn(textOf(n.args[0]), textOf(n.args[1]), func(_ *eval, x, y []byte) (bool, bool) { return accepted.has(bytes.Compare(x, y)), true })
}

// orderAny is order where only the row tells what there is: texts, if one of the two
// is a text that is one; else numbers.
func orderAny(n *node) boolFn {
	accepted := n.op.accepted()
	return inTurn(anyOf(n.args[0]), anyOf(n.args[1]), func(e *eval, x, y datum) (bool, bool) {
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

// equal computes a == b and a != b, of values that may be missing.
func equal(n *node) boolFn {
	a, b := n.args[0], n.args[1]
	wanted := n.op == opEqual
	switch {
	case (a.kinds|b.kinds)&^numeric == 0:
		return orderNumbers(n)
	case a.kinds == isText && b.kinds == isText:
		return orderTexts(n)
	case a.op == opColumn && b.op == opText:
		return equalText(a, b.text, wanted)
	case a.op == opColumn && b.isNumber():
		return equalNumber(a, b.literalNum(), n)
	}
	return inTurn(anyOf(a), anyOf(b), func(e *eval, x, y datum) (bool, bool) {
		is, ok := equals(e, n, a, b, &x, &y)
		return is == wanted, ok
	})
}

// equalText compares a column with a text that is written there.
func equalText(a *node, text string, wanted bool) boolFn {
	return func(e *eval) (bool, bool) {
		v := e.value(a.column)
		if v.Kind == schema.Missing {
			return !wanted, true
		}
		x, ok := e.toText(a, v)
		return (string(x) == text) == wanted, ok
	}
}

// equalNumber compares a column with a number that is written there.
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

// equals reports whether two values are equal, which stand for the nodes a and b of
// n. What has no type becomes what the other one is; two such are texts.
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
