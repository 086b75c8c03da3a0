package expr

import (
	"bytes"
	"cmp"
	"math"

	"tfr-build/schema"
)

// Compare returns -1, 0, or 1 if x is less than y, equal, or more. It compares an int64 with a float64
// without rounding.
func (x Number) Compare(y Number) int {
	switch {
	case !x.isFloat && !y.isFloat:
		return cmp.Compare(x.int, y.int)
	case x.isFloat && y.isFloat:
		return cmp.Compare(x.float, y.float)
	case x.isFloat:
		return -compareMixed(y.int, x.float)
	}
	return compareMixed(x.int, y.float)
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
	if c := cmp.Compare(x, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, y)
}

// literalNum returns the value of a literal number.
func (n *node) literalNum() Number { return Number{n.int, n.float, n.op == opFloat} }

// A comparison tells how an operation takes two numbers or two strings.
type comparison uint8

const (
	byKinds   comparison = iota // by the kinds that they have in the row
	asNumbers                   // always as numbers
	asTexts                     // always as strings
)

// operands computes the arguments of + or of an order byKinds: as strings if one of them is a JSON string or a
// computed string, and otherwise as numbers.
func (e *eval) operands(n *node) (x, y datum) {
	a, b := n.args[0], n.args[1]
	if x = e.compute(a); x.is&(isMissing|isBool|isList) != 0 {
		e.failKind(a, x, "a number or a string")
	}
	if y = e.compute(b); x.is == isText || y.is == isText {
		return textOf(e.toText(a, x)), textOf(e.toText(b, y))
	}
	return numberOf(e.toNum(a, x)), numberOf(e.toNum(b, y))
}

// order compares the arguments of n: numbers, or strings by their bytes.
func (e *eval) order(n *node) int {
	switch n.by {
	case asNumbers:
		x := e.num(n.args[0]) // before the other one: the first error of the row is reported
		return x.Compare(e.num(n.args[1]))
	case asTexts:
		return bytes.Compare(e.text(n.args[0]), e.text(n.args[1]))
	}
	x, y := e.operands(n)
	if x.is == isText {
		return bytes.Compare(x.text, y.text)
	}
	return x.num.Compare(y.num)
}

// equal reports whether the arguments of n are equal. They may be missing.
func (e *eval) equal(n *node) bool {
	a, b := n.args[0], n.args[1]
	if n.texts == nil && n.nums == nil {
		x, y := e.compute(a), e.compute(b)
		return e.equals(n, a, b, x, y)
	}
	switch v := e.read(a); {
	case v.Kind == schema.Missing:
		return false
	case n.texts != nil:
		return n.hasText(e.readText(a, v))
	default:
		return n.hasNumber(e.readNum(a, v))
	}
}

// equals reports whether x and y are equal, the values of the nodes a and b. Values of different kinds
// are an error.
func (e *eval) equals(n, a, b *node, x, y datum) bool {
	is, ok := areEqual(x, y)
	if ok {
		return is
	}
	switch {
	case x.is&likeNumber != 0 && y.is&likeNumber != 0:
		e.toNum(a, x)
		e.toNum(b, y)
	case x.is&likeBool != 0 && y.is&likeBool != 0:
		e.toBool(a, x)
		e.toBool(b, y)
	default:
		found := "found " + x.describe() + " and " + y.describe()
		e.fail(n, codeType, found+"; "+n.operator()+" compares values of one kind", "")
	}
	return false
}

// areEqual reports whether x and y are equal, and whether they can be compared. An untyped value is
// converted to the kind of the other one; two untyped values are compared as strings.
func areEqual(x, y datum) (is, ok bool) {
	switch {
	case x.is == isMissing || y.is == isMissing:
		return x.is == y.is, true
	case x.is&likeText != 0 && y.is&likeText != 0:
		return bytes.Equal(x.text, y.text), true
	case x.is&likeNumber != 0 && y.is&likeNumber != 0:
		v, isNumber := x.number()
		w, ok := y.number()
		return isNumber && ok && v.Compare(w) == 0, isNumber && ok
	case x.is&likeBool != 0 && y.is&likeBool != 0:
		v, isBool := x.truth()
		w, ok := y.truth()
		return isBool && ok && v == w, isBool && ok
	}
	return false, false
}
