package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nearest"
)

// Limits of an expression.
const (
	maxText  = 64 << 10 // bytes
	maxDepth = 200      // parentheses, calls, lists, signs before and conditions in one another
)

// A parser reads an expression, by the precedence of its operators.
type parser struct {
	lexer
	depth int
}

// parse reads all of text.
func parse(text string) (*node, *Error) {
	if len(text) > maxText {
		return nil, &Error{At: maxText, Text: "an expression of " + strconv.Itoa(len(text)) + " bytes; at most " + strconv.Itoa(maxText) + " are read"}
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return nil, &Error{At: i, Text: "a byte that is not UTF-8"}
		}
	}
	p := &parser{lexer: lexer{text: text}}
	p.next()
	if p.err == nil && p.token.kind == endOfText {
		p.fault(0, "an expression is wanted, and nothing is there", "")
	}
	n := p.expression()
	if p.err == nil && p.token.kind != endOfText {
		p.unexpected("the end")
	}
	return n, p.err
}

// unexpected says that a token is not what is wanted there.
func (p *parser) unexpected(wanted string) {
	if p.err != nil {
		return
	}
	t := p.token
	if t.kind == endOfText {
		p.fault(t.at, "the expression ends where "+wanted+" is wanted", "")
		return
	}
	word, hint := p.text[t.at:t.end], ""
	if meant := instead[word]; meant != "" {
		hint = "write " + meant
	} else if word == "[" {
		hint = "a.0 names the first element of the list a"
	}
	p.fault(t.at, "found "+shown(word)+" where "+wanted+" is wanted", hint)
}

// enter counts a level of nesting, and reports whether there may be one more.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fault(p.token.at, "nested more than "+strconv.Itoa(maxDepth)+" deep", "")
	}
	return p.err == nil
}

func (p *parser) is(sign string) bool { return p.token.kind == signToken && p.token.sign == sign }

// take reads a sign, if it is the next token.
func (p *parser) take(sign string) bool {
	if !p.is(sign) {
		return false
	}
	p.next()
	return true
}

// want reads a sign that has to be there.
func (p *parser) want(sign, wanted string) {
	if !p.take(sign) {
		p.unexpected(wanted)
	}
}

// make is a node over the text from at to the end of the last node.
func (p *parser) make(op op, at, sign int, args ...*node) *node {
	end := sign
	if len(args) > 0 {
		end = args[len(args)-1].end
	}
	return &node{op: op, whole: p.text, at: at, sign: sign, end: end, args: args}
}

// expression reads a condition with its two results, or what has a higher precedence.
func (p *parser) expression() *node {
	n := p.binary(0)
	if !p.is("?") {
		return n
	}
	if !p.enter() {
		return n
	}
	sign := p.token.at
	p.next()
	yes := p.expression()
	p.want(":", `":"`)
	no := p.expression()
	p.depth--
	return p.make(opCond, n.at, sign, n, yes, no)
}

// An operator stands between its operands.
type operator struct {
	sign  string
	op    op
	level int // of precedence: higher ones take their operands first
}

// operators are all of them, in the order of their precedence.
var operators = [...]operator{
	{"||", opOr, 0},
	{"&&", opAnd, 1},
	{"==", opEqual, 2}, {"!=", opUnequal, 2}, {"<", opLess, 2}, {"<=", opAtMost, 2}, {">", opMore, 2}, {">=", opAtLeast, 2}, {"in", opIn, 2},
	{"+", opAdd, 3}, {"-", opSubtract, 3},
	{"*", opMultiply, 4}, {"/", opDivide, 4}, {"%", opRemainder, 4},
}

const levels = 5

// binary reads operands and operators of a level and of those above it, from left
// to right.
func (p *parser) binary(level int) *node {
	if level == levels {
		return p.unary()
	}
	n := p.binary(level + 1)
	for p.err == nil {
		o := p.operator()
		if o == nil || o.level != level {
			break
		}
		sign := p.token.at
		p.next()
		n = p.make(o.op, n.at, sign, n, p.binary(level+1))
	}
	return n
}

// operator is what the next token is; nil for none.
func (p *parser) operator() *operator {
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

// unary reads the signs that stand before an operand.
func (p *parser) unary() *node {
	at := p.token.at
	switch {
	case p.is("!"):
		p.next()
		return p.prefixed(opNot, at)
	case p.is("-"):
		p.next()
		if p.token.at == at+1 && (p.token.kind == intToken || p.token.kind == floatToken) {
			return p.literal(at)
		}
		return p.prefixed(opNegate, at)
	}
	return p.operand()
}

func (p *parser) prefixed(o op, at int) *node {
	if !p.enter() {
		return p.nothing()
	}
	n := p.make(o, at, at, p.unary())
	p.depth--
	return n
}

// nothing stands for what a fault left out.
func (p *parser) nothing() *node { return p.make(opNull, p.token.at, p.token.at) }

// operand reads a literal, a column, a call, a list, or an expression in parentheses.
func (p *parser) operand() *node {
	t := p.token
	switch {
	case t.kind == intToken || t.kind == floatToken:
		return p.literal(t.at)
	case t.kind == textToken:
		return p.textLiteral()
	case t.kind == nameToken:
		return p.named()
	case p.is("("):
		return p.parenthesised()
	case p.is("["):
		return p.list()
	}
	p.unexpected("a value")
	return p.nothing()
}

// parenthesised reads an expression in parentheses, which belong to its place.
func (p *parser) parenthesised() *node {
	at := p.token.at
	if !p.enter() {
		return p.nothing()
	}
	p.next()
	n := p.expression()
	end := p.token.end
	p.want(")", `")"`)
	p.depth--
	n.at, n.end = at, end
	return n
}

// list reads values in brackets.
func (p *parser) list() *node {
	at := p.token.at
	p.next()
	args, end := p.values("]")
	n := p.make(opList, at, at, args...)
	n.end = end
	return n
}

// values reads values with commas between them, and the sign that closes them.
func (p *parser) values(closing string) (args []*node, end int) {
	if !p.enter() {
		return nil, p.token.at
	}
	for !p.is(closing) && p.err == nil {
		args = append(args, p.expression())
		if !p.take(",") {
			break
		}
	}
	end = p.token.end
	p.want(closing, `"," or "`+closing+`"`)
	p.depth--
	return args, end
}

// named reads what begins with a name: a word of the language, a call or a column.
func (p *parser) named() *node {
	t := p.token
	name := p.text[t.at:t.end]
	p.next()
	n := p.make(opColumn, t.at, t.at)
	n.end, n.text = t.end, name
	switch {
	case p.is("("):
		return p.called(n)
	case name == "true" || name == "false":
		n.op = opBool
		if name == "true" {
			n.int = 1
		}
	case name == "null":
		n.op = opNull
	case p.token.kind == nameToken || p.token.kind == textToken || p.token.kind == intToken:
		p.unexpected("an operator")
		if p.err.Hint == "" && instead[name] != "" {
			p.err.Hint = "write " + instead[name]
		}
	}
	return n
}

// called reads the arguments of a function.
func (p *parser) called(n *node) *node {
	name := n.text
	f := functions[name]
	if f == nil {
		p.unknownFunction(n)
		return n
	}
	p.next()
	n.op, n.function = opCall, f
	n.args, n.end = p.values(")")
	if p.err == nil && (len(n.args) < f.least || len(n.args) > f.most) {
		p.err = &Error{At: n.at, Text: name + " takes " + f.counts() + ", found " + strconv.Itoa(len(n.args)), Hint: f.usage}
	}
	return n
}

// foreign are functions of other languages, and what they are here.
var foreign = map[string]string{
	"len": "size", "length": "size", "str": "text", "string": "text", "double": "float", "ln": "log", "has": "missing", "isnull": "missing", "is_null": "missing",
	"strip": "trim", "regexp": "matches", "regex": "matches", "like": "matches", "substring": "substr", "tolower": "lower", "toupper": "upper",
}

func (p *parser) unknownFunction(n *node) {
	text, hint := "there is no function "+shown(n.text), ""
	if dot := strings.LastIndexByte(n.text, '.'); dot >= 0 && functions[n.text[dot+1:]] != nil {
		hint = "write " + n.text[dot+1:] + "(" + n.text[:dot] + ", …)"
	} else if other := functions[foreign[n.text]]; other != nil {
		hint = other.usage
	} else if near := nearest.Of(n.text[dot+1:], functionNames()); near != "" {
		hint = functions[near].usage
	} else {
		hint = "the functions are " + strings.Join(functionNames(), ", ")
	}
	p.fault(n.at, text, hint)
}
