package expr

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// printed formats an expression with parentheses around each part, so that precedence does not
// matter.
func printed(n *node) string {
	args := make([]string, len(n.args))
	for i, a := range n.args {
		args[i] = printed(a)
	}
	switch n.op {
	case opInt:
		return strconv.FormatInt(n.int, 10)
	case opFloat:
		return strconv.FormatFloat(n.float, 'e', -1, 64)
	case opText:
		return literalOf(n.text)
	case opBool:
		return strconv.FormatBool(n.int == 1)
	case opNull:
		return "null"
	case opColumn:
		if columnName(n.text) {
			return n.text
		}
		return "column(" + literalOf(n.text) + ")"
	case opList:
		return "[" + strings.Join(args, ", ") + "]"
	case opNot:
		return "(!" + args[0] + ")"
	case opNegate:
		return "(- " + args[0] + ")" // with a space, or it belonged to a number
	case opCond:
		return "(" + args[0] + " ? " + args[1] + " : " + args[2] + ")"
	case opElement:
		return args[0] + "[" + args[1] + "]"
	case opMap, opFilter, opExists, opAll:
		return "(" + args[0] + ")." + n.text + "(" + n.variable + ", " + args[1] + ")"
	case opCall:
		return n.text + "(" + strings.Join(args, ", ") + ")"
	}
	return "(" + args[0] + " " + n.operator() + " " + args[1] + ")"
}

// columnName reports whether a column can be named without the function column.
func columnName(text string) bool {
	l := lexer{text: text}
	l.next()
	return l.err == nil && l.token.kind == nameToken && l.token.end == len(text) && l.token.at == 0 && text != "true" &&
		text != "false" && text != "null" &&
		!strings.ContainsAny(text, " \t\r\n")
}

// literalOf formats a string with escapes for unusual characters.
func literalOf(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r > '~':
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// TestPrecedence parses operators without parentheses.
func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		"a + b * c":                "(a + (b * c))",
		"a * b + c":                "((a * b) + c)",
		"a - b - c":                "((a - b) - c)",
		"a / b * c % d":            "(((a / b) * c) % d)",
		"a || b && c":              "(a || (b && c))",
		"a && b || c && d":         "((a && b) || (c && d))",
		"a == b && c != d":         "((a == b) && (c != d))",
		"a + 1 < b * 2":            "((a + 1) < (b * 2))",
		"!a && b":                  "((!a) && b)",
		"!a == b":                  "((!a) == b)",
		"-a * b":                   "((- a) * b)",
		"-a.b + 1":                 "((- a.b) + 1)",
		"- 1":                      "(- 1)",
		"a -1":                     "(a - 1)",
		"a - -1":                   "(a - -1)",
		"a--1":                     "(a - -1)",
		"--a":                      "(- (- a))",
		"a ? b : c ? d : e":        "(a ? b : (c ? d : e))",
		"a ? b ? c : d : e":        "(a ? (b ? c : d) : e)",
		"a || b ? c : d":           "((a || b) ? c : d)",
		"a in [1, 2] && b":         "((a in [1, 2]) && b)",
		"a + b in [c]":             "((a + b) in [c])",
		"a in b == c":              "((a in b) == c)",
		"a < b == c < d":           "(((a < b) == c) < d)",
		"(a + b) * c":              "((a + b) * c)",
		"min(a + 1, b) * 2":        "(min((a + 1), b) * 2)",
		"a.b.c - a.0.x":            "(a.b.c - a.0.x)",
		"column('a b')+größe":      `(column("a b") + größe)`,
		"1 + .5e1":                 "(1 + 5e+00)",
		`r"\d" + '\''`:             `("\\d" + "'")`,
		"\n a\t+\r\n b ":           "(a + b)",
		"not_in in [1,]":           "(not_in in [1])",
		"missing(a)?null:true":     "(missing(a) ? null : true)",
		"-9223372036854775808 - 1": "(-9223372036854775808 - 1)",
		"0x7f":                     "127",
		"a%b-c/d":                  "((a % b) - (c / d))",
		"-a[0] + b.c[i + 1]":       "((- a[0]) + b.c[(i + 1)])",
		"a[0][1]":                  "a[0][1]",
		"a.b.map(x, -x)[0] * 2":    "((a.b).map(x, (- x))[0] * 2)",
		"!a.all(x, x > 0) && b":    "((!(a).all(x, (x > 0))) && b)",
		"f in [1].filter(x, true)": "(f in ([1]).filter(x, true))",
		"split(a, ',').map(x, x) . exists(y, y.map(z, z)[0])": `((split(a, ",")).map(x, x)).exists(y, (y).map(z, ` +
			`z)[0])`,
	} {
		n, err := parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := printed(n); got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

// A tree is a random expression: with the necessary parentheses, with all parentheses, and the
// level of its operator.
type tree struct {
	few, all string
	level    int
}

// TestParentheses draws expressions and writes them with the fewest parentheses, by the levels of
// docs/reference/expressions.md, and with all. Both are parsed to the same expression.
func TestParentheses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range testenv.Times(3000, 30_000, 2_000_000) {
		drawn := draw(random, 5)
		few, err := parse(drawn.few)
		if err != nil {
			t.Fatalf("%s: %v", drawn.few, err)
		}
		all, err := parse(drawn.all)
		if err != nil {
			t.Fatalf("%s: %v", drawn.all, err)
		}
		if printed(few) != printed(all) {
			t.Fatalf("%s is %s, and %s is %s", drawn.few, printed(few), drawn.all, printed(all))
		}
	}
}

const highest = 9

// draw returns a random expression of a depth.
func draw(random *rand.Rand, depth int) tree {
	if depth == 0 || random.IntN(4) == 0 {
		leaf := []string{"a", "b.c", "1", "2.5", `"x"`, "true", "null", "[1, 2]", "size(a)", "a[0]", "a.map(x, x)",
			"[1].all(x, x)"}[random.IntN(12)]
		return tree{leaf, leaf, highest}
	}
	sub := func() tree { return draw(random, depth-1) }
	switch random.IntN(8) {
	case 0:
		a := sub()
		return tree{"!" + a.within(6), "(!" + a.all + ")", 6}
	case 1:
		a := sub()
		return tree{"- " + a.within(6), "(- " + a.all + ")", 6}
	case 2:
		a, b, c := sub(), sub(), sub()
		return tree{a.within(1) + "?" + b.few + ":" + c.few, "(" + a.all + " ? " + b.all + " : " + c.all + ")", 0}
	}
	o := [...]struct {
		sign  string
		level int
	}{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<", 3}, {"<=", 3}, {">", 3}, {">=", 3}, {" in ", 3}, {"+", 4},
		{"- ", 4}, {"*", 5}, {"/", 5}, {"%", 5}}[random.IntN(14)]
	a, b := sub(), sub()
	return tree{a.within(o.level) + o.sign + b.within(o.level+1), "(" + a.all + o.sign + b.all + ")", o.level}
}

// within returns t as an operand of this level.
func (t tree) within(level int) string {
	if t.level < level {
		return "(" + t.few + ")"
	}
	return t.few
}
