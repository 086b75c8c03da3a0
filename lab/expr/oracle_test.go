// Package expr compares package expr with CEL's own implementation, on what the two
// languages share: random expressions over random values, of which both give the same
// or neither returns one.
//
//	go -C lab test ./expr -n 2000
//	go -C lab test ./expr -run - -bench Where
//
// An expression is drawn once and written twice. Where the languages differ on
// purpose, CEL's is written so that it says the same: a quotient is one of doubles, a
// double that is not finite is an error, &&, || and in look at their left side first, and
// -2^63 is an int.
package expr

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"

	"tfr-build/expr"
	"tfr-build/schema"
)

var count = flag.Int("n", 2000, "try so many expressions")

// A pair is an expression in both languages. In ours, a column is written as {i}, because
// cells are written with what makes them numbers and texts.
type pair struct{ ours, cel string }

func same(format string, args ...pair) pair { return both(format, format, args...) }

// both fills in arguments: %s in each language.
func both(ours, cel string, args ...pair) pair {
	a, b := make([]any, len(args)), make([]any, len(args))
	for i, arg := range args {
		a[i], b[i] = arg.ours, arg.cel
	}
	return pair{fmt.Sprintf(ours, a...), fmt.Sprintf(cel, b...)}
}

// A maker draws expressions.
type maker struct{ *rand.Rand }

func (m maker) one(of ...string) string { return of[m.IntN(len(of))] }

// leaf says whether a value is to be one without parts.
func (m maker) leaf(depth int) bool { return depth <= 0 || m.IntN(4) == 0 }

func column(name string) pair { return pair{"{" + name + "}", name} }

func (m maker) ints(depth int) pair {
	if m.leaf(depth) {
		if m.IntN(2) == 0 {
			return column(m.one("i1", "i2"))
		}
		return same(m.one("0", "1", "-1", "7", "100", "9223372036854775807", "-9223372036854775808", "0x1f"))
	}
	a := m.ints(depth - 1)
	switch m.IntN(12) {
	case 0:
		return same("(%s + %s)", a, m.ints(depth-1))
	case 1:
		return same("(%s - %s)", a, m.ints(depth-1))
	case 2:
		return same("(%s * %s)", a, m.ints(depth-1))
	case 3:
		return same("(%s %% "+m.one("2", "3", "-4", "10", "0")+")", a)
	case 4:
		return same("(-%s)", same("(%s)", a))
	case 5:
		return same("size(%s)", m.texts(depth-1))
	case 6:
		return both("abs(%s)", "math.abs(%s)", a)
	case 7:
		return both("min(%s, %s)", "math.least(%s, %s)", a, m.ints(depth-1))
	case 8:
		return both("max(%s, %s, %s)", "math.greatest(%s, %s, %s)", a, m.ints(depth-1), m.ints(depth-1))
	case 9:
		return both("int(%[1]s)", "(%[1]s == -9223372036854775808.0 ? -9223372036854775808 : int(%[1]s))",
			m.floats(depth-1))
	case 10:
		return both("int(%s)", "(%s ? 1 : 0)", m.bools(depth-1))
	}
	return same("(%s ? %s : %s)", m.bools(depth-1), a, m.ints(depth-1))
}

func (m maker) floats(depth int) pair {
	if m.leaf(depth) {
		if m.IntN(2) == 0 {
			return column(m.one("f1", "f2"))
		}
		return same(m.one("0.0", "1.5", "-2.25", "1e300", "0.1", "1e-300", ".5"))
	}
	a, b := m.floats(depth-1), m.floats(depth-1)
	if m.IntN(4) == 0 {
		b = both("%s", "double(%s)", m.ints(depth-1))
	}
	switch m.IntN(10) {
	case 0:
		return both("(%s + %s)", "finite(%s + %s)", a, b)
	case 1:
		return both("(%s - %s)", "finite(%s - %s)", a, b)
	case 2:
		return both("(%s * %s)", "finite(%s * %s)", a, b)
	case 3:
		return both("(%s / %s)", "finite(%s / %s)", a, b)
	case 4:
		return both("(%s / %s)", "finite(double(%s) / double(%s))", m.ints(depth-1), m.ints(depth-1))
	case 5:
		name := m.one("floor", "ceil", "round", "abs")
		return both(name+"(%s)", "math."+name+"(%s)", a)
	case 6:
		return both("sqrt(%s)", "finite(math.sqrt(%s))", a)
	case 7:
		return both("float(%s)", "double(%s)", m.ints(depth-1))
	case 8:
		return both("max(%s, %s)", "math.greatest(%s, %s)", a, m.floats(depth-1))
	}
	return same("(%s ? %s : %s)", m.bools(depth-1), a, m.floats(depth-1))
}

func (m maker) texts(depth int) pair {
	if m.leaf(depth) {
		if m.IntN(2) == 0 {
			return column(m.one("s1", "s2"))
		}
		return same(m.one(`""`, `"ab"`, `'x y'`, `" \t12 "`, `"中文"`, `"\u00e9\x41\101"`, `r"\d"`, `"Taxi"`))
	}
	a := m.texts(depth - 1)
	switch m.IntN(8) {
	case 0:
		return same("(%s + %s)", a, m.texts(depth-1))
	case 1:
		return both("lower(%s)", "%s.lowerAscii()", a)
	case 2:
		return both("trim(%s)", "%s.trim()", a)
	case 3:
		return both("text(%s)", "string(%s)", m.ints(depth-1))
	case 4:
		return both("text(%s)", "string(%s)", m.bools(depth-1))
	case 5:
		from, length := strconv.Itoa(m.IntN(4)), strconv.Itoa(m.IntN(4))
		ours := "substr(%[1]s, " + from + ", " + length + ")"
		theirs := "(size(%[1]s) <= " + from + " ? '' : %[1]s.substring(" + from + ", math.least(size(%[1]s), " + from +
			" + " + length + ")))"
		return both(ours, theirs, a)
	case 6:
		return both("substr(%[1]s, -2)", "(size(%[1]s) <= 2 ? %[1]s : %[1]s.substring(size(%[1]s) - 2))", a)
	}
	return same("(%s ? %s : %s)", m.bools(depth-1), a, m.texts(depth-1))
}

func (m maker) bools(depth int) pair {
	if m.leaf(depth) {
		if m.IntN(2) == 0 {
			return column("b1")
		}
		return same(m.one("true", "false"))
	}
	compare := " " + m.one("==", "!=", "<", "<=", ">", ">=") + " "
	switch m.IntN(14) {
	case 0:
		return same("(%s"+compare+"%s)", m.ints(depth-1), m.ints(depth-1))
	case 1:
		return same("(%s"+compare+"%s)", m.floats(depth-1), m.floats(depth-1))
	case 2:
		// CEL rounds an int for that, if it is large.
		return same("((%s %% 1000003)"+compare+"%s)", m.ints(depth-1), m.floats(depth-1))
	case 3:
		return same("(%s"+compare+"%s)", m.texts(depth-1), m.texts(depth-1))
	case 4:
		return both("(%s && %s)", "(%s ? %s : false)", m.bools(depth-1), m.bools(depth-1))
	case 5:
		return both("(%s || %s)", "(%s ? true : %s)", m.bools(depth-1), m.bools(depth-1))
	case 6:
		return same("(!%s)", m.bools(depth-1))
	case 7:
		return both("(%[1]s in [1, 7, %[2]s, 100])", "(%[1]s in [1, 7] ? true : %[1]s in [%[2]s, 100])",
			m.ints(depth-1), m.ints(depth-1))
	case 8:
		return same(`(%s in ["ab", "Taxi", "x y", ""])`, m.texts(depth-1))
	case 9:
		return same("(%s in t1)", m.texts(depth-1))
	case 10:
		name := m.one("contains contains", "starts_with startsWith", "ends_with endsWith")
		ours, theirs, _ := strings.Cut(name, " ")
		return both(ours+"(%s, %s)", "%s."+theirs+"(%s)", m.texts(depth-1), m.texts(depth-1))
	case 11:
		pattern := m.one(`r"^\w+$"`, `r"\d{2}"`, `"a|x"`, `r"(?i)TAXI"`, `"^.b"`, `"^$"`)
		return both("matches(%s, "+pattern+")", "%s.matches("+pattern+")", m.texts(depth-1))
	case 12:
		return same("(%s "+m.one("==", "!=")+" %s)", m.bools(depth-1), m.bools(depth-1))
	}
	return same("(%s ? %s : %s)", m.bools(depth-1), m.bools(depth-1), m.bools(depth-1))
}

// draw draws an expression of any type.
func (m maker) draw() pair {
	depth := 1 + m.IntN(5)
	switch m.IntN(4) {
	case 0:
		return m.ints(depth)
	case 1:
		return m.floats(depth)
	case 2:
		return m.texts(depth)
	}
	return m.bools(depth)
}

// row draws the values of all columns.
func (m maker) row() map[string]any {
	ints := []int64{0, 1, 2, -3, 7, 12, 100, 1 << 40, math.MaxInt64, math.MinInt64}
	floats := []float64{0, 0.5, 1, -1.5, 2, 1e10, -1e-5, 3.25, 1e308, 0.1}
	texts := []string{"", "ab", "Taxi", "x y", "12", "中文x", " pad ", "b"}
	list := []string{}
	for range m.IntN(4) {
		list = append(list, texts[m.IntN(len(texts))])
	}
	return map[string]any{
		"i1": ints[m.IntN(len(ints))], "i2": ints[m.IntN(len(ints))], "f1": floats[m.IntN(len(floats))],
		"f2": floats[m.IntN(len(floats))],
		"s1": texts[m.IntN(len(texts))], "s2": texts[m.IntN(len(texts))], "b1": m.IntN(2) == 0, "t1": list,
	}
}

// value is a value as JSON gives it.
func value(x any) schema.Value {
	switch x := x.(type) {
	case int64:
		return schema.Value{Kind: schema.Number, Text: strconv.AppendInt(nil, x, 10)}
	case float64:
		return schema.Value{Kind: schema.Number, Text: schema.AppendFloat(nil, x)}
	case bool:
		return schema.Value{Kind: schema.Bool, Text: strconv.AppendBool(nil, x)}
	case []string:
		v := schema.Value{Kind: schema.List}
		for _, s := range x {
			v.List = append(v.List, value(s))
		}
		return v
	}
	return schema.Value{Kind: schema.String, Text: []byte(x.(string))}
}

// A way is how the columns of a row come to an expression.
type way struct {
	name    string
	write   func(name string) string // how a column is written
	known   func(name string) expr.Type
	isCells bool
}

var ways = []way{
	{"typed", func(name string) string { return name }, typeOf, false},
	{"json", func(name string) string { return name }, func(string) expr.Type { return expr.Dynamic }, false},
	{"cells", func(name string) string {
		return map[byte]string{'i': "int(" + name + ")", 'f': "float(" + name + ")", 's': "text(" + name + ")",
			'b': "(" + name + " == true)"}[name[0]]
	}, func(string) expr.Type { return expr.Dynamic }, true},
}

func typeOf(name string) expr.Type {
	return map[byte]expr.Type{'i': expr.Int, 'f': expr.Float, 's': expr.Text, 'b': expr.Bool}[name[0]]
}

// ours returns the value of an expression by package expr as a string, or an error.
func (w *way) ours(text string, row map[string]any) (string, error) {
	for name := range row {
		text = strings.ReplaceAll(text, "{"+name+"}", w.write(name))
	}
	p, fault := expr.Compile(text, func(name string) (expr.Type, bool) {
		_, there := row[name]
		return w.known(name), there
	})
	if fault != nil {
		return "", fmt.Errorf("fault: %w in %s", fault, text)
	}
	var slots []int
	var vals []schema.Value
	for i, name := range p.Columns() {
		v := value(row[name])
		if w.isCells && v.Kind != schema.List {
			v.Kind = schema.Text
		}
		slots, vals = append(slots, i), append(vals, v)
	}
	v, bad := p.Bind(slots, nil).Value(vals)
	if bad != nil {
		return "", bad
	}
	if v.Kind == schema.Number {
		return number(v.Text), nil
	}
	return string(v.Text), nil
}

// number is a number in one way of writing it.
func number(text []byte) string {
	i, f, isFloat, _ := schema.ReadNumber(text)
	if isFloat {
		return fmt.Sprintf("float %x", f)
	}
	return fmt.Sprint("int ", i)
}

// theirs returns the value of an expression by CEL.
func theirs(env *cel.Env, text string, row map[string]any) (string, error) {
	ast, issues := env.Parse(text)
	if issues.Err() != nil {
		return "", fmt.Errorf("fault: %w", issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		return "", fmt.Errorf("fault: %w", err)
	}
	out, _, err := program.Eval(row)
	if err != nil {
		return "", err
	}
	switch v := out.Value().(type) {
	case int64:
		return fmt.Sprint("int ", v), nil
	case float64:
		return fmt.Sprintf("float %x", v), nil
	default:
		return fmt.Sprint(v), nil
	}
}

// finite is a double, if it is finite.
func finite(v ref.Val) ref.Val {
	if d, ok := v.(types.Double); ok && math.IsInf(float64(d), 0) || ok && math.IsNaN(float64(d)) {
		return types.NewErr("not finite")
	}
	return v
}

func environment(t *testing.T) *cel.Env {
	t.Helper()
	options := []cel.EnvOption{
		ext.Strings(), ext.Math(), cel.CrossTypeNumericComparisons(true),
		cel.Function("finite", cel.Overload("finite_double", []*cel.Type{cel.DynType}, cel.DynType,
			cel.UnaryBinding(finite))),
	}
	for _, name := range []string{"i1", "i2", "f1", "f2", "s1", "s2", "b1", "t1"} {
		options = append(options, cel.Variable(name, cel.DynType))
	}
	env, err := cel.NewEnv(options...)
	if err != nil {
		t.Fatal(err)
	}
	return env
}

func TestAgainstCEL(t *testing.T) {
	env, m := environment(t), maker{rand.New(rand.NewPCG(7, 8))}
	values := 0
	for range *count {
		drawn, row := m.draw(), m.row()
		want, wantErr := theirs(env, drawn.cel, row)
		for _, w := range ways {
			got, err := w.ours(drawn.ours, row)
			var bad *schema.RowError
			if err != nil && !errors.As(err, &bad) || (err == nil) != (wantErr == nil) || got != want {
				t.Errorf("%s: %s = %s %v,\nCEL: %s = %s %v\nof %v", w.name, drawn.ours, got, err, drawn.cel, want,
					wantErr, row)
			}
		}
		if wantErr == nil {
			values++
		}
		if t.Failed() {
			break
		}
	}
	if !t.Failed() && values < *count/3 {
		t.Errorf("%d of %d expressions have a value: too few to tell", values, *count)
	}
	t.Logf("%d of %d expressions have a value", values, *count)
}
