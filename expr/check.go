package expr

import (
	"cmp"
	"regexp"
	"slices"
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
	if n.inLoop = len(c.scope) > 0; n.op.stores() {
		n.slot, n.view = c.store(), c.store()
	}
	if c.resolveVariable(n) || c.resolveColumn(n) {
		return
	}
	for i, a := range n.args {
		if i == 1 && n.op.isComprehension() {
			c.checkBody(n)
			break
		}
		c.check(a)
	}
	if c.err == nil {
		n.kinds = results[n.op]
		c.checkOperation(n)
	}
}

// results are the kinds of the values of operations that have the same kinds for all arguments.
var results = [...]kinds{
	opInt: isInt, opFloat: isFloat, opText: isText, opBool: isBool, opNull: isMissing,
	opNot: isBool, opEqual: isBool, opUnequal: isBool,
	opLess: isBool, opAtMost: isBool, opMore: isBool, opAtLeast: isBool,
	opIn: isBool, opAnd: isBool, opOr: isBool, opDivide: isFloat, opRemainder: isInt,
	opList: isList, opMap: isList, opFilter: isList, opExists: isBool, opAll: isBool,
}

// checkOperation checks the arguments of n, whose kinds are known.
func (c *checker) checkOperation(n *node) {
	switch n.op {
	case opText:
		n.bytes = []byte(n.text)
	case opList:
		c.checkList(n)
	case opNot:
		c.requireAll(n, likeBool, "! takes a bool")
	case opNegate:
		c.requireAll(n, likeNumber, "- takes a number")
		n.kinds = arithmetic(n.args[0].kinds, isInt) // -a is 0 - a
	case opAdd, opLess, opAtMost, opMore, opAtLeast:
		c.checkPair(n)
	case opRemainder:
		c.requireAll(n, isInt|isCell, "% takes ints")
	case opSubtract, opMultiply, opDivide:
		c.requireAll(n, likeNumber, n.operator()+" takes numbers")
		if n.op != opDivide {
			n.kinds = arithmetic(n.args[0].kinds, n.args[1].kinds)
		}
	case opEqual, opUnequal:
		c.checkEqual(n)
	case opIn:
		c.checkIn(n)
	case opAnd, opOr:
		c.requireAll(n, likeBool, n.operator()+" takes bools")
	case opCond:
		c.checkCondition(n)
	case opElement:
		c.checkElement(n)
	case opCall:
		n.function.check(c, n)
	case opMap, opFilter, opExists, opAll:
		c.checkComprehension(n)
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
			c.addError(n.at, "there is no column "+quoteShort(n.text), cmp.Or(suggest(n.text), c.suggestDashed(n)))
			c.err.Column = n.text
		}
		return true
	}
	place, seen := c.indexes[n.text]
	if !seen {
		place = len(c.columns)
		c.columns = append(c.columns, n.text)
		c.indexes[n.text] = place
	}
	n.column, n.kinds = place, typeKinds[t]|isMissing
	return true
}

// dashed matches names with a minus.
var dashed = regexp.MustCompile(`(?:-|` + namePart + `)+`)

// suggestDashed returns a hint for an unknown column that is a part of a name with a minus, which is parsed as a
// difference.
func (c *checker) suggestDashed(n *node) string {
	for _, part := range dashed.FindAllStringIndex(n.source, -1) {
		for end := part[0] + 1; part[0] <= n.at && end <= part[1]; end++ {
			name := n.source[part[0]:end]
			if _, there := c.known(name); there && end > n.at && strings.Contains(name, "-") {
				return "column(" + strconv.Quote(name) + ")"
			}
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

// requireAll requires kinds of all arguments of n.
func (c *checker) requireAll(n *node, expected kinds, text string) {
	for _, a := range n.args {
		c.require(a, expected, text)
	}
}

// addMismatch records an error of two values of kinds that do not fit.
func (c *checker) addMismatch(at int, text string, a, b kinds, snippet string) {
	hint := ""
	switch x, y := a&^isMissing, b&^isMissing; {
	case x == isList || y == isList:
		hint = "x in list looks among its elements"
	case x == isText && y&^numeric == 0, y == isText && x&^numeric == 0:
		hint = "text(…) makes a string from a number, float(…) and int(…) a number from a string"
	}
	c.addError(at, text+", found "+a.String()+" and "+b.String()+snippet, hint)
}

// checkPair checks + and the operators of an order, which take two numbers, or two strings if at least one is known to
// be a string.
func (c *checker) checkPair(n *node) {
	a, b := n.args[0].kinds, n.args[1].kinds
	areNumbers := a&likeNumber != 0 && b&likeNumber != 0
	areTexts := a&likeText != 0 && b&likeText != 0 && (a|b)&isText != 0
	switch {
	case !areNumbers && !areTexts:
		c.addMismatch(n.sign, n.operator()+" takes two numbers or two strings", a, b, ": "+n.snippet())
		if x := n.args[0].op; n.op != opAdd && x >= opEqual && x <= opAtLeast { // the first half of a < b < c
			c.err.Hint = "write a < b && b < c"
		}
	case !areTexts:
		n.by = asNumbers
	case !areNumbers:
		n.by = asTexts
	}
	if n.op == opAdd && areNumbers {
		n.kinds = arithmetic(a, b)
	}
	if n.op == opAdd && areTexts {
		n.kinds |= isText
	}
}

// comparableKinds are the sets of kinds that can be compared with one another.
var comparableKinds = [...]kinds{likeNumber, likeText, likeBool}

// mayCompare reports whether two values may be comparable in some row.
func mayCompare(a, b kinds) bool {
	return slices.ContainsFunc(comparableKinds[:], func(s kinds) bool { return a&s != 0 && b&s != 0 })
}

// checkEqual checks values that are compared for equality. They may be missing.
func (c *checker) checkEqual(n *node) {
	a, b := n.args[0], n.args[1]
	if a.kinds != isMissing && b.kinds != isMissing && !mayCompare(a.kinds, b.kinds) {
		c.addMismatch(n.sign, n.operator()+" compares values of one kind", a.kinds, b.kinds, ": "+n.snippet())
	}
	if a.op == opColumn && !a.inLoop {
		n.setLiterals(n.args[1:])
	}
}

// checkList checks the values in brackets. They have comparable kinds, or are lists. They are not
// missing in all rows.
func (c *checker) checkList(n *node) {
	for i, a := range n.args {
		if a.kinds&^isMissing == 0 {
			c.addError(a.at, "a list holds numbers, strings, bools, or lists, found "+a.kinds.String(), "")
		}
		of := &elements{kinds: a.kinds, elems: a.elems}
		if i == 0 {
			n.elems = of
		}
		n.elems = n.elems.merge(of)
		if first := n.args[0].kinds; !mayCompare(a.kinds, first) && a.kinds&first&isList == 0 {
			c.addMismatch(a.at, "the values of a list are of one kind", first, a.kinds, "")
		}
	}
}

func (c *checker) checkIn(n *node) {
	x, list := n.args[0], n.args[1]
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
			c.addMismatch(a.at, "in compares values of one kind", x.kinds, a.kinds, "")
		}
	}
	n.setLiterals(list.args)
}

// checkCondition checks a ? b : c. The results have comparable kinds, or one is null.
func (c *checker) checkCondition(n *node) {
	c.require(n.args[0], likeBool, "? takes a bool")
	a, b := n.args[1].kinds, n.args[2].kinds
	n.kinds = a | b
	n.elems = n.args[1].elems.merge(n.args[2].elems)
	if a&^isMissing != 0 && b&^isMissing != 0 && !mayCompare(a, b) && a&b&isList == 0 {
		c.addMismatch(n.args[2].at, `the values before and after ":" are of one kind`, a, b, "")
	}
}
