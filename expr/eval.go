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
	case opText:
		return textOf(n.bytes)
	case opBool:
		return boolOf(n.int == 1)
	case opNull:
		return datum{is: isMissing}
	case opColumn, opVariable, opElement:
		d := datumOf(e.read(n))
		if d.is == 0 || n.kinds&^isMissing == isFloat && d.is != isMissing {
			return numberOf(e.toNum(n, d))
		}
		return d
	case opCond:
		return e.compute(e.branch(n))
	case opAdd:
		return e.add(n)
	case opCall:
		return n.function.compute(e, n)
	case opMap, opFilter:
		return e.collect(n)
	case opList:
		return e.makeList(n)
	}
	if n.kinds == isBool {
		return boolOf(e.bool(n))
	}
	return numberOf(e.num(n))
}

// branch returns b or c of a ? b : c.
func (e *eval) branch(n *node) *node {
	if e.bool(n.args[0]) {
		return n.args[1]
	}
	return n.args[2]
}

// num computes a node as a number.
func (e *eval) num(n *node) Number {
	switch n.op {
	case opInt, opFloat:
		return n.literalNum()
	case opColumn, opVariable, opElement:
		return e.readNum(n, e.read(n))
	case opCond:
		return e.num(e.branch(n))
	case opNegate:
		return e.negate(n)
	case opSubtract, opMultiply, opDivide:
		return e.arithmetic(n)
	case opRemainder:
		return e.computeNums(n, Number{int: e.int(n.args[0])}, Number{int: e.int(n.args[1])})
	case opAdd:
		if n.by == asNumbers {
			return e.arithmetic(n)
		}
	}
	return e.toNum(n, e.compute(n))
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
		return e.readText(n, e.read(n))
	case opCond:
		return e.text(e.branch(n))
	}
	return e.toText(n, e.compute(n))
}

// bool computes a node as a bool.
func (e *eval) bool(n *node) bool {
	switch n.op {
	case opColumn, opVariable, opElement:
		return e.toBool(n, datumOf(e.read(n)))
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
	case opLess:
		return e.order(n) < 0
	case opAtMost:
		return e.order(n) <= 0
	case opMore:
		return e.order(n) > 0
	case opAtLeast:
		return e.order(n) >= 0
	case opIn:
		return e.in(n)
	case opExists, opAll:
		return e.search(n)
	case opCond:
		return e.bool(e.branch(n))
	}
	return e.toBool(n, e.compute(n))
}

// list computes a node as a list. A list of one element in a column is a list here, even if it is
// accepted as one value elsewhere.
func (e *eval) list(n *node) *schema.Value {
	if n.op == opCond {
		return e.list(e.branch(n))
	}
	if !n.isRead() {
		d := e.compute(n)
		if d.is != isList {
			e.failKind(n, d, aList)
			return &noList
		}
		return d.value
	}
	of := e.listRead(n)
	if of == nil {
		e.failKind(n, datumOf(e.read(n)), aList)
		return &noList
	}
	return of
}

// listRead returns the list that a node reads; nil if it reads no list.
func (e *eval) listRead(n *node) *schema.Value {
	of := e.read(n)
	if n.op == opColumn {
		of = &e.vals[e.slots[n.column]]
	}
	if of.Len() < 0 || of == &e.stored[n.slot] { // a number of an Array is not a list
		return nil
	}
	return of
}

// noList is the list of an error.
var noList = schema.Value{Kind: schema.List}
