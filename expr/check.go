package expr

import (
	"strconv"
	"strings"
)

// A checker finds what is wrong with an expression whatever the rows are, and
// which columns it reads.
type checker struct {
	known   func(column string) (Type, bool)
	columns []string
	places  map[string]int
	err     *Error // the first fault, in the order of the text
}

// fault notes a fault of n.
func (c *checker) fault(at int, text, hint string) {
	if c.err == nil {
		c.err = &Error{At: at, Text: text, Hint: hint}
	}
}

// check says of n, and of all that it is made of, what it may be.
func (c *checker) check(n *node) {
	if c.column(n) {
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
		n.kinds = isText
	case opBool:
		n.kinds = isBool
	case opNull:
		n.kinds = isMissing
	case opList:
		c.list(n)
	case opNot:
		c.wants(n.args[0], likeBool, "! takes a bool")
		n.kinds = isBool
	case opNegate:
		c.wants(n.args[0], likeNumber, "- takes a number")
		n.kinds = arithmetic(n.args[0].kinds, isInt)
	case opAdd:
		c.sum(n)
	case opSubtract, opMultiply, opDivide, opRemainder:
		c.arithmetic(n)
	case opEqual, opUnequal:
		c.comparable(n, n.args[0], n.args[1])
		n.kinds = isBool
	case opLess, opAtMost, opMore, opAtLeast:
		c.ordered(n)
	case opIn:
		c.in(n)
	case opAnd, opOr:
		for _, a := range n.args {
			c.wants(a, likeBool, n.operator()+" takes bools")
		}
		n.kinds = isBool
	case opCond:
		c.condition(n)
	case opCall:
		n.function.check(c, n)
	}
}

// operator is the sign of n.
func (n *node) operator() string {
	for _, o := range operators {
		if o.op == n.op {
			return o.sign
		}
	}
	return ""
}

// column numbers a column, and reports whether n is one.
func (c *checker) column(n *node) bool {
	if n.op == opCall && n.function.isColumn {
		name := n.args[0]
		if name.op != opText {
			c.fault(name.at, "column takes a name in quotes", n.function.usage)
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
			c.err = &Error{At: n.at, Text: "there is no column " + shown(n.text), Hint: c.meant(n), Column: n.text}
		}
		return true
	}
	place, seen := c.places[n.text]
	if !seen {
		place = len(c.columns)
		c.columns = append(c.columns, n.text)
		c.places[n.text] = place
	}
	n.column, n.kinds = place, t.column()
	return true
}

// meant is a hint for a name that is no column: a word of other languages, or a name
// with a minus in it, which reads as a difference.
func (c *checker) meant(n *node) string {
	if word := instead[n.text]; word != "" {
		return "write " + word
	}
	start := n.at
	for start > 0 && (n.whole[start-1] == '-' || inName(n.whole[start-1:]) > 0) {
		start--
	}
	rest := n.whole[start:]
	for end := 0; end < len(rest) && (rest[end] == '-' || inName(rest[end:]) > 0); end++ {
		name := rest[:end+1]
		if _, there := c.known(name); there && strings.Contains(name, "-") {
			return "column(" + strconv.Quote(name) + ")"
		}
	}
	return ""
}

// wants faults an argument that is never what is wanted.
func (c *checker) wants(n *node, wanted kinds, text string) {
	if n.kinds&wanted != 0 {
		return
	}
	c.fault(n.at, text+", found "+n.kinds.String()+": "+n.part(), n.kinds.hint(wanted))
}

// hint tells how a value becomes what is wanted.
func (k kinds) hint(wanted kinds) string {
	switch {
	case k&^isMissing == 0:
		return "missing(column) tells whether a value is there"
	case wanted&isText != 0 && k&numeric != 0:
		return "text(…) makes a text of a number"
	case wanted&numeric != 0 && k == isText:
		return "float(…) and int(…) read a number from a text"
	case wanted&numeric != 0 && k == isBool:
		return "int(…) is 1 for true and 0 for false"
	}
	return ""
}

// arithmetic is what comes of two numbers.
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

func (c *checker) arithmetic(n *node) {
	a, b := n.args[0], n.args[1]
	wanted, text := likeNumber, n.operator()+" takes numbers"
	if n.op == opRemainder {
		wanted, text = isInt|isCell, "% takes ints"
	}
	c.wants(a, wanted, text)
	c.wants(b, wanted, text)
	switch n.op {
	case opDivide:
		n.kinds = isFloat
	case opRemainder:
		n.kinds = isInt
	default:
		n.kinds = arithmetic(a.kinds, b.kinds)
	}
}

// sum checks +, which adds numbers, and joins two values one of which is a text.
func (c *checker) sum(n *node) {
	a, b := n.args[0].kinds, n.args[1].kinds
	if a&likeNumber != 0 && b&likeNumber != 0 {
		n.kinds = arithmetic(a, b)
	}
	if n.joins() {
		n.kinds |= isText
	}
	if n.kinds == 0 {
		c.fault(n.sign, "+ takes two numbers or two texts, found "+a.String()+" and "+b.String()+": "+n.part(), hintOfPair(a, b))
	}
}

// joins says whether + may join texts here.
func (n *node) joins() bool {
	a, b := n.args[0].kinds, n.args[1].kinds
	return a&likeText != 0 && b&likeText != 0 && (a|b)&isText != 0
}

// sorts are the kinds that are compared with one another.
var sorts = [...]kinds{likeNumber, likeText, likeBool}

// alike says whether two values may be of one sort in some row.
func alike(a, b kinds) bool {
	for _, s := range sorts {
		if a&s != 0 && b&s != 0 {
			return true
		}
	}
	return false
}

// comparable checks values that are compared for being equal: missing ones may be.
func (c *checker) comparable(n, a, b *node) {
	if a.kinds == isMissing || b.kinds == isMissing || alike(a.kinds, b.kinds) {
		return
	}
	c.fault(n.sign, n.operatorName()+" compares values of one kind, found "+a.kinds.String()+" and "+b.kinds.String()+": "+n.part(), hintOfPair(a.kinds, b.kinds))
}

func (n *node) operatorName() string {
	if n.op == opCall {
		return n.text
	}
	return n.operator()
}

// hintOfPair tells how two values become comparable.
func hintOfPair(a, b kinds) string {
	a, b = a&^isMissing, b&^isMissing
	switch {
	case a == isList || b == isList:
		return "x in list looks among its elements"
	case a == isText && b&^numeric == 0, b == isText && a&^numeric == 0:
		return "text(…) makes a text of a number, float(…) and int(…) a number of a text"
	}
	return ""
}

// ordered checks values of which one may come first: two numbers or two texts.
func (c *checker) ordered(n *node) {
	a, b := n.args[0], n.args[1]
	n.kinds = isBool
	if a.kinds&likeNumber != 0 && b.kinds&likeNumber != 0 || a.kinds&likeText != 0 && b.kinds&likeText != 0 {
		return
	}
	hint := hintOfPair(a.kinds, b.kinds)
	if a.op >= opEqual && a.op <= opAtLeast && a.kinds == isBool {
		hint = "write a < b && b < c"
	}
	c.fault(n.sign, n.operator()+" takes two numbers or two texts, found "+a.kinds.String()+" and "+b.kinds.String()+": "+n.part(), hint)
}

// list checks the values in brackets: they are of one sort, and there.
func (c *checker) list(n *node) {
	n.kinds = isList
	for _, a := range n.args {
		if a.kinds&(likeNumber|likeText|likeBool) == 0 {
			c.fault(a.at, "a list holds numbers, texts or bools, found "+a.kinds.String(), "")
		}
		if !alike(a.kinds, n.args[0].kinds) {
			c.fault(a.at, "the values of a list are of one kind, found "+n.args[0].kinds.String()+" and "+a.kinds.String(), hintOfPair(a.kinds, n.args[0].kinds))
		}
	}
}

func (c *checker) in(n *node) {
	x, list := n.args[0], n.args[1]
	n.kinds = isBool
	if list.kinds&isList == 0 {
		hint := ""
		if list.kinds&isText != 0 {
			hint = "contains(text, part) looks within a text"
		}
		c.fault(list.at, "in takes a list, found "+list.kinds.String()+": "+list.part(), hint)
		return
	}
	c.wants(x, likeNumber|likeText|likeBool, "in looks for a number, a text or a bool")
	if list.op != opList {
		return
	}
	for _, a := range list.args {
		if !alike(x.kinds, a.kinds) {
			c.fault(a.at, "in compares values of one kind, found "+x.kinds.String()+" and "+a.kinds.String(), hintOfPair(x.kinds, a.kinds))
		}
	}
}

// condition checks a ? b : c. Both results are of one sort, or one is null.
func (c *checker) condition(n *node) {
	c.wants(n.args[0], likeBool, "? takes a bool")
	a, b := n.args[1].kinds, n.args[2].kinds
	n.kinds = a | b
	if a&^isMissing != 0 && b&^isMissing != 0 && !alike(a, b) {
		c.fault(n.args[2].at, `the values before and after ":" are of one kind, found `+a.String()+" and "+b.String(), hintOfPair(a, b))
	}
}

// outside faults lists in brackets anywhere but after in and in size.
func (c *checker) outside(n *node) {
	for i, a := range n.args {
		if a.op == opList && !(n.op == opIn && i == 1) && !(n.op == opCall && n.text == "size") {
			c.fault(a.at, "a list stands after in only", `x in ["a", "b"]`)
		}
		c.outside(a)
	}
}
