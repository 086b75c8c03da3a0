package expr

import "tfr-build/schema"

// This file compiles nodes to functions, one function per result kind. A node with a single kind is
// computed without checks of the kind.

// intOf compiles a node to an int.
func intOf(n *node) intFn {
	if n.kinds&^isMissing == isInt && n.op != opColumn {
		switch n.op {
		case opInt:
			x := n.int
			return func(*eval) (int64, bool) { return x, true }
		case opAdd, opSubtract, opMultiply, opRemainder:
			return intArithmetic(n)
		case opCond:
			return condition(n, intOf)
		case opCall:
			if n.function.int != nil {
				return n.function.int(n)
			}
		}
	}
	x := numOf(n)
	return func(e *eval) (int64, bool) {
		v, ok := x(e)
		if ok && v.isFloat {
			e.fail(n, codeType, string(v.append(nil))+" is a float; expected an int")
			e.err.Hint = "int(" + n.snippet() + ")"
			return 0, false
		}
		return v.int, ok
	}
}

// floatOf compiles a node to a float.
func floatOf(n *node) floatFn {
	switch {
	case n.op == opFloat:
		x := n.float
		return func(*eval) (float64, bool) { return x, true }
	case n.op == opInt:
		x := float64(n.int)
		return func(*eval) (float64, bool) { return x, true }
	case n.kinds&^isMissing == isFloat && n.op != opColumn:
		switch n.op {
		case opAdd, opSubtract, opMultiply, opDivide:
			return floatArithmetic(n)
		case opCond:
			return condition(n, floatOf)
		case opCall:
			if n.function.float != nil {
				return n.function.float(n)
			}
		}
	}
	x := numOf(n)
	return func(e *eval) (float64, bool) {
		v, ok := x(e)
		return v.asFloat(), ok
	}
}

// numOf compiles a node to a number.
func numOf(n *node) numFn {
	switch {
	case n.isStored():
		return storedNum(n)
	case n.op == opColumn && n.kinds&(isInt|isCell) == 0:
		return func(e *eval) (num, bool) { // the column is declared as float
			x, ok := e.columnNum(n)
			return num{float: x.asFloat(), isFloat: true}, ok
		}
	case n.op == opColumn:
		return func(e *eval) (num, bool) { return e.columnNum(n) }
	case n.op == opNegate:
		return negate(n)
	case n.op == opCall && n.function.num != nil:
		return n.function.num(n)
	case n.kinds&^isMissing == isInt:
		x := intOf(n)
		return func(e *eval) (num, bool) {
			v, ok := x(e)
			return num{int: v}, ok
		}
	case n.kinds&^isMissing == isFloat:
		x := floatOf(n)
		return func(e *eval) (num, bool) {
			v, ok := x(e)
			return num{float: v, isFloat: true}, ok
		}
	}
	switch n.op {
	case opAdd, opSubtract, opMultiply:
		if n.kinds&isText == 0 {
			return numArithmetic(n)
		}
	case opCond:
		return condition(n, numOf)
	}
	x := anyOf(n)
	return func(e *eval) (num, bool) {
		d, ok := x(e)
		if !ok {
			return num{}, false
		}
		return e.datumNum(n, &d)
	}
}

// storedNum compiles a value of a list to a number. Where only floats are expected, it is one.
func storedNum(n *node) numFn {
	value, float := storedOf(n), n.kinds&(isInt|isCell) == 0
	return func(e *eval) (num, bool) {
		v, ok := value(e)
		if !ok {
			return num{}, false
		}
		x, ok := e.toNum(n, v)
		if float {
			x = num{float: x.asFloat(), isFloat: true}
		}
		return x, ok
	}
}

// stored compiles a value of a list by a conversion of values.
func stored[T any, F ~func(*eval) (T, bool)](n *node, convert func(e *eval, n *node, v *schema.Value) (T, bool)) F {
	value := storedOf(n)
	return func(e *eval) (x T, ok bool) {
		v, ok := value(e)
		if !ok {
			return x, false
		}
		return convert(e, n, v)
	}
}

// textOf compiles a node to a string.
func textOf(n *node) textFn {
	switch {
	case n.op == opText:
		x := []byte(n.text)
		return func(*eval) ([]byte, bool) { return x, true }
	case n.isStored():
		return stored[[]byte, textFn](n, (*eval).toText)
	case n.op == opColumn:
		return func(e *eval) ([]byte, bool) { return e.toText(n, e.value(n.column)) }
	case n.op == opCond:
		return condition(n, textOf)
	case n.op == opAdd && n.kinds&^isMissing == isText:
		return join(n)
	case n.op == opCall && n.kinds == isText:
		return n.function.text(n)
	}
	x := anyOf(n)
	return func(e *eval) ([]byte, bool) {
		d, ok := x(e)
		if !ok {
			return nil, false
		}
		return e.datumText(n, &d)
	}
}

// boolOf compiles a node to a bool.
func boolOf(n *node) boolFn {
	if n.isStored() {
		return stored[bool, boolFn](n, (*eval).toBool)
	}
	switch n.op {
	case opBool:
		x := n.int == 1
		return func(*eval) (bool, bool) { return x, true }
	case opColumn:
		return func(e *eval) (bool, bool) { return e.toBool(n, e.value(n.column)) }
	case opNot:
		x := boolOf(n.args[0])
		return func(e *eval) (bool, bool) {
			v, ok := x(e)
			return !v, ok
		}
	case opAnd:
		return logical(n, false)
	case opOr:
		return logical(n, true)
	case opEqual, opUnequal:
		return equal(n)
	case opLess, opAtMost, opMore, opAtLeast:
		return order(n)
	case opIn:
		return in(n)
	case opExists, opAll:
		return searched(n)
	case opCond:
		return condition(n, boolOf)
	case opCall:
		if n.kinds == isBool {
			return n.function.bool(n)
		}
	}
	x := anyOf(n)
	return func(e *eval) (bool, bool) {
		d, ok := x(e)
		if !ok {
			return false, false
		}
		return e.datumBool(n, &d)
	}
}

// anyOf compiles a node to a datum, which carries its kind.
func anyOf(n *node) anyFn {
	switch {
	case n.op == opNull:
		return func(*eval) (datum, bool) { return datum{is: isMissing}, true }
	case n.isStored() && n.kinds&^isMissing != isFloat:
		return stored[datum, anyFn](n, (*eval).toDatum)
	case n.makesList():
		x := listOf(n)
		return func(e *eval) (datum, bool) {
			v, ok := x(e)
			return datum{is: isList, value: v}, ok
		}
	case n.isRead():
		if n.kinds&^isMissing == isFloat {
			return declaredFloat(n)
		}
		return func(e *eval) (datum, bool) { return e.toDatum(n, e.value(n.column)) }
	case n.op == opCond:
		return condition(n, anyOf)
	case n.kinds&^numeric == 0:
		x := numOf(n)
		return func(e *eval) (datum, bool) {
			v, ok := x(e)
			return datum{is: v.kind(), num: v}, ok
		}
	case n.kinds == isText:
		x := textOf(n)
		return func(e *eval) (datum, bool) {
			v, ok := x(e)
			return datum{is: isText, text: v}, ok
		}
	case n.kinds == isBool:
		x := boolOf(n)
		return func(e *eval) (datum, bool) {
			v, ok := x(e)
			d := datum{is: isBool}
			if v {
				d.num.int = 1
			}
			return d, ok
		}
	}
	return addAny(n) // the only other node with several kinds
}

// declaredFloat compiles a column that is declared as float. Its numbers are floats, even if they
// are written as integers.
func declaredFloat(n *node) anyFn {
	value := storedOf(n)
	return func(e *eval) (datum, bool) {
		v, ok := value(e)
		if !ok {
			return datum{}, false
		}
		if v.Kind == schema.Missing {
			return datum{is: isMissing}, true
		}
		x, ok := e.toNum(n, v)
		return datum{is: isFloat, num: num{float: x.asFloat(), isFloat: true}}, ok
	}
}

// datumNum converts d to a number.
func (e *eval) datumNum(n *node, d *datum) (num, bool) {
	switch {
	case d.is&numeric != 0:
		return d.num, true
	case d.value != nil:
		return e.toNum(n, d.value)
	}
	return num{}, e.failKind(n, d, "a number")
}

// failKind records the error of a value whose kind is not the expected one, and returns false.
func (e *eval) failKind(n *node, d *datum, expected string) bool {
	if d.is == isMissing {
		e.failMissing(n, d.value)
	} else {
		e.failValue(n, d.value, codeType, "found "+d.describe()+"; expected "+expected)
	}
	return false
}

// datumText converts d to a string.
func (e *eval) datumText(n *node, d *datum) ([]byte, bool) {
	switch {
	case d.is&likeText != 0:
		return d.text, true
	case d.value != nil:
		return e.toText(n, d.value)
	}
	return nil, e.failKind(n, d, "a string")
}

// datumBool converts d to a bool.
func (e *eval) datumBool(n *node, d *datum) (bool, bool) {
	switch {
	case d.is == isBool:
		return d.num.int != 0, true
	case d.value != nil:
		return e.toBool(n, d.value)
	}
	return false, e.failKind(n, d, "true or false")
}

// condition compiles a ? b : c.
func condition[T any, F ~func(*eval) (T, bool)](n *node, of func(*node) F) F {
	when, yes, no := boolOf(n.args[0]), of(n.args[1]), of(n.args[2])
	return func(e *eval) (T, bool) {
		v, ok := when(e)
		switch {
		case !ok:
			var none T
			return none, false
		case v:
			return yes(e)
		}
		return no(e)
	}
}
