package expr

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode"

	"tfr-build/internal/plural"
)

// A parameter is what a function takes as an argument.
type parameter struct {
	kinds kinds
	noun  string // after "takes"
}

// A function is a function of the language.
type function struct {
	usage    string
	takes    []parameter
	optional int                       // how many parameters may have no argument
	isOpen   bool                      // arguments may follow, as the last parameter
	result   kinds                     // of its values; 0 if they are ints for ints, and otherwise floats
	refine   func(c *checker, n *node) // checks more, and sets what is known about elements; may be nil
	isColumn bool                      // it names a column

	compute func(e *eval, n *node) datum // nil if it names a column
}

// Parameters of several functions.
var (
	oneValue   = []parameter{{anything, "a value"}}
	oneText    = []parameter{{likeText, "a string"}}
	twoTexts   = []parameter{{likeText, "a string"}, {likeText, "a string"}}
	oneNumber  = []parameter{{likeNumber, "a number"}}
	twoNumbers = []parameter{{likeNumber, "a number"}, {likeNumber, "a number"}}
	oneScalar  = []parameter{{likeNumber | isText | isBool, "a number, a string, or a bool"}}
)

// functions are all functions, by name.
var functions = map[string]*function{
	"column":  {usage: `column("odd name")`, takes: oneValue, isColumn: true},
	"missing": {usage: "missing(column)", takes: oneValue, result: isBool, refine: refineMissing, compute: missing},
	"size": {usage: "size(text) or size(list)", takes: []parameter{{likeText | isList, "a string or a list"}},
		result: isInt, compute: sizeOf},
	"lower":    {usage: "lower(text)", takes: oneText, result: isText, compute: mapCase(unicode.ToLower)},
	"upper":    {usage: "upper(text)", takes: oneText, result: isText, compute: mapCase(unicode.ToUpper)},
	"trim":     {usage: "trim(text)", takes: oneText, result: isText, compute: trim},
	"contains": {usage: "contains(text, part)", takes: twoTexts, result: isBool, compute: compareTexts(bytes.Contains)},
	"starts_with": {usage: "starts_with(text, start)", takes: twoTexts, result: isBool,
		compute: compareTexts(bytes.HasPrefix)},
	"ends_with": {usage: "ends_with(text, end)", takes: twoTexts, result: isBool,
		compute: compareTexts(bytes.HasSuffix)},
	"matches": {usage: `matches(text, r"^\d+$")`, takes: append(oneText[:1:1], oneValue...), result: isBool,
		refine: refineMatches, compute: matches},
	"substr": {usage: "substr(text, start) or substr(text, start, length)", takes: []parameter{{likeText, "a string"},
		{isInt | isCell, "ints after the string"}, {isInt | isCell, "ints after the string"}}, optional: 1,
		result: isText, compute: substr},
	"split": {usage: `split(text, ",") or split(text, ",", 2)`, takes: []parameter{{likeText, "strings"},
		{likeText, "strings"}, {isInt | isCell, "an int after the strings"}}, optional: 1, result: isList,
		refine: refineSplit, compute: split},
	"zip": {usage: "zip(list, list)", takes: []parameter{{isList, "lists"}, {isList, "lists"}}, result: isList,
		refine: refineZip, compute: zip},
	"flatten": {usage: "flatten(list of lists)", takes: []parameter{{isList, "a list of lists"}}, result: isList,
		refine: refineFlatten, compute: flatten},
	"int": {usage: "int(value)", takes: oneScalar, result: isInt, compute: toInt},
	"float": {usage: "float(value)", takes: []parameter{{likeNumber | isText, "a number or a string"}}, result: isFloat,
		compute: toFloat},
	"json":  {usage: "json(value)", takes: oneValue, result: isText, compute: toJSON},
	"text":  {usage: "text(value)", takes: oneScalar, result: isText, compute: textOfValue},
	"abs":   {usage: "abs(number)", takes: oneNumber, compute: absolute},
	"min":   {usage: "min(number, number, …)", takes: twoNumbers, isOpen: true, compute: extreme(-1)},
	"max":   {usage: "max(number, number, …)", takes: twoNumbers, isOpen: true, compute: extreme(1)},
	"floor": {usage: "floor(number)", takes: oneNumber, compute: round(math.Floor)},
	"ceil":  {usage: "ceil(number)", takes: oneNumber, compute: round(math.Ceil)},
	"round": {usage: "round(number)", takes: oneNumber, compute: round(math.Round)},
	"sqrt":  {usage: "sqrt(number)", takes: oneNumber, result: isFloat, compute: real(math.Sqrt)},
	"log":   {usage: "log(number)", takes: oneNumber, result: isFloat, compute: real(logarithm)},
}

// functionNames returns the names of all functions, sorted.
func functionNames() []string { return slices.Sorted(maps.Keys(functions)) }

// usage returns the usage of a function; empty if it does not exist.
func usage(name string) string {
	if f := functions[name]; f != nil {
		return f.usage
	}
	return ""
}

// accepts reports whether f takes this number of arguments, and describes the numbers that it takes.
func (f *function) accepts(count int) (ok bool, expected string) {
	most := len(f.takes)
	least := most - f.optional
	expected = plural.Of(least, "argument")
	switch {
	case f.isOpen:
		return count >= least, expected + " or more"
	case f.optional > 0:
		expected = strconv.Itoa(least) + " or " + plural.Of(most, "argument")
	}
	return count >= least && count <= most, expected
}

// check checks the arguments of n, a call of f.
func (f *function) check(c *checker, n *node) {
	for i, a := range n.args {
		takes := f.takes[min(i, len(f.takes)-1)]
		c.require(a, takes.kinds, n.text+" takes "+takes.noun)
	}
	if f.refine != nil {
		f.refine(c, n)
	}
	if n.kinds = f.result; n.kinds != 0 {
		return
	}
	n.kinds = isInt
	for _, a := range n.args {
		n.kinds = arithmetic(n.kinds, a.kinds)
	}
}

func refineMissing(c *checker, n *node) {
	if !n.args[0].isRead() {
		c.addError(n.args[0].at, "missing takes a column, found "+n.args[0].snippet(), n.function.usage)
	}
}

func refineMatches(c *checker, n *node) {
	if n.args[1].op != opText {
		c.addError(n.args[1].at, "matches takes a pattern in quotes, found "+n.args[1].snippet(), n.function.usage)
		return
	}
	n.pattern = c.compilePattern(n.args[1])
}

func refineSplit(c *checker, n *node) {
	if by := n.args[1]; by.op == opText && by.text == "" {
		c.addError(by.at, "an empty separator", n.function.usage)
	}
	if most := n.args[len(n.args)-1]; most.op == opInt && most.int < 1 {
		c.addError(most.at, "at most "+strconv.FormatInt(most.int, 10)+" parts; expected 1 or more", n.function.usage)
	}
	n.elems = &elements{kinds: isText}
}

func refineZip(_ *checker, n *node) {
	a, b := n.args[0].elements(), n.args[1].elements()
	pair := &elements{kinds: a.kinds | b.kinds, elems: a.elems.merge(b.elems), pair: []*elements{a, b}}
	n.elems = &elements{kinds: isList, elems: pair}
}

func refineFlatten(c *checker, n *node) {
	list := n.args[0]
	of := list.elements()
	if of.kinds&isList == 0 {
		c.addError(list.at, "flatten takes a list of lists, found a list without lists: "+list.snippet(), "")
	}
	n.elems = of.elems
}
