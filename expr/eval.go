package expr

import "tfr-build/schema"

// This file computes nodes. compute has a case for each operation. num, int, text, bool, and list
// compute a node that must have such a value, and convert it: a value of the row is converted at once.
//
// The first error of a row is in eval.err. After it, all values are zero values, and no other error is
// recorded. So only loops look at eval.err.

// compute computes a node.
func (e *eval) compute(n *node) datum {
	switch n.op {
	case opInt, opFloat:
		return numberOf(n.literalNum())
	case opText:
		return textOf(n.bytes)
	case opBool:
		return datum{is: isBool, num: num{int: n.int}}
	case opNull:
		return datum{is: isMissing}
	case opColumn, opVariable, opElement:
		v := e.read(n)
		switch {
		case n.kinds&^isMissing != isFloat:
			return e.toDatum(n, v)
		case v.Kind == schema.Missing:
			return datum{is: isMissing}
		}
		return numberOf(num{float: e.toNum(n, v).asFloat(), isFloat: true})
	case opNot, opAnd, opOr, opEqual, opUnequal, opLess, opAtMost, opMore, opAtLeast, opIn, opExists, opAll:
		return boolOf(e.bool(n))
	case opCond:
		return e.compute(e.branch(n))
	case opAdd:
		return e.add(n)
	case opNegate, opSubtract, opMultiply, opDivide, opRemainder:
		return numberOf(e.num(n))
	case opCall:
		return n.function.compute(e, n)
	case opMap:
		return listOf(e.mapList(n))
	case opFilter:
		return listOf(e.filterList(n))
	}
	return listOf(e.makeList(n))
}

func boolOf(x bool) datum {
	d := datum{is: isBool}
	if x {
		d.num.int = 1
	}
	return d
}

func numberOf(x num) datum { return datum{is: x.kind(), num: x} }

func textOf(x []byte) datum { return datum{is: isText, text: x} }

func listOf(v *schema.Value) datum { return datum{is: isList, value: v} }

// branch returns b or c of a ? b : c.
func (e *eval) branch(n *node) *node {
	if e.bool(n.args[0]) {
		return n.args[1]
	}
	return n.args[2]
}

// num computes a node as a number.
func (e *eval) num(n *node) num {
	switch n.op {
	case opInt:
		return num{int: n.int}
	case opFloat:
		return num{float: n.float, isFloat: true}
	case opColumn, opVariable, opElement:
		x := e.toNum(n, e.read(n))
		if n.kinds&(isInt|isCell) == 0 { // all numbers are floats, even if they are written as integers
			x = num{float: x.asFloat(), isFloat: true}
		}
		return x
	case opCond:
		return e.num(e.branch(n))
	case opNegate:
		return e.negate(n)
	case opSubtract, opMultiply, opDivide:
		return e.arithmetic(n)
	case opRemainder:
		return e.computeNums(n, num{int: e.int(n.args[0])}, num{int: e.int(n.args[1])})
	case opAdd:
		if n.kinds&isText == 0 {
			return e.arithmetic(n)
		}
	}
	d := e.compute(n)
	return e.datumNum(n, &d)
}

// int computes a node as an int.
func (e *eval) int(n *node) int64 {
	x := e.num(n)
	if x.isFloat {
		e.fail(n, codeType, string(x.append(nil))+" is a float; expected an int", "int("+n.snippet()+")")
	}
	return x.int
}

// text computes a node as a string.
func (e *eval) text(n *node) []byte {
	switch n.op {
	case opText:
		return n.bytes
	case opColumn, opVariable, opElement:
		return e.toText(n, e.read(n))
	case opCond:
		return e.text(e.branch(n))
	}
	d := e.compute(n)
	return e.datumText(n, &d)
}

// bool computes a node as a bool.
func (e *eval) bool(n *node) bool {
	switch n.op {
	case opColumn, opVariable, opElement:
		return e.toBool(n, e.read(n))
	case opNot:
		return !e.bool(n.args[0])
	case opAnd:
		return e.bool(n.args[0]) && e.bool(n.args[1])
	case opOr:
		return e.bool(n.args[0]) || e.bool(n.args[1])
	case opEqual:
		return e.equal(n)
	case opUnequal:
		return !e.equal(n)
	case opLess, opAtMost, opMore, opAtLeast:
		return n.op.accepted().has(e.order(n))
	case opIn:
		return e.in(n)
	case opExists, opAll:
		return e.search(n)
	case opCond:
		return e.bool(e.branch(n))
	}
	d := e.compute(n)
	return e.datumBool(n, &d)
}

// list computes a node as a list. A list of one element in a column is a list here, even if it is
// accepted as one value elsewhere.
func (e *eval) list(n *node) *schema.Value {
	switch n.op {
	case opColumn:
		if v := &e.vals[e.slots[n.column]]; v.Len() >= 0 {
			return v
		}
		return e.failList(n, e.value(n.column))
	case opVariable, opElement:
		v := e.read(n)
		if v.Len() < 0 || v == &e.stored[n.slot] { // a number of an Array is not a list
			return e.failList(n, v)
		}
		return v
	case opCond:
		return e.list(e.branch(n))
	}
	d := e.compute(n)
	if d.is != isList {
		e.failKind(n, &d, "a list")
		return &noList
	}
	return d.value
}

// noList is the list of an error.
var noList = schema.Value{Kind: schema.List}

// datumNum converts d to a number.
func (e *eval) datumNum(n *node, d *datum) num {
	switch {
	case d.is&numeric != 0:
		return d.num
	case d.value != nil:
		return e.toNum(n, d.value)
	}
	e.failKind(n, d, "a number")
	return num{}
}

// datumText converts d to a string.
func (e *eval) datumText(n *node, d *datum) []byte {
	switch {
	case d.is&likeText != 0:
		return d.text
	case d.value != nil:
		return e.toText(n, d.value)
	}
	e.failKind(n, d, "a string")
	return nil
}

// datumBool converts d to a bool.
func (e *eval) datumBool(n *node, d *datum) bool {
	switch {
	case d.is == isBool:
		return d.num.int != 0
	case d.value != nil:
		return e.toBool(n, d.value)
	}
	e.failKind(n, d, "true or false")
	return false
}

// failKind records the error of a value whose kind is not the expected one.
func (e *eval) failKind(n *node, d *datum, expected string) {
	if d.is == isMissing {
		e.failMissing(n, d.value)
	} else {
		e.failValue(n, d.value, codeType, "found "+d.describe()+"; expected "+expected, "")
	}
}
