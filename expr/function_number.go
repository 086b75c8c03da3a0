package expr

import (
	"math"

	"tfr-build/schema"
)

// missing computes missing(column).
func missing(n *node) boolFn {
	column := n.args[0].column
	return func(e *eval) (bool, bool) { return e.value(column).Kind == schema.Missing, true }
}

// absolute computes abs.
func absolute(n *node) numFn {
	a := numOf(n.args[0])
	return func(e *eval) (num, bool) {
		x, ok := a(e)
		if x.isFloat {
			return num{float: math.Abs(x.float), isFloat: true}, ok
		}
		if x.int == math.MinInt64 {
			return num{}, e.overflow(n)
		}
		return num{int: max(x.int, -x.int)}, ok
	}
}

// extreme computes min and max: an int of ints, else a float. Of equal ones it is
// the first.
func extreme(accepted outcomes) func(n *node) numFn {
	return func(n *node) numFn {
		values := make([]numFn, len(n.args))
		for i, a := range n.args {
			values[i] = numOf(a)
		}
		return func(e *eval) (num, bool) {
			best, ok := values[0](e)
			float := best.isFloat
			for _, value := range values[1:] {
				if !ok {
					return num{}, false
				}
				var x num
				x, ok = value(e)
				float = float || x.isFloat
				if accepted.has(x.compare(best)) {
					best = x
				}
			}
			if float {
				best = num{float: best.asFloat(), isFloat: true}
			}
			return best, ok
		}
	}
}

// rounded computes a function that makes floats whole, and leaves ints alone. Of two
// whole numbers that are equally near, round is the one further from 0.
func rounded(f func(float64) float64) func(n *node) numFn {
	return func(n *node) numFn {
		a := numOf(n.args[0])
		return func(e *eval) (num, bool) {
			x, ok := a(e)
			if x.isFloat {
				x.float = f(x.float)
			}
			return x, ok
		}
	}
}

// squareRoot computes sqrt.
func squareRoot(n *node) floatFn {
	a := floatOf(n.args[0])
	return func(e *eval) (float64, bool) {
		x, ok := a(e)
		if x < 0 {
			return 0, e.outside(n, x)
		}
		return math.Sqrt(x), ok
	}
}

// logarithm computes log, to the base e.
func logarithm(n *node) floatFn {
	a := floatOf(n.args[0])
	return func(e *eval) (float64, bool) {
		x, ok := a(e)
		if ok && x <= 0 {
			return 0, e.outside(n, x)
		}
		return log(x), ok
	}
}

// outside says that a function has no value for x.
func (e *eval) outside(n *node, x float64) bool {
	e.fail(n, codeDomain, n.text+" has no value for "+string(num{float: x, isFloat: true}.append(nil)))
	return false
}

// toInt computes int: towards 0 of floats, 1 and 0 of bools, the number that a text
// is.
func toInt(n *node) intFn {
	a := anyOf(n.args[0])
	return func(e *eval) (int64, bool) {
		d, ok := a(e)
		if !ok {
			return 0, false
		}
		if d.is == isBool {
			return d.num.int, true
		}
		x, ok := parsed(e, n.args[0], &d)
		if !ok || !x.isFloat {
			return x.int, ok
		}
		if x.float >= 1<<63 || x.float < -1<<63 {
			e.fail(n, codeOverflow, string(x.append(nil))+" is beyond what an int64 holds")
			return 0, false
		}
		return int64(x.float), true
	}
}

// toFloat computes float.
func toFloat(n *node) floatFn {
	a := anyOf(n.args[0])
	return func(e *eval) (float64, bool) {
		d, ok := a(e)
		if !ok {
			return 0, false
		}
		x, ok := parsed(e, n.args[0], &d)
		return x.asFloat(), ok
	}
}
