package expr

import "strings"

// A comprehension is a method of a list that computes an expression for each element.
type comprehension struct {
	op    op
	usage string
}

// comprehensions are all comprehensions, by name.
var comprehensions = map[string]comprehension{
	"map":    {opMap, "list.map(x, x + 1)"},
	"filter": {opFilter, "list.filter(x, x > 0)"},
	"exists": {opExists, "list.exists(x, x > 0)"},
	"all":    {opAll, "list.all(x, x > 0)"},
}

func (o op) isComprehension() bool { return o >= opMap }

// stores reports whether the operation stores lists or elements.
func (o op) stores() bool { return o >= opCall }

// store returns a new index in eval.stored.
func (c *checker) store() int {
	c.stored++
	return c.stored - 1
}

// checkBody checks the second argument of a comprehension, in which its variable exists.
func (c *checker) checkBody(n *node) {
	if c.require(n.args[0], isList, n.text+" takes a list"); c.err != nil {
		return
	}
	n.column = len(c.scope)
	c.scope = append(c.scope, n)
	c.variables = max(c.variables, len(c.scope))
	c.check(n.args[1])
	c.scope = c.scope[:n.column]
}

func (c *checker) checkComprehension(n *node) {
	list, body := n.args[0], n.args[1]
	if n.op == opMap {
		n.elems = &elements{kinds: body.kinds, elems: body.elems}
		return
	}
	if n.op == opFilter {
		n.elems, n.origin = list.elements(), list.listColumn()
	}
	c.require(body, likeBool, n.text+" takes a bool")
}

// resolveVariable resolves n if it is the variable of a comprehension around it, and reports whether
// it is. A variable hides a column of the same name.
func (c *checker) resolveVariable(n *node) bool {
	if n.op != opColumn {
		return false
	}
	name, rest, dotted := strings.Cut(n.text, ".")
	for i := len(c.scope) - 1; i >= 0; i-- {
		loop := c.scope[i]
		if loop.variable != name {
			continue
		}
		if dotted {
			c.addError(n.at, name+" is an element, which has no part "+quoteShort(rest),
				name+"[0] is the first element of a list")
			return true
		}
		of := loop.args[0].elements()
		n.op, n.column, n.slot = opVariable, loop.column, loop.view
		n.kinds, n.elems, n.origin = of.kinds, of.elems, loop.args[0].listColumn()
		return true
	}
	return false
}

// listColumn returns the column that the elements of the list n are in; nil if they are computed.
func (n *node) listColumn() *node {
	if n.op == opColumn {
		return n
	}
	return n.origin
}

// checkElement checks a[i].
func (c *checker) checkElement(n *node) {
	list, index := n.args[0], n.args[1]
	c.require(list, isList, "[ ] takes an element of a list")
	c.require(index, isInt|isCell, "an index is an int")
	of := list.elements()
	n.origin = list.listColumn()
	if index.op == opInt {
		if index.int < 0 {
			c.addError(index.at, "an index is at least 0, found "+index.snippet(), "size(list) - 1 is the last index")
		}
		if of.pair != nil && index.int > 1 {
			c.addError(index.at, "a pair of zip has the elements 0 and 1, found "+index.snippet(), "")
		}
		if of.pair != nil && c.err == nil {
			of = of.pair[index.int]
		}
	}
	n.kinds, n.elems = of.kinds, of.elems
}
