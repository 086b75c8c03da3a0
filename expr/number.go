package expr

import (
	"math"
	"math/bits"
)

// negateInt computes -a of an int.
func negateInt(n *node) intFn {
	a := intOf(n.args[0])
	return func(e *eval) (int64, bool) {
		x, ok := a(e)
		if x == math.MinInt64 {
			return 0, e.overflow(n)
		}
		return -x, ok
	}
}

// negateNum computes -a of a number.
func negateNum(n *node) numFn {
	a := numOf(n.args[0])
	return func(e *eval) (num, bool) {
		x, ok := a(e)
		if !x.isFloat && x.int == math.MinInt64 {
			return num{}, e.overflow(n)
		}
		return num{-x.int, -x.float, x.isFloat}, ok
	}
}

// overflow says that a number is beyond what its type holds.
func (e *eval) overflow(n *node) bool {
	e.fail(n, codeOverflow, "the result is beyond what an int64 or a float64 holds")
	return false
}

// intArithmetic computes what stands between two ints.
func intArithmetic(n *node) intFn {
	op := n.op
	return inTurn(intOf(n.args[0]), intOf(n.args[1]), func(e *eval, x, y int64) (int64, bool) { return ints(e, n, op, x, y) })
}

// ints computes what stands between two ints.
func ints(e *eval, n *node, op op, x, y int64) (int64, bool) {
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
			return 0, e.byZero(n)
		}
		z = x % y
	}
	if !fits {
		return 0, e.overflow(n)
	}
	return z, true
}

// multiply is x times y, if an int64 holds it.
func multiply(x, y int64) (int64, bool) {
	z := x * y
	high, low := bits.Mul64(size(x), size(y))
	most := uint64(math.MaxInt64)
	if (x < 0) != (y < 0) {
		most++
	}
	return z, high == 0 && low <= most
}

// size is x without its sign.
func size(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (e *eval) byZero(n *node) bool {
	e.fail(n, codeDivision, "a division by zero")
	return false
}

// floatArithmetic computes what stands between two floats.
func floatArithmetic(n *node) floatFn {
	op := n.op
	return inTurn(floatOf(n.args[0]), floatOf(n.args[1]), func(e *eval, x, y float64) (float64, bool) { return floats(e, n, op, x, y) })
}

// floats computes what stands between two floats. Each result is rounded by itself:
// a product and a sum in one instruction would be another number.
func floats(e *eval, n *node, op op, x, y float64) (float64, bool) {
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
			return 0, e.byZero(n)
		}
		z = float64(x / y)
	}
	if z-z != 0 {
		return 0, e.overflow(n)
	}
	return z, true
}

// numArithmetic computes what stands between two numbers: an int of two ints, else a
// float.
func numArithmetic(n *node) numFn {
	return inTurn(numOf(n.args[0]), numOf(n.args[1]), func(e *eval, x, y num) (num, bool) { return nums(e, n, x, y) })
}

func nums(e *eval, n *node, x, y num) (num, bool) {
	if x.isFloat || y.isFloat {
		z, ok := floats(e, n, n.op, x.asFloat(), y.asFloat())
		return num{float: z, isFloat: true}, ok
	}
	z, ok := ints(e, n, n.op, x.int, y.int)
	return num{int: z}, ok
}

// addAny computes a + b where only the row tells whether they are numbers or texts:
// it joins them, if one of them is a text.
func addAny(n *node) anyFn {
	return inTurn(anyOf(n.args[0]), anyOf(n.args[1]), func(e *eval, x, y datum) (datum, bool) {
		if x.is == isText || y.is == isText {
			z, ok := joined(e, n, &x, &y)
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
		z, ok := nums(e, n, v, w)
		return datum{is: z.kind(), num: z}, ok
	})
}
