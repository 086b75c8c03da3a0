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
	opList
	opVariable
	opElement
	opMap
	opFilter
	opExists
	opAll
)

// A node is a part of an expression: a literal, a column, or an operation on other nodes.
type node struct {
	op       op
	kinds    kinds  // kinds of its values
	source   string // source of the expression
	at, end  int    // range of the node in source, including parentheses around it
	sign     int    // offset of its operator, or of the node if it has none
	args     []*node
	int      int64     // for opInt; for opBool, 1 is true
	float    float64   // for opFloat
	text     string    // for opText; name of a column, a function, or a comprehension
	column   int       // index in the program's columns; of a variable, in its variables
	variable string    // name of a comprehension's variable
	elems    *elements // what is known about the elements of a list; may be nil
	origin   *node     // of a value of a list: the column with the list; nil if the list is computed
	inLoop   bool      // computed again for each element of a list
	slot     int       // index in eval.stored of a computed list, or of an element
	view     int       // for a comprehension and zip: index in eval.stored of an element that they read
	function *function
	pattern  *regexp.Regexp // the second argument of matches
	bytes    []byte         // text, for opText
	by       comparison     // of operations on two numbers or two strings
	texts    [][]byte       // sorted literals that the first argument is compared with; nil if they are not strings
	nums     []Number       // the same, if they are numbers
}
