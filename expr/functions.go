package expr

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
)

// A function is a function of the language.
type function struct {
	usage       string
	least, most int // number of arguments
	check       func(c *checker, n *node)
	isColumn    bool // it names a column

	compute func(e *eval, n *node) datum // nil if it names a column
}

const anyNumber = maxText // for any number of arguments

// functions are all functions, by name.
var functions = map[string]*function{
	"column":  {usage: `column("odd name")`, least: 1, most: 1, isColumn: true},
	"missing": {usage: "missing(column)", least: 1, most: 1, check: checkMissing, compute: missing},
	"size":    {usage: "size(text) or size(list)", least: 1, most: 1, check: checkSize, compute: sizeOf},
	"lower":   {usage: "lower(text)", least: 1, most: 1, check: checkTexts(isText), compute: mapString(appendLower)},
	"upper":   {usage: "upper(text)", least: 1, most: 1, check: checkTexts(isText), compute: mapString(appendUpper)},
	"trim":    {usage: "trim(text)", least: 1, most: 1, check: checkTexts(isText), compute: trim},
	"contains": {usage: "contains(text, part)", least: 2, most: 2, check: checkTexts(isBool),
		compute: ofTexts(bytes.Contains)},
	"starts_with": {usage: "starts_with(text, start)", least: 2, most: 2, check: checkTexts(isBool),
		compute: ofTexts(bytes.HasPrefix)},
	"ends_with": {usage: "ends_with(text, end)", least: 2, most: 2, check: checkTexts(isBool),
		compute: ofTexts(bytes.HasSuffix)},
	"matches": {usage: `matches(text, r"^\d+$")`, least: 2, most: 2, check: checkMatches, compute: matches},
	"substr": {usage: "substr(text, start) or substr(text, start, length)", least: 2, most: 3, check: checkSubstr,
		compute: substr},
	"split": {usage: `split(text, ",") or split(text, ",", 2)`, least: 2, most: 3, check: checkSplit,
		compute: split},
	"zip":     {usage: "zip(list, list)", least: 2, most: 2, check: checkZip, compute: zip},
	"flatten": {usage: "flatten(list of lists)", least: 1, most: 1, check: checkFlatten, compute: flatten},
	"int":     {usage: "int(value)", least: 1, most: 1, check: checkInt, compute: toInt},
	"float":   {usage: "float(value)", least: 1, most: 1, check: checkFloat, compute: toFloat},
	"json":    {usage: "json(value)", least: 1, most: 1, check: checkJSON, compute: toJSON},
	"text":    {usage: "text(value)", least: 1, most: 1, check: checkText, compute: toText},
	"abs":     {usage: "abs(number)", least: 1, most: 1, check: checkNumbers, compute: absolute},
	"min": {usage: "min(number, number, …)", least: 2, most: anyNumber, check: checkNumbers,
		compute: minMax(less)},
	"max": {usage: "max(number, number, …)", least: 2, most: anyNumber, check: checkNumbers,
		compute: minMax(more)},
	"floor": {usage: "floor(number)", least: 1, most: 1, check: checkNumbers, compute: round(math.Floor)},
	"ceil":  {usage: "ceil(number)", least: 1, most: 1, check: checkNumbers, compute: round(math.Ceil)},
	"round": {usage: "round(number)", least: 1, most: 1, check: checkNumbers, compute: round(math.Round)},
	"sqrt":  {usage: "sqrt(number)", least: 1, most: 1, check: checkReal, compute: squareRoot},
	"log":   {usage: "log(number)", least: 1, most: 1, check: checkReal, compute: logarithm},
}

// functionNames returns the names of all functions, sorted.
func functionNames() []string { return slices.Sorted(maps.Keys(functions)) }

// counts describes the number of arguments of f.
func (f *function) counts() string {
	switch {
	case f.least == f.most && f.least == 1:
		return "1 argument"
	case f.least == f.most:
		return strconv.Itoa(f.least) + " arguments"
	case f.most == anyNumber:
		return strconv.Itoa(f.least) + " arguments or more"
	}
	return strconv.Itoa(f.least) + " or " + strconv.Itoa(f.most) + " arguments"
}

// checkTexts checks a function of strings with this result kind.
func checkTexts(result kinds) func(c *checker, n *node) {
	return func(c *checker, n *node) {
		for _, a := range n.args {
			c.require(a, likeText, n.text+" takes a string")
		}
		n.kinds = result
	}
}

// checkNumbers checks a function of numbers that returns an int for ints.
func checkNumbers(c *checker, n *node) {
	n.kinds = isInt
	for i, a := range n.args {
		c.require(a, likeNumber, n.text+" takes a number")
		if i == 0 {
			n.kinds = arithmetic(a.kinds, isInt)
			continue
		}
		n.kinds = arithmetic(n.kinds, a.kinds)
	}
}

// checkReal checks a function of one number that returns a float.
func checkReal(c *checker, n *node) {
	c.require(n.args[0], likeNumber, n.text+" takes a number")
	n.kinds = isFloat
}

func checkMissing(c *checker, n *node) {
	if !n.args[0].isRead() {
		c.addError(n.args[0].at, "missing takes a column, found "+n.args[0].snippet(), n.function.usage)
	}
	n.kinds = isBool
}

func checkSize(c *checker, n *node) {
	c.require(n.args[0], likeText|isList, "size takes a string or a list")
	n.kinds = isInt
}

func checkMatches(c *checker, n *node) {
	c.require(n.args[0], likeText, "matches takes a string")
	n.kinds = isBool
	if n.args[1].op != opText {
		c.addError(n.args[1].at, "matches takes a pattern in quotes, found "+n.args[1].snippet(), n.function.usage)
		return
	}
	var err *Error
	if n.pattern, err = compilePattern(n.args[1]); err != nil && c.err == nil {
		c.err = err
	}
}

func checkSubstr(c *checker, n *node) {
	c.require(n.args[0], likeText, "substr takes a string")
	for _, a := range n.args[1:] {
		c.require(a, isInt|isCell, "substr takes ints after the string")
	}
	n.kinds = isText
}

func checkSplit(c *checker, n *node) {
	c.require(n.args[0], likeText, "split takes strings")
	c.require(n.args[1], likeText, "split takes strings")
	if by := n.args[1]; by.op == opText && by.text == "" {
		c.addError(by.at, "an empty separator", n.function.usage)
	}
	if len(n.args) == 3 {
		most := n.args[2]
		c.require(most, isInt|isCell, "split takes an int after the strings")
		if most.op == opInt && most.int < 1 {
			c.addError(most.at, "at most "+strconv.FormatInt(most.int, 10)+" parts; expected 1 or more", n.function.usage)
		}
	}
	n.kinds, n.elems = isList, &elements{kinds: isText}
	n.slot = c.store()
}

func checkZip(c *checker, n *node) {
	pair := &elements{}
	for _, a := range n.args {
		c.require(a, isList, "zip takes lists")
		of := a.elements()
		pair.kinds |= of.kinds
		pair.pair = append(pair.pair, of)
	}
	pair.elems = pair.pair[0].elems.merge(pair.pair[1].elems)
	n.kinds, n.elems = isList, &elements{kinds: isList, elems: pair}
	n.slot, n.view = c.store(), c.store()
}

func checkFlatten(c *checker, n *node) {
	list := n.args[0]
	c.require(list, isList, "flatten takes a list of lists")
	of := list.elements()
	if of.kinds&isList == 0 {
		c.addError(list.at, "flatten takes a list of lists, found a list without lists: "+list.snippet(), "")
	}
	n.kinds, n.elems = isList, of.elems
	n.slot, n.view = c.store(), c.store()
}

func checkInt(c *checker, n *node) {
	c.require(n.args[0], likeNumber|isText|isBool, "int takes a number, a string, or a bool")
	n.kinds = isInt
}

func checkFloat(c *checker, n *node) {
	c.require(n.args[0], likeNumber|isText, "float takes a number or a string")
	n.kinds = isFloat
}

func checkText(c *checker, n *node) {
	c.require(n.args[0], likeNumber|isText|isBool, "text takes a number, a string, or a bool")
	n.kinds = isText
}

func checkJSON(_ *checker, n *node) { n.kinds = isText }
