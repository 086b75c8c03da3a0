package expr

import "regexp"

// An op is what a node does.
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

// A node is a part of an expression: a literal, a column, or what is done with
// others.
type node struct {
	op       op
	kinds    kinds  // what it may be
	whole    string // the expression
	at, end  int    // the part, parentheses around it included
	sign     int    // where its operator, or else the part itself, stands
	args     []*node
	int      int64   // of opInt; of opBool 1 for true
	float    float64 // of opFloat
	text     string  // of opText; the name of a column or of a function
	column   int     // which of the program's columns
	function *function
	pattern  *regexp.Regexp // the second argument of matches
}
