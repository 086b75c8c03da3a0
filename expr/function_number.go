package expr

import (
	"math"

	"tfr-build/internal/natural"
	"tfr-build/schema"
)

// missing compiles missing.
func missing(n *node) boolFn {
	if n.args[0].isStored() {
		return stored[bool, boolFn](n.args[0], func(_ *eval, _ *node, v *schema.Value) (bool, bool) { return v.Kind == schema.Missing, true })
	}
	column := n.args[0].column
	return func(e *eval) (bool, bool) { return e.value(column).Kind == schema.Missing, true }
}

// absolute compiles abs.
func absolute(n *node) numFn {
	a := numOf(n.args[0])
	return func(e *eval) (num, bool) {
		x, ok := a(e)
		if x.isFloat {
			return num{float: math.Abs(x.float), isFloat: true}, ok
		}
		if x.int == math.MinInt64 {
			return num{}, e.failOverflow(n)
		}
		return num{int: max(x.int, -x.int)}, ok
	}
}

// minMax compiles min and max. The result is an int if all arguments are ints, and otherwise a
// float. Of equal arguments, it is the first.
func minMax(accepted outcomes) func(n *node) numFn {
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

// round compiles a function that rounds floats to whole numbers and returns ints unchanged. round
// rounds halves away from 0.
func round(f func(float64) float64) func(n *node) numFn {
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

// squareRoot compiles sqrt.
func squareRoot(n *node) floatFn {
	a := floatOf(n.args[0])
	return func(e *eval) (float64, bool) {
		x, ok := a(e)
		if x < 0 {
			return 0, e.failDomain(n, x)
		}
		return math.Sqrt(x), ok
	}
}

// logarithm compiles log, the natural logarithm.
func logarithm(n *node) floatFn {
	a := floatOf(n.args[0])
	return func(e *eval) (float64, bool) {
		x, ok := a(e)
		if ok && x <= 0 {
			return 0, e.failDomain(n, x)
		}
		return natural.Log(x), ok
	}
}

// failDomain records that a function is not defined for x, and returns false.
func (e *eval) failDomain(n *node, x float64) bool {
	e.fail(n, codeDomain, n.text+" has no value for "+string(num{float: x, isFloat: true}.append(nil)))
	return false
}

// toInt compiles int. It truncates floats toward 0, converts bools to 1 and 0, and parses strings.
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
		x, ok := parseDatum(e, n.args[0], &d)
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

// toFloat compiles float.
func toFloat(n *node) floatFn {
	a := anyOf(n.args[0])
	return func(e *eval) (float64, bool) {
		d, ok := a(e)
		if !ok {
			return 0, false
		}
		x, ok := parseDatum(e, n.args[0], &d)
		return x.asFloat(), ok
	}
}
