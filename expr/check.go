package expr

import (
	"strconv"
	"strings"
)

// A checker finds the errors of an expression that do not depend on rows, and the columns that it
// reads.
type checker struct {
	known     func(column string) (Type, bool)
	columns   []string
	indexes   map[string]int
	scope     []*node // the comprehensions around a node, the innermost one last
	variables int     // the largest length of scope
	stored    int     // lists and elements that the program stores
	err       *Error  // the first error that was found
}

// addError records an error, unless there is one already.
func (c *checker) addError(at int, text, hint string) {
	if c.err == nil {
		c.err = &Error{At: at, Text: text, Hint: hint}
	}
}

// check computes the kinds of n and of its arguments, and records the first error.
func (c *checker) check(n *node) {
	if n.inLoop = len(c.scope) > 0; n.isComprehension() {
		c.checkComprehension(n)
		return
	}
	if c.resolveVariable(n) || c.resolveColumn(n) {
		return
	}
	for _, a := range n.args {
		c.check(a)
	}
	if c.err != nil {
		return
	}
	switch n.op {
	case opInt:
		n.kinds = isInt
	case opFloat:
		n.kinds = isFloat
	case opText:
		n.kinds, n.bytes = isText, []byte(n.text)
	case opBool:
		n.kinds = isBool
	case opNull:
		n.kinds = isMissing
	case opList:
		c.checkList(n)
	case opNot:
		c.require(n.args[0], likeBool, "! takes a bool")
		n.kinds = isBool
	case opNegate:
		c.require(n.args[0], likeNumber, "- takes a number")
		n.kinds = arithmetic(n.args[0].kinds, isInt) // -a is 0 - a
	case opAdd:
		c.checkSum(n)
	case opSubtract, opMultiply, opDivide, opRemainder:
		c.checkArithmetic(n)
	case opEqual, opUnequal:
		c.checkEqual(n, n.args[0], n.args[1])
		n.kinds = isBool
		n.setEqual()
	case opLess, opAtMost, opMore, opAtLeast:
		c.checkOrder(n)
		n.setOrder()
	case opIn:
		c.checkIn(n)
		n.setIn()
	case opAnd, opOr:
		for _, a := range n.args {
			c.require(a, likeBool, n.operator()+" takes bools")
		}
		n.kinds = isBool
	case opCond:
		c.checkCondition(n)
	case opElement:
		c.checkElement(n)
	case opCall:
		n.function.check(c, n)
	}
}

// operator returns the text of n's operator, such as +.
func (n *node) operator() string {
	for _, o := range operators {
		if o.op == n.op {
			return o.sign
		}
	}
	return ""
}

// resolveColumn resolves n if it is a column, and reports whether it is.
func (c *checker) resolveColumn(n *node) bool {
	if n.op == opCall && n.function.isColumn {
		name := n.args[0]
		if name.op != opText {
			c.addError(name.at, "column takes a name in quotes", n.function.usage)
			return true
		}
		n.op, n.text, n.args = opColumn, name.text, nil
	}
	if n.op != opColumn {
		return false
	}
	t, there := c.known(n.text)
	if !there {
		if c.err == nil {
			c.err = &Error{At: n.at, Text: "there is no column " + quoteShort(n.text), Hint: c.suggest(n), Column: n.text}
		}
		return true
	}
	place, seen := c.indexes[n.text]
	if !seen {
		place = len(c.columns)
		c.columns = append(c.columns, n.text)
		c.indexes[n.text] = place
	}
	n.column, n.kinds = place, t.columnKinds()
	return true
}

// suggest returns a hint for an unknown column: a keyword of another language, or a name with a
// minus, which is parsed as a difference.
func (c *checker) suggest(n *node) string {
	if word := suggestions[n.text]; word != "" {
		return "write " + word
	}
	start := n.at
	for start > 0 && (n.source[start-1] == '-' || inName(n.source[start-1:]) > 0) {
		start--
	}
	rest := n.source[start:]
	for end := 0; end < len(rest) && (rest[end] == '-' || inName(rest[end:]) > 0); end++ {
		name := rest[:end+1]
		if _, there := c.known(name); there && strings.Contains(name, "-") {
			return "column(" + strconv.Quote(name) + ")"
		}
	}
	return ""
}

// require records an error if n never has one of the expected kinds.
func (c *checker) require(n *node, expected kinds, text string) {
	if n.kinds&expected != 0 {
		return
	}
	c.addError(n.at, text+", found "+n.kinds.String()+": "+n.snippet(), n.kinds.hint(expected))
}

// hint suggests how to convert a value to the expected kinds.
func (k kinds) hint(expected kinds) string {
	switch {
	case k&^isMissing == 0:
		return "missing(column) tells whether a value is there"
	case expected&isText != 0 && k&numeric != 0:
		return "text(…) makes a string from a number"
	case expected&numeric != 0 && k == isText:
		return "float(…) and int(…) read a number from a string"
	case expected&numeric != 0 && k == isBool:
		return "int(…) is 1 for true and 0 for false"
	case expected&isList != 0 && k == isText:
		return `split(…, ",") makes a list`
	}
	return ""
}

// arithmetic returns the kinds of the result for two numbers.
func arithmetic(a, b kinds) kinds {
	var k kinds
	if a&(isInt|isCell) != 0 && b&(isInt|isCell) != 0 {
		k = isInt
	}
	if (a|b)&(isFloat|isCell) != 0 {
		k |= isFloat
	}
	return k
}

func (c *checker) checkArithmetic(n *node) {
	a, b := n.args[0], n.args[1]
	expected, text := likeNumber, n.operator()+" takes numbers"
	if n.op == opRemainder {
		expected, text = isInt|isCell, "% takes ints"
	}
	c.require(a, expected, text)
	c.require(b, expected, text)
	switch n.op {
	case opDivide:
		n.kinds = isFloat
	case opRemainder:
		n.kinds = isInt
	default:
		n.kinds = arithmetic(a.kinds, b.kinds)
	}
}

// checkSum checks +. It adds two numbers, or joins two values that may be strings, if at least one
// is known to be a string.
func (c *checker) checkSum(n *node) {
	a, b := n.args[0].kinds, n.args[1].kinds
	if a&likeNumber != 0 && b&likeNumber != 0 {
		n.kinds = arithmetic(a, b)
	}
	if n.mayJoin() {
		n.kinds |= isText
	}
	if n.kinds == 0 {
		c.addError(n.sign, "+ takes two numbers or two strings, found "+a.String()+" and "+b.String()+": "+n.snippet(),
			pairHint(a, b))
	}
}

// mayJoin reports whether + may join strings here.
func (n *node) mayJoin() bool {
	a, b := n.args[0].kinds, n.args[1].kinds
	return a&likeText != 0 && b&likeText != 0 && (a|b)&isText != 0
}

// comparableKinds are the sets of kinds that can be compared with one another.
var comparableKinds = [...]kinds{likeNumber, likeText, likeBool}

// mayCompare reports whether two values may be comparable in some row.
func mayCompare(a, b kinds) bool {
	for _, s := range comparableKinds {
		if a&s != 0 && b&s != 0 {
			return true
		}
	}
	return false
}

// checkEqual checks values that are compared for equality. They may be missing.
func (c *checker) checkEqual(n, a, b *node) {
	if a.kinds == isMissing || b.kinds == isMissing || mayCompare(a.kinds, b.kinds) {
		return
	}
	c.addError(
		n.sign, n.operatorName()+" compares values of one kind, "+
			"found "+a.kinds.String()+" and "+b.kinds.String()+": "+n.snippet(), pairHint(a.kinds, b.kinds))
}

func (n *node) operatorName() string {
	if n.op == opCall {
		return n.text
	}
	return n.operator()
}

// pairHint suggests how to make two values comparable.
func pairHint(a, b kinds) string {
	a, b = a&^isMissing, b&^isMissing
	switch {
	case a == isList || b == isList:
		return "x in list looks among its elements"
	case a == isText && b&^numeric == 0, b == isText && a&^numeric == 0:
		return "text(…) makes a string from a number, float(…) and int(…) a number from a string"
	}
	return ""
}

// checkOrder checks values that are ordered: two numbers or two strings.
func (c *checker) checkOrder(n *node) {
	a, b := n.args[0], n.args[1]
	n.kinds = isBool
	if a.kinds&likeNumber != 0 && b.kinds&likeNumber != 0 || a.kinds&likeText != 0 && b.kinds&likeText != 0 {
		return
	}
	hint := pairHint(a.kinds, b.kinds)
	if a.op >= opEqual && a.op <= opAtLeast && a.kinds == isBool { // the first half of a < b < c
		hint = "write a < b && b < c"
	}
	c.addError(
		n.sign, n.operator()+" takes two numbers or two strings, "+
			"found "+a.kinds.String()+" and "+b.kinds.String()+": "+n.snippet(), hint)
}

// checkList checks the values in brackets. They have comparable kinds, or are lists. They are not
// missing in all rows.
func (c *checker) checkList(n *node) {
	n.kinds, n.slot = isList, c.store()
	for i, a := range n.args {
		if a.kinds&^isMissing == 0 {
			c.addError(a.at, "a list holds numbers, strings, bools, or lists, found "+a.kinds.String(), "")
		}
		if i == 0 {
			n.elems = &elements{kinds: a.kinds, elems: a.elems}
		}
		n.elems = n.elems.merge(&elements{kinds: a.kinds, elems: a.elems})
		if !mayCompare(a.kinds, n.args[0].kinds) && a.kinds&n.args[0].kinds&isList == 0 {
			c.addError(a.at, "the values of a list are of one kind, found "+n.args[0].kinds.String()+" and "+a.kinds.String(),
				pairHint(a.kinds, n.args[0].kinds))
		}
	}
}

func (c *checker) checkIn(n *node) {
	x, list := n.args[0], n.args[1]
	n.kinds = isBool
	if list.kinds&isList == 0 {
		hint := ""
		if list.kinds&isText != 0 {
			hint = "contains(text, part) looks within a string"
		}
		c.addError(list.at, "in takes a list, found "+list.kinds.String()+": "+list.snippet(), hint)
		return
	}
	c.require(x, likeNumber|likeText|likeBool, "in looks for a number, a string, or a bool")
	if list.op != opList {
		return
	}
	for _, a := range list.args {
		if !mayCompare(x.kinds, a.kinds) {
			c.addError(a.at, "in compares values of one kind, found "+x.kinds.String()+" and "+a.kinds.String(),
				pairHint(x.kinds, a.kinds))
		}
	}
}

// checkCondition checks a ? b : c. The results have comparable kinds, or one is null.
func (c *checker) checkCondition(n *node) {
	c.require(n.args[0], likeBool, "? takes a bool")
	a, b := n.args[1].kinds, n.args[2].kinds
	n.kinds = a | b
	n.elems = n.args[1].elems.merge(n.args[2].elems)
	if a&^isMissing != 0 && b&^isMissing != 0 && !mayCompare(a, b) && a&b&isList == 0 {
		c.addError(n.args[2].at, `the values before and after ":" are of one kind, found `+a.String()+" and "+b.String(),
			pairHint(a, b))
	}
}
