package expr

import (
	"math"
	"math/bits"
)

// negate compiles -a.
func negate(n *node) numFn {
	a := numOf(n.args[0])
	return func(e *eval) (num, bool) {
		x, ok := a(e)
		if !x.isFloat && x.int == math.MinInt64 {
			return num{}, e.failOverflow(n)
		}
		return num{-x.int, -x.float, x.isFloat}, ok
	}
}

// failOverflow records that a result is out of range, and returns false.
func (e *eval) failOverflow(n *node) bool {
	e.fail(n, codeOverflow, "the result is beyond what an int64 or a float64 holds")
	return false
}

// intArithmetic compiles an operation on two ints.
func intArithmetic(n *node) intFn {
	op := n.op
	return binaryFn(intOf(n.args[0]), intOf(n.args[1]), func(e *eval, x, y int64) (int64, bool) { return computeInts(e, n, op, x, y) })
}

// computeInts computes an operation on two ints.
func computeInts(e *eval, n *node, op op, x, y int64) (int64, bool) {
	var z int64
	fits := true
	switch op {
	case opAdd:
		z = x + y
		fits = (x^z)&(y^z) >= 0
	case opSubtract:
		z = x - y
		fits = (x^y)&(x^z) >= 0
	case opMultiply:
		z, fits = multiply(x, y)
	case opRemainder:
		if y == 0 {
			return 0, e.failDivision(n)
		}
		z = x % y
	}
	if !fits {
		return 0, e.failOverflow(n)
	}
	return z, true
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

func (e *eval) failDivision(n *node) bool {
	e.fail(n, codeDivision, "a division by zero")
	return false
}

// floatArithmetic compiles an operation on two floats.
func floatArithmetic(n *node) floatFn {
	op := n.op
	return binaryFn(floatOf(n.args[0]), floatOf(n.args[1]), func(e *eval, x, y float64) (float64, bool) { return computeFloats(e, n, op, x, y) })
}

// computeFloats computes an operation on two floats. The conversions to float64 round each result,
// and prevent a fused multiplication and addition, which gives another number.
func computeFloats(e *eval, n *node, op op, x, y float64) (float64, bool) {
	var z float64
	switch op {
	case opAdd:
		z = float64(x + y)
	case opSubtract:
		z = float64(x - y)
	case opMultiply:
		z = float64(x * y)
	case opDivide:
		if y == 0 {
			return 0, e.failDivision(n)
		}
		z = float64(x / y)
	}
	if z-z != 0 {
		return 0, e.failOverflow(n)
	}
	return z, true
}

// numArithmetic compiles an operation on two numbers. The result is an int for two ints, and
// otherwise a float.
func numArithmetic(n *node) numFn {
	return binaryFn(numOf(n.args[0]), numOf(n.args[1]), func(e *eval, x, y num) (num, bool) { return computeNums(e, n, x, y) })
}

func computeNums(e *eval, n *node, x, y num) (num, bool) {
	if x.isFloat || y.isFloat {
		z, ok := computeFloats(e, n, n.op, x.asFloat(), y.asFloat())
		return num{float: z, isFloat: true}, ok
	}
	z, ok := computeInts(e, n, n.op, x.int, y.int)
	return num{int: z}, ok
}

// addAny compiles a + b for kinds that differ between rows. It joins the values if one of them is a
// string.
func addAny(n *node) anyFn {
	return binaryFn(numberOrText(n.args[0]), anyOf(n.args[1]), func(e *eval, x, y datum) (datum, bool) {
		if x.is == isText || y.is == isText {
			z, ok := joinAny(e, n, &x, &y)
			return datum{is: isText, text: z}, ok
		}
		v, ok := e.datumNum(n.args[0], &x)
		if !ok {
			return datum{}, false
		}
		w, ok := e.datumNum(n.args[1], &y)
		if !ok {
			return datum{}, false
		}
		z, ok := computeNums(e, n, v, w)
		return datum{is: z.kind(), num: z}, ok
	})
}

// numberOrText compiles the left operand of an operator on two numbers or two strings. It fails before the
// right operand is computed if it is neither.
func numberOrText(n *node) anyFn {
	x := anyOf(n)
	return func(e *eval) (datum, bool) {
		d, ok := x(e)
		if ok && d.is&(isMissing|isBool|isList) != 0 {
			return d, e.failKind(n, &d, "a number or a string")
		}
		return d, ok
	}
}
