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

// literalNum returns the value of a literal number.
func (n *node) literalNum() num { return num{n.int, n.float, n.op == opFloat} }

// How two values are compared, where their kinds tell it.
type comparison uint8

const (
	byKinds     comparison = iota // by the kinds that they have in the row
	asNumbers                     // as numbers
	asTexts                       // as strings, by their bytes
	withLiteral                   // a column, which may be missing, with a literal number or string
)

// setOrder sets how n, one of <, <=, >, and >=, compares.
func (n *node) setOrder() {
	a, b := n.args[0].kinds, n.args[1].kinds
	switch {
	case a&likeNumber == 0 || b&likeNumber == 0:
		n.by = asTexts
	case a&isText == 0 && b&isText == 0 || a&^isMissing&^numeric == 0 || b&^isMissing&^numeric == 0:
		n.by = asNumbers
	}
}

// setEqual sets how n, == or !=, compares.
func (n *node) setEqual() {
	a, b := n.args[0], n.args[1]
	switch {
	case (a.kinds|b.kinds)&^numeric == 0:
		n.by = asNumbers
	case a.kinds == isText && b.kinds == isText:
		n.by = asTexts
	case a.op == opColumn && !a.inLoop && (b.op == opText || b.op == opInt || b.op == opFloat):
		n.by = withLiteral
	}
}

// order compares the arguments of n. It compares strings if one of them is a JSON string or a computed
// string, and otherwise numbers.
func (e *eval) order(n *node) int {
	a, b := n.args[0], n.args[1]
	switch n.by {
	case asNumbers:
		x := e.num(a) // before b: the first error of the row is reported
		return x.compare(e.num(b))
	case asTexts:
		return bytes.Compare(e.text(a), e.text(b))
	}
	x, y := e.numberOrText(a), e.compute(b)
	if x.is == isText || y.is == isText {
		return bytes.Compare(e.datumText(a, &x), e.datumText(b, &y))
	}
	v := e.datumNum(a, &x)
	return v.compare(e.datumNum(b, &y))
}

// equal reports whether the arguments of n are equal. They may be missing.
func (e *eval) equal(n *node) bool {
	switch n.by {
	case asNumbers, asTexts:
		return e.order(n) == 0
	case withLiteral:
		return e.equalsLiteral(n.args[0], n.args[1])
	}
	x, y := e.compute(n.args[0]), e.compute(n.args[1])
	return e.equals(n, n.args[0], n.args[1], &x, &y)
}

// equalsLiteral reports whether a column is equal to a literal number or string.
func (e *eval) equalsLiteral(a, literal *node) bool {
	v := e.value(a.column)
	switch {
	case v.Kind == schema.Missing:
		return false
	case literal.op == opText:
		return string(e.toText(a, v)) == literal.text
	}
	return e.toNum(a, v).compare(literal.literalNum()) == 0
}

// equals reports whether x and y are equal, the values of the nodes a and b. An untyped value is
// converted to the kind of the other one; two untyped values are compared as strings. Other values are
// an error.
func (e *eval) equals(n, a, b *node, x, y *datum) bool {
	switch {
	case x.is == isMissing || y.is == isMissing:
		return x.is == y.is
	case x.is&likeText != 0 && y.is&likeText != 0:
		return bytes.Equal(x.text, y.text)
	case x.is&likeNumber != 0 && y.is&likeNumber != 0:
		v := e.datumNum(a, x)
		return v.compare(e.datumNum(b, y)) == 0
	case x.is&likeBool != 0 && y.is&likeBool != 0:
		return e.datumBool(a, x) == e.datumBool(b, y)
	}
	e.fail(n, codeType, "found "+x.describe()+" and "+y.describe()+"; "+n.operatorName()+" compares values of one kind",
		"")
	return false
}
