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
			if x.Compare(best) == sign {
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

// real returns a function of one float, which may have no value.
func real(f func(float64) float64) func(e *eval, n *node) datum {
	return func(e *eval, n *node) datum {
		x := e.num(n.args[0]).asFloat()
		y := f(x)
		if y-y != 0 {
			e.fail(n, codeDomain, n.text+" has no value for "+string(schema.AppendFloat(nil, x)), "")
			return numberOf(Number{})
		}
		return floatOf(y)
	}
}

// logarithm returns the natural logarithm of x, or nan.
func logarithm(x float64) float64 {
	if x <= 0 {
		return math.NaN()
	}
	return natural.Log(x)
}

// parse converts d, the value of n, to a number, and parses it if it is a string.
func (e *eval) parse(n *node, d datum) Number {
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
		x = Number{int: int64(x.float)}
	}
	return numberOf(x)
}

// toFloat computes float.
func toFloat(e *eval, n *node) datum {
	d := e.compute(n.args[0])
	return floatOf(e.parse(n.args[0], d).asFloat())
}
