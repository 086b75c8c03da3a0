package expr

import "math"

// failOverflow records that a result is out of range.
func (e *eval) failOverflow(n *node) Number {
	e.fail(n, codeOverflow, "the result is beyond what an int64 or a float64 holds", "")
	return Number{}
}

// negate computes -a.
func (e *eval) negate(n *node) Number {
	x := e.num(n.args[0])
	if !x.isFloat && x.int == math.MinInt64 {
		return e.failOverflow(n)
	}
	return Number{-x.int, -x.float, x.isFloat}
}

// add computes a + b: of two numbers, or of two strings.
func (e *eval) add(n *node) datum {
	switch n.by {
	case asNumbers:
		return numberOf(e.arithmetic(n))
	case asTexts:
		x := e.text(n.args[0]) // before the other one, which may build a string, too
		return textOf(e.concat(n, x, e.text(n.args[1])))
	}
	x, y := e.operands(n)
	if x.is == isText {
		return textOf(e.concat(n, x.text, y.text))
	}
	return numberOf(e.computeNums(n, x.num, y.num))
}

// arithmetic computes +, -, *, or / of two numbers.
func (e *eval) arithmetic(n *node) Number {
	x := e.num(n.args[0])
	return e.computeNums(n, x, e.num(n.args[1]))
}

// computeNums computes an operation. The result is an int for two ints, except of /, and otherwise a
// float. The conversions to float64 round each result, and prevent a fused multiplication and addition,
// which gives another number.
func (e *eval) computeNums(n *node, x, y Number) Number {
	if x.isFloat || y.isFloat || n.op == opDivide {
		return e.computeFloats(n, x.asFloat(), y.asFloat())
	}
	z, fits := int64(0), true
	switch n.op {
	case opAdd:
		z = x.int + y.int
		fits = (x.int^z)&(y.int^z) >= 0
	case opSubtract:
		z = x.int - y.int
		fits = (x.int^y.int)&(x.int^z) >= 0
	case opMultiply:
		z = x.int * y.int
		fits = x.int == 0 || z/x.int == y.int && !(x.int == -1 && y.int == math.MinInt64)
	case opRemainder:
		if y.int == 0 {
			return e.failDivision(n)
		}
		z = x.int % y.int
	}
	if !fits {
		return e.failOverflow(n)
	}
	return Number{int: z}
}

func (e *eval) computeFloats(n *node, x, y float64) Number {
	var z float64
	switch n.op {
	case opAdd:
		z = float64(x + y)
	case opSubtract:
		z = float64(x - y)
	case opMultiply:
		z = float64(x * y)
	case opDivide:
		if y == 0 {
			return e.failDivision(n)
		}
		z = float64(x / y)
	}
	if z-z != 0 {
		return e.failOverflow(n)
	}
	return Number{float: z, isFloat: true}
}

func (e *eval) failDivision(n *node) Number {
	e.fail(n, codeDivision, "a division by zero", "")
	return Number{}
}
