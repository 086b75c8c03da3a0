package expr

import (
	"math"

	"tfr-build/internal/natural"
	"tfr-build/schema"
)

func missing(e *eval, n *node) datum { return boolOf(e.read(n.args[0]).Kind == schema.Missing) }

// absolute computes abs.
func absolute(e *eval, n *node) datum {
	x := e.num(n.args[0])
	switch {
	case x.isFloat:
		x.float = math.Abs(x.float)
	case x.int == math.MinInt64:
		x = e.failOverflow(n)
	default:
		x.int = max(x.int, -x.int)
	}
	return numberOf(x)
}

// extreme returns min for the sign -1, and max for 1. The result is an int if all arguments are ints, and
// otherwise a float. Of equal arguments, it is the first.
func extreme(sign int) func(e *eval, n *node) datum {
	return func(e *eval, n *node) datum {
		best := e.num(n.args[0])
		float := best.isFloat
		for _, a := range n.args[1:] {
			x := e.num(a)
			float = float || x.isFloat
			if x.compare(best) == sign {
				best = x
			}
		}
		if float {
			return floatOf(best.asFloat())
		}
		return numberOf(best)
	}
}

// round returns a function that rounds floats to whole numbers and returns ints unchanged. round
// rounds halves away from 0.
func round(f func(float64) float64) func(e *eval, n *node) datum {
	return func(e *eval, n *node) datum {
		x := e.num(n.args[0])
		if x.isFloat {
			x.float = f(x.float)
		}
		return numberOf(x)
	}
}

func squareRoot(e *eval, n *node) datum {
	x := e.num(n.args[0]).asFloat()
	return e.real(n, x, x >= 0, math.Sqrt)
}

// logarithm computes log, the natural logarithm.
func logarithm(e *eval, n *node) datum {
	x := e.num(n.args[0]).asFloat()
	return e.real(n, x, x > 0, natural.Log)
}

// real returns f of x, if it is defined.
func (e *eval) real(n *node, x float64, isDefined bool, f func(float64) float64) datum {
	if !isDefined {
		e.fail(n, codeDomain, n.text+" has no value for "+string(num{float: x, isFloat: true}.append(nil)), "")
		return numberOf(num{})
	}
	return floatOf(f(x))
}

// parse converts d, the value of n, to a number, and parses it if it is a string.
func (e *eval) parse(n *node, d datum) num {
	if d.is != isText {
		return e.toNum(n, d)
	}
	x, ok := parseNum(d.text)
	if !ok {
		e.failValue(n, d.value, codeNumber, schema.Quote(d.text)+" is not a number", "")
	}
	return x
}

// toInt computes int. It truncates floats toward 0, converts bools to 1 and 0, and parses strings.
func toInt(e *eval, n *node) datum {
	d := e.compute(n.args[0])
	if d.is == isBool {
		return numberOf(d.num)
	}
	x := e.parse(n.args[0], d)
	if x.isFloat {
		if x.float >= 1<<63 || x.float < -1<<63 {
			e.fail(n, codeOverflow, string(x.append(nil))+" is beyond what an int64 holds", "")
		}
		x = num{int: int64(x.float)}
	}
	return numberOf(x)
}

// toFloat computes float.
func toFloat(e *eval, n *node) datum {
	d := e.compute(n.args[0])
	return floatOf(e.parse(n.args[0], d).asFloat())
}
