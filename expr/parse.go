package expr

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nearest"
)

// Limits of an expression.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // levels of nested parentheses, calls, lists, prefixes, and conditions
)

// A parser parses an expression by recursive descent, with one level per precedence.
type parser struct {
	lexer
	depth int
}

// parse parses all of text.
func parse(text string) (*node, *Error) {
	if len(text) > maxText {
		return nil, &Error{At: maxText, Text: "an expression of " + strconv.Itoa(len(text)) + " bytes; at most " +
			strconv.Itoa(maxText) + " are read"}
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return nil, &Error{At: i, Text: "a byte that is not UTF-8"}
		}
	}
	p := &parser{lexer: lexer{text: text}}
	p.next()
	if p.err == nil && p.token.kind == endOfText {
		p.addError(0, "expected an expression, found nothing", "")
	}
	n := p.parseExpression()
	if p.err == nil && p.token.kind != endOfText {
		p.unexpected("the end")
	}
	return n, p.err
}

// unexpected records the error of a token that is not the expected one.
func (p *parser) unexpected(expected string) {
	if p.err != nil {
		return
	}
	t := p.token
	if t.kind == endOfText {
		p.addError(t.at, "the expression ends; expected "+expected, "")
		return
	}
	word := p.text[t.at:t.end]
	p.addError(t.at, "found "+quoteShort(word)+"; expected "+expected, suggest(word))
}

// enterLevel increments the nesting depth, and reports whether parsing can go on.
func (p *parser) enterLevel() bool {
	if p.depth++; p.depth > maxDepth {
		p.addError(p.token.at, "nested more than "+strconv.Itoa(maxDepth)+" deep", "")
	}
	return p.err == nil
}

func (p *parser) is(sign string) bool { return p.token.kind == signToken && p.token.sign == sign }

// accept reads a sign if it is the next token, and reports whether it is.
func (p *parser) accept(sign string) bool {
	if !p.is(sign) {
		return false
	}
	p.next()
	return true
}

// expect reads a sign, and records an error if it is not the next token.
func (p *parser) expect(sign, expected string) {
	if !p.accept(sign) {
		p.unexpected(expected)
	}
}

// newNode returns a node that begins at offset at and ends with its last argument, or with the next token.
func (p *parser) newNode(op op, at, sign int, args ...*node) *node {
	end := p.token.end
	if len(args) > 0 {
		end = args[len(args)-1].end
	}
	return &node{op: op, source: p.text, at: at, sign: sign, end: end, args: args}
}

// parseExpression parses a condition with two results, or an expression of higher precedence.
func (p *parser) parseExpression() *node {
	n := p.parseBinary(0)
	if !p.is("?") || !p.enterLevel() {
		return n
	}
	sign := p.token.at
	p.next()
	yes := p.parseExpression()
	p.expect(":", `":"`)
	no := p.parseExpression()
	p.depth--
	return p.newNode(opCond, n.at, sign, n, yes, no)
}

// An operator is a binary operator.
type operator struct {
	sign  string
	op    op
	level int // precedence; higher levels bind more tightly
}

// operators are all binary operators, in the order of their precedence.
var operators = [...]operator{
	{"||", opOr, 0},
	{"&&", opAnd, 1},
	{"==", opEqual, 2}, {"!=", opUnequal, 2}, {"<", opLess, 2}, {"<=", opAtMost, 2}, {">", opMore, 2},
	{">=", opAtLeast, 2}, {"in", opIn, 2},
	{"+", opAdd, 3}, {"-", opSubtract, 3},
	{"*", opMultiply, 4}, {"/", opDivide, 4}, {"%", opRemainder, 4},
}

const levels = 5

// parseBinary parses operators of this level and above. They associate to the left.
func (p *parser) parseBinary(level int) *node {
	if level == levels {
		return p.parseUnary()
	}
	n := p.parseBinary(level + 1)
	for p.err == nil {
		o := p.nextOperator()
		if o == nil || o.level != level {
			break
		}
		sign := p.token.at
		p.next()
		n = p.newNode(o.op, n.at, sign, n, p.parseBinary(level+1))
	}
	return n
}

// nextOperator returns the operator that is the next token, or nil.
func (p *parser) nextOperator() *operator {
	if p.token.kind != signToken {
		return nil
	}
	for i := range operators {
		if operators[i].sign == p.token.sign {
			return &operators[i]
		}
	}
	return nil
}

// parseUnary parses an operand and the prefixes before it.
func (p *parser) parseUnary() *node {
	at := p.token.at
	switch {
	case p.accept("!"):
		return p.parsePrefixed(opNot, at)
	case p.accept("-"):
		if p.token.at == at+1 && (p.token.kind == intToken || p.token.kind == floatToken) {
			return p.parseNumber(at)
		}
		return p.parsePrefixed(opNegate, at)
	}
	return p.parseOperand()
}

func (p *parser) parsePrefixed(o op, at int) *node {
	if !p.enterLevel() {
		return p.placeholder()
	}
	n := p.newNode(o, at, at, p.parseUnary())
	p.depth--
	return n
}

// placeholder returns a node for an operand that is missing because of an error.
func (p *parser) placeholder() *node { return p.newNode(opNull, p.token.at, p.token.at) }

// parseOperand parses a value, and the elements and comprehensions after it.
func (p *parser) parseOperand() *node {
	n := p.parseValue()
	for p.err == nil {
		switch {
		case p.is("["):
			n = p.parseElement(n)
		case p.accept("."):
			n = p.parseMethod(n)
		default:
			return n
		}
	}
	return n
}

// parseElement parses an index in brackets.
func (p *parser) parseElement(list *node) *node {
	sign := p.token.at
	if !p.enterLevel() {
		return list
	}
	p.next()
	n := p.newNode(opElement, list.at, sign, list, p.parseExpression())
	n.end = p.token.end
	p.expect("]", `"]"`)
	p.depth--
	return n
}

// parseMethod parses a comprehension after a list and a dot.
func (p *parser) parseMethod(list *node) *node {
	t := p.token
	name := p.text[t.at:t.end]
	if t.kind != nameToken || comprehensions[name].usage == "" {
		text := "found " + quoteShort(name) + "; expected a comprehension"
		p.addError(t.at, text, cmp.Or(usage(name),
			"the comprehensions are "+strings.Join(slices.Sorted(maps.Keys(comprehensions)), ", ")))
		return list
	}
	p.next()
	return p.parseComprehension(name, t.at, list)
}

// parseComprehension parses the variable and the expression of a comprehension. Its name is at the
// offset at.
func (p *parser) parseComprehension(name string, at int, list *node) *node {
	of := comprehensions[name]
	p.expect("(", `"("`)
	v := p.token
	variable := p.text[v.at:v.end]
	switch constant := variable == "true" || variable == "false" || variable == "null"; {
	case p.err != nil || !p.enterLevel():
		return list
	case v.kind != nameToken || constant || strings.ContainsAny(variable, "@."):
		p.addError(v.at, name+" takes the name of a variable, found "+quoteShort(variable), of.usage)
		return list
	}
	p.next()
	p.expect(",", `","`)
	n := p.newNode(of.op, list.at, at, list, p.parseExpression())
	n.text, n.variable, n.end = name, variable, p.token.end
	if p.err == nil && p.is(",") {
		p.addError(p.token.at, name+" takes a variable and one expression", of.usage)
	}
	p.expect(")", `")"`)
	p.depth--
	return n
}

// parseValue parses a literal, a column, a call, a list, or an expression in parentheses.
func (p *parser) parseValue() *node {
	t := p.token
	switch {
	case t.kind == intToken || t.kind == floatToken:
		return p.parseNumber(t.at)
	case t.kind == textToken:
		return p.parseString()
	case t.kind == nameToken:
		return p.parseName()
	case p.is("("):
		return p.parseParentheses()
	case p.is("["):
		return p.parseList()
	}
	p.unexpected("a value")
	return p.placeholder()
}

// parseParentheses parses an expression in parentheses, which are part of its range.
func (p *parser) parseParentheses() *node {
	at := p.token.at
	if !p.enterLevel() {
		return p.placeholder()
	}
	p.next()
	n := p.parseExpression()
	end := p.token.end
	p.expect(")", `")"`)
	p.depth--
	n.at, n.end = at, end
	return n
}

// parseList parses values in brackets.
func (p *parser) parseList() *node {
	at := p.token.at
	p.next()
	args, end := p.parseValues("]")
	n := p.newNode(opList, at, at, args...)
	n.end = end
	return n
}

// parseValues parses values separated by commas, and the closing sign.
func (p *parser) parseValues(closing string) (args []*node, end int) {
	if !p.enterLevel() {
		return nil, p.token.at
	}
	for !p.is(closing) && p.err == nil {
		args = append(args, p.parseExpression())
		if !p.accept(",") {
			break
		}
	}
	end = p.token.end
	p.expect(closing, `"," or "`+closing+`"`)
	p.depth--
	return args, end
}

// parseName parses a constant, a call, or a column, which begin with a name.
func (p *parser) parseName() *node {
	t := p.token
	name := p.text[t.at:t.end]
	n := p.newNode(opColumn, t.at, t.at)
	n.text = name
	p.next()
	switch {
	case p.is("("):
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 && comprehensions[name[dot+1:]].usage != "" {
			n.text, n.end = name[:dot], t.at+dot
			return p.parseComprehension(name[dot+1:], t.at+dot+1, n)
		}
		return p.parseCall(n)
	case name == "true" || name == "false":
		n.op = opBool
		if name == "true" {
			n.int = 1
		}
	case name == "null":
		n.op = opNull
	case p.token.kind == nameToken || p.token.kind == textToken || p.token.kind == intToken:
		rest := p.text[p.token.at:]
		p.unexpected("an operator")
		p.err.Hint = cmp.Or(p.err.Hint, suggest(name))
		if strings.HasPrefix(rest, "not in ") {
			p.err.Hint = `write '!(A in B)', in quotes`
		}
	}
	return n
}

// parseCall parses the arguments of a function.
func (p *parser) parseCall(n *node) *node {
	name := n.text
	f := functions[name]
	if f == nil {
		p.unknownFunction(n)
		return n
	}
	p.next()
	n.op, n.function = opCall, f
	n.args, n.end = p.parseValues(")")
	if ok, expected := f.accepts(len(n.args)); !ok && p.err == nil {
		p.addError(n.at, name+" takes "+expected+", found "+strconv.Itoa(len(n.args)), f.usage)
	}
	return n
}

// functionSuggestions maps functions of other languages to functions of this language.
var functionSuggestions = map[string]string{
	"len": "size", "length": "size", "str": "text", "string": "text", "double": "float", "ln": "log", "has": "missing",
	"isnull": "missing", "is_null": "missing",
	"strip": "trim", "regexp": "matches", "regex": "matches", "like": "matches", "substring": "substr",
	"tolower": "lower",
	"toupper": "upper",
}

func (p *parser) unknownFunction(n *node) {
	dot := strings.LastIndexByte(n.text, '.')
	name, hint := n.text[dot+1:], ""
	if dot >= 0 && functions[name] != nil {
		hint = "write " + name + "(" + n.text[:dot] + ", …)"
	}
	p.addError(n.at, "there is no function "+quoteShort(n.text), cmp.Or(hint, comprehensions[name].usage,
		usage(functionSuggestions[n.text]), suggest(n.text), usage(nearest.Of(name, functionNames())),
		"the functions are "+strings.Join(functionNames(), ", ")))
}
