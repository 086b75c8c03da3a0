package expr

import (
	"math"
	"slices"
	"strconv"
)

// A function is what a name with parentheses calls.
type function struct {
	usage       string
	least, most int // arguments
	check       func(c *checker, n *node)
	isColumn    bool // it names a column

	// how it is computed: as one of these
	int   func(n *node) intFn
	float func(n *node) floatFn
	num   func(n *node) numFn // of ints and floats alike
	text  func(n *node) textFn
	bool  func(n *node) boolFn
}

const anyNumber = maxText // of arguments

// functions are all of them, by name.
var functions = map[string]*function{
	"column":      {usage: `column("odd name")`, least: 1, most: 1, isColumn: true},
	"missing":     {usage: "missing(column)", least: 1, most: 1, check: checkMissing, bool: missing},
	"size":        {usage: "size(text) or size(list)", least: 1, most: 1, check: checkSize, int: sizeOf},
	"lower":       {usage: "lower(text)", least: 1, most: 1, check: checkTexts(isText), text: changed(appendLower)},
	"upper":       {usage: "upper(text)", least: 1, most: 1, check: checkTexts(isText), text: changed(appendUpper)},
	"trim":        {usage: "trim(text)", least: 1, most: 1, check: checkTexts(isText), text: trimmed},
	"contains":    {usage: "contains(text, part)", least: 2, most: 2, check: checkTexts(isBool), bool: compared(contains)},
	"starts_with": {usage: "starts_with(text, start)", least: 2, most: 2, check: checkTexts(isBool), bool: compared(startsWith)},
	"ends_with":   {usage: "ends_with(text, end)", least: 2, most: 2, check: checkTexts(isBool), bool: compared(endsWith)},
	"matches":     {usage: `matches(text, r"^\d+$")`, least: 2, most: 2, check: checkMatches, bool: matches},
	"substr":      {usage: "substr(text, start) or substr(text, start, length)", least: 2, most: 3, check: checkSubstr, text: substr},
	"int":         {usage: "int(value)", least: 1, most: 1, check: checkInt, int: toInt},
	"float":       {usage: "float(value)", least: 1, most: 1, check: checkFloat, float: toFloat},
	"text":        {usage: "text(value)", least: 1, most: 1, check: checkText, text: toText},
	"abs":         {usage: "abs(number)", least: 1, most: 1, check: checkNumbers, num: absolute},
	"min":         {usage: "min(number, number, …)", least: 2, most: anyNumber, check: checkNumbers, num: extreme(less)},
	"max":         {usage: "max(number, number, …)", least: 2, most: anyNumber, check: checkNumbers, num: extreme(more)},
	"floor":       {usage: "floor(number)", least: 1, most: 1, check: checkNumbers, num: rounded(math.Floor)},
	"ceil":        {usage: "ceil(number)", least: 1, most: 1, check: checkNumbers, num: rounded(math.Ceil)},
	"round":       {usage: "round(number)", least: 1, most: 1, check: checkNumbers, num: rounded(math.Round)},
	"sqrt":        {usage: "sqrt(number)", least: 1, most: 1, check: checkReal, float: squareRoot},
	"log":         {usage: "log(number)", least: 1, most: 1, check: checkReal, float: logarithm},
}

// functionNames are the names of all functions, sorted.
func functionNames() []string {
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// counts says how many arguments f takes.
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

// checkTexts checks functions of texts that give a kind.
func checkTexts(gives kinds) func(c *checker, n *node) {
	return func(c *checker, n *node) {
		for _, a := range n.args {
			c.wants(a, likeText, n.text+" takes a text")
		}
		n.kinds = gives
	}
}

// checkNumbers checks functions of numbers that give an int of ints.
func checkNumbers(c *checker, n *node) {
	n.kinds = isInt
	for i, a := range n.args {
		c.wants(a, likeNumber, n.text+" takes a number")
		if i == 0 {
			n.kinds = arithmetic(a.kinds, isInt)
			continue
		}
		n.kinds = arithmetic(n.kinds, a.kinds)
	}
}

// checkReal checks functions of numbers that give a float.
func checkReal(c *checker, n *node) {
	c.wants(n.args[0], likeNumber, n.text+" takes a number")
	n.kinds = isFloat
}

func checkMissing(c *checker, n *node) {
	if n.args[0].op != opColumn {
		c.fault(n.args[0].at, "missing takes a column, found "+n.args[0].part(), n.function.usage)
	}
	n.kinds = isBool
}

func checkSize(c *checker, n *node) {
	c.wants(n.args[0], likeText|isList, "size takes a text or a list")
	n.kinds = isInt
}

func checkMatches(c *checker, n *node) {
	c.wants(n.args[0], likeText, "matches takes a text")
	n.kinds = isBool
	if n.args[1].op != opText {
		c.fault(n.args[1].at, "matches takes a pattern in quotes, found "+n.args[1].part(), n.function.usage)
		return
	}
	var err *Error
	if n.pattern, err = compilePattern(n.args[1]); err != nil && c.err == nil {
		c.err = err
	}
}

func checkSubstr(c *checker, n *node) {
	c.wants(n.args[0], likeText, "substr takes a text")
	for _, a := range n.args[1:] {
		c.wants(a, isInt|isCell, "substr takes ints after the text")
	}
	n.kinds = isText
}

func checkInt(c *checker, n *node) {
	c.wants(n.args[0], likeNumber|isText|isBool, "int takes a number, a text or a bool")
	n.kinds = isInt
}

func checkFloat(c *checker, n *node) {
	c.wants(n.args[0], likeNumber|isText, "float takes a number or a text")
	n.kinds = isFloat
}

func checkText(c *checker, n *node) {
	c.wants(n.args[0], likeNumber|isText|isBool, "text takes a number, a text or a bool")
	n.kinds = isText
}
