package expr

import (
	"math"
	"math/bits"
)

// failOverflow records that a result is out of range.
func (e *eval) failOverflow(n *node) num {
	e.fail(n, codeOverflow, "the result is beyond what an int64 or a float64 holds", "")
	return num{}
}

// negate computes -a.
func (e *eval) negate(n *node) num {
	x := e.num(n.args[0])
	if !x.isFloat && x.int == math.MinInt64 {
		return e.failOverflow(n)
	}
	return num{-x.int, -x.float, x.isFloat}
}

// add computes a + b: of two numbers, or of two values of which one is a string.
func (e *eval) add(n *node) datum {
	a, b := n.args[0], n.args[1]
	switch {
	case n.kinds&isText == 0:
		return numberOf(e.arithmetic(n))
	case n.kinds == isText:
		x := e.text(a) // before b, which may build a string, too
		return textOf(e.concat(n, x, e.text(b)))
	}
	x, y := e.numberOrText(a), e.compute(b)
	if x.is == isText || y.is == isText {
		return textOf(e.concat(n, e.datumText(a, &x), e.datumText(b, &y)))
	}
	v := e.datumNum(a, &x)
	return numberOf(e.computeNums(n, v, e.datumNum(b, &y)))
}

// arithmetic computes +, -, *, or / of two numbers.
func (e *eval) arithmetic(n *node) num {
	x := e.num(n.args[0])
	return e.computeNums(n, x, e.num(n.args[1]))
}

// computeNums computes an operation. The result is an int for two ints, except of /, and otherwise a
// float. The conversions to float64 round each result, and prevent a fused multiplication and addition,
// which gives another number.
func (e *eval) computeNums(n *node, x, y num) num {
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
		z, fits = multiply(x.int, y.int)
	case opRemainder:
		if y.int == 0 {
			return e.failDivision(n)
		}
		z = x.int % y.int
	}
	if !fits {
		return e.failOverflow(n)
	}
	return num{int: z}
}

func (e *eval) computeFloats(n *node, x, y float64) num {
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
	return num{float: z, isFloat: true}
}

// multiply returns x times y, and whether an int64 holds it.
func multiply(x, y int64) (int64, bool) {
	z := x * y
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	most := uint64(math.MaxInt64)
	if (x < 0) != (y < 0) {
		most++
	}
	return z, high == 0 && low <= most
}

// magnitude returns the absolute value of x.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (e *eval) failDivision(n *node) num {
	e.fail(n, codeDivision, "a division by zero", "")
	return num{}
}

// numberOrText computes the left operand of an operator on two numbers or two strings. A value that is neither
// fails before the right operand is computed.
func (e *eval) numberOrText(n *node) datum {
	d := e.compute(n)
	if d.is&(isMissing|isBool|isList) != 0 {
		e.failKind(n, &d, "a number or a string")
	}
	return d
}
