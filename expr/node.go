package expr

import "regexp"

// An op is the operation of a node.
type op uint8

const (
	opInt op = iota
	opFloat
	opText
	opBool
	opNull
	opColumn
	opList
	opNot
	opNegate
	opAdd
	opSubtract
	opMultiply
	opDivide
	opRemainder
	opEqual
	opUnequal
	opLess
	opAtMost
	opMore
	opAtLeast
	opIn
	opAnd
	opOr
	opCond
	opCall
)

// A node is a part of an expression: a literal, a column, or an operation on other nodes.
type node struct {
	op       op
	kinds    kinds  // kinds of its values
	source   string // source of the expression
	at, end  int    // range of the node in source, including parentheses around it
	sign     int    // offset of its operator, or of the node if it has none
	args     []*node
	int      int64   // for opInt; for opBool, 1 is true
	float    float64 // for opFloat
	text     string  // for opText; name of a column or of a function
	column   int     // index in the program's columns
	function *function
	pattern  *regexp.Regexp // the second argument of matches
}
