package expr

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

// A model is a value by the rules of docs/reference/expressions.md. The model is a slow and simple
// implementation: it has no types before there is a row, and each operator checks its operands.
type model struct {
	is     kinds
	int    int64
	float  float64
	text   string
	truth  bool
	list   []model
	column bool
	source string // the text of a number or a bool in a column
}

// noValue is a panic of the model: the row has an error.
type noValue struct{}

var (
	asInt     = regexp.MustCompile(`^[+-]?[0-9]+$`)
	asDecimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)

// modelOf converts a value of a row.
func modelOf(v schema.Value) model {
	m := model{column: true, text: string(v.Text), source: string(v.Text)}
	switch v.Kind {
	case schema.Missing:
		m.is = isMissing
	case schema.Text:
		m.is = isCell
	case schema.String:
		m.is = isText
	case schema.Bool:
		m.is, m.truth = isBool, m.text == "true"
	case schema.Number:
		parsed := readModel(m.text)
		m.is, m.int, m.float = parsed.is, parsed.int, parsed.float
	default:
		m.is = isList
		for _, e := range v.List {
			m.list = append(m.list, modelOf(e))
		}
	}
	return m
}

// readModel parses a number.
func readModel(text string) model {
	if asInt.MatchString(text) {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return model{is: isInt, int: i}
		}
	}
	if f, err := strconv.ParseFloat(text, 64); asDecimal.MatchString(text) && err == nil {
		return model{is: isFloat, float: f}
	}
	panic(noValue{})
}

func (m model) number() model {
	switch m.is {
	case isInt, isFloat:
		return m
	case isCell:
		return readModel(m.text)
	}
	panic(noValue{})
}

func (m model) integer() int64 {
	if n := m.number(); n.is == isInt {
		return n.int
	}
	panic(noValue{})
}

func (m model) real() float64 {
	if n := m.number(); n.is == isFloat {
		return n.float
	}
	return float64(m.number().int)
}

func (m model) words() string {
	if m.is != isCell && m.is != isText {
		panic(noValue{})
	}
	return m.text
}

func (m model) bool() bool {
	switch {
	case m.is == isBool:
		return m.truth
	case m.is == isCell && slices.Contains([]string{"true", "1"}, strings.ToLower(m.text)):
		return true
	case m.is == isCell && slices.Contains([]string{"false", "0"}, strings.ToLower(m.text)):
		return false
	}
	panic(noValue{})
}

// rat returns a number without rounding.
func (m model) rat() *big.Rat {
	if n := m.number(); n.is == isFloat {
		return new(big.Rat).SetFloat64(n.float)
	}
	return new(big.Rat).SetInt64(m.number().int)
}

func ofFloat(f float64) model {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		panic(noValue{})
	}
	return model{is: isFloat, float: f}
}

func ofInt(i *big.Int) model {
	if !i.IsInt64() {
		panic(noValue{})
	}
	return model{is: isInt, int: i.Int64()}
}

func ofBool(b bool) model   { return model{is: isBool, truth: b} }
func ofText(s string) model { return model{is: isText, text: s} }

// equalModel computes a == b for values that are not missing.
func equalModel(a, b model) bool {
	text := func(m model) bool { return m.is == isText || m.is == isCell }
	number := func(m model) bool { return m.is == isInt || m.is == isFloat || m.is == isCell }
	truth := func(m model) bool { return m.is == isBool || m.is == isCell }
	switch {
	case text(a) && text(b):
		return a.text == b.text
	case number(a) && number(b):
		return a.rat().Cmp(b.rat()) == 0
	case truth(a) && truth(b):
		return a.bool() == b.bool()
	}
	panic(noValue{})
}

// A modelRow is a row, and the variables of the comprehensions around a node.
type modelRow struct {
	columns   map[string]schema.Value
	variables []model
}

// with returns the row with another variable.
func (r *modelRow) with(value model) *modelRow {
	return &modelRow{r.columns, append(slices.Clip(r.variables), value)}
}

// compute returns the value of a node in a row.
func compute(n *node, row *modelRow) model {
	arg := func(i int) model { return compute(n.args[i], row) }
	switch n.op {
	case opInt:
		return model{is: isInt, int: n.int}
	case opFloat:
		return ofFloat(n.float)
	case opText:
		return ofText(n.text)
	case opBool:
		return ofBool(n.int == 1)
	case opNull:
		return model{is: isMissing}
	case opColumn:
		return modelOf(row.columns[n.text])
	case opVariable:
		return row.variables[n.column]
	case opElement:
		list, i := arg(0).elements(), arg(1).integer()
		if i < 0 || i >= int64(len(list)) {
			panic(noValue{})
		}
		return list[i]
	case opList:
		list := []model{}
		for i := range n.args {
			list = append(list, arg(i))
		}
		return model{is: isList, list: list}
	case opMap, opFilter, opExists, opAll:
		return comprehensionModel(n, row)
	case opNot:
		return ofBool(!arg(0).bool())
	case opNegate:
		if x := arg(0).number(); x.is == isFloat {
			return ofFloat(-x.float)
		}
		return ofInt(new(big.Int).Neg(big.NewInt(arg(0).integer())))
	case opAnd:
		return ofBool(arg(0).bool() && arg(1).bool())
	case opOr:
		return ofBool(arg(0).bool() || arg(1).bool())
	case opCond:
		if arg(0).bool() {
			return arg(1)
		}
		return arg(2)
	case opEqual, opUnequal:
		a, b := arg(0), arg(1)
		is := a.is == b.is
		if a.is != isMissing && b.is != isMissing {
			is = equalModel(a, b)
		}
		return ofBool(is == (n.op == opEqual))
	case opLess, opAtMost, opMore, opAtLeast:
		return ofBool(isOrdered(n.op, compareModels(arg(0), arg(1))))
	case opIn:
		return ofBool(inModel(n, arg(0), row))
	case opCall:
		return callModel(n, arg)
	}
	return arithmeticModel(n.op, arg(0), arg(1))
}

// elements returns the elements of a list.
func (m model) elements() []model {
	if m.is != isList || m.list == nil {
		panic(noValue{})
	}
	return m.list
}

func comprehensionModel(n *node, row *modelRow) model {
	list := []model{}
	for _, elem := range compute(n.args[0], row).elements() {
		value := compute(n.args[1], row.with(elem))
		switch {
		case n.op == opMap:
			list = append(list, value)
		case n.op == opFilter:
			if value.bool() {
				list = append(list, elem)
			}
		case value.bool() == (n.op == opExists):
			return ofBool(n.op == opExists)
		}
	}
	if n.op == opMap || n.op == opFilter {
		return model{is: isList, list: list}
	}
	return ofBool(n.op == opAll)
}

func compareModels(a, b model) int {
	if a.is == isText || b.is == isText {
		return strings.Compare(a.words(), b.words())
	}
	return a.rat().Cmp(b.rat())
}

// isOrdered reports whether operands that compare as c fit an operator.
func isOrdered(o op, c int) bool {
	return slices.Contains(map[op][]int{opLess: {-1}, opAtMost: {-1, 0}, opMore: {1}, opAtLeast: {1, 0}}[o], c)
}

func inModel(n *node, a model, row *modelRow) bool {
	if a.is == isMissing || a.is == isList {
		panic(noValue{})
	}
	if n.args[1].op == opList {
		for _, elem := range n.args[1].args {
			if b := compute(elem, row); b.is != isMissing && equalModel(a, b) {
				return true
			}
		}
		return false
	}
	list := compute(n.args[1], row)
	if list.is != isList {
		panic(noValue{})
	}
	for _, b := range list.list { // of another kind is another
		if b.is != isMissing && b.is != isList && tried(func() bool { return equalModel(a, b) }) {
			return true
		}
	}
	return false
}

// tried returns false if there is no value.
func tried(f func() bool) (is bool) {
	defer func() {
		if _, none := recover().(noValue); none {
			is = false
		}
	}()
	return f()
}

func arithmeticModel(op op, a, b model) model {
	if op == opAdd && (a.is == isText || b.is == isText) {
		return ofText(a.words() + b.words())
	}
	if op == opDivide {
		if b.real() == 0 {
			panic(noValue{})
		}
		return ofFloat(a.real() / b.real())
	}
	if op == opRemainder {
		if b.integer() == 0 {
			panic(noValue{})
		}
		return ofInt(new(big.Int).Rem(big.NewInt(a.integer()), big.NewInt(b.integer())))
	}
	x, y := a.number(), b.number()
	if x.is == isFloat || y.is == isFloat {
		switch op {
		case opAdd:
			return ofFloat(a.real() + b.real())
		case opSubtract:
			return ofFloat(a.real() - b.real())
		}
		return ofFloat(a.real() * b.real())
	}
	i, j := big.NewInt(x.int), big.NewInt(y.int)
	switch op {
	case opAdd:
		return ofInt(i.Add(i, j))
	case opSubtract:
		return ofInt(i.Sub(i, j))
	}
	return ofInt(i.Mul(i, j))
}

func callModel(n *node, arg func(int) model) model {
	a := arg(0)
	switch n.text {
	case "missing":
		return ofBool(a.is == isMissing)
	case "size":
		if a.is == isList && a.list != nil {
			return model{is: isInt, int: int64(len(a.list))}
		}
		return model{is: isInt, int: int64(utf8.RuneCountInString(a.words()))}
	case "split":
		text, by := a.words(), arg(1).words()
		if by == "" {
			panic(noValue{})
		}
		list := []model{}
		most := int64(-1)
		if len(n.args) == 3 {
			if most = arg(2).integer(); most < 1 {
				panic(noValue{})
			}
		}
		for _, part := range strings.SplitN(text, by, int(most)) {
			list = append(list, ofText(part))
		}
		return model{is: isList, list: list}
	case "zip":
		x, y, list := a.elements(), arg(1).elements(), []model{}
		if len(x) != len(y) {
			panic(noValue{})
		}
		for i := range x {
			list = append(list, model{is: isList, list: []model{x[i], y[i]}})
		}
		return model{is: isList, list: list}
	case "flatten":
		list := []model{}
		for _, inner := range a.elements() {
			list = append(list, inner.elements()...)
		}
		return model{is: isList, list: list}
	case "upper":
		return ofText(strings.ToUpper(a.words()))
	case "contains":
		return ofBool(strings.Contains(a.words(), arg(1).words()))
	case "substr":
		runes, part, from, length := []rune(a.words()), []rune{}, arg(1).integer(), int64(math.MaxInt64)
		if len(n.args) == 3 {
			length = arg(2).integer()
		}
		if length < 0 {
			panic(noValue{})
		}
		if from < 0 {
			from += int64(len(runes))
		}
		for i, r := range runes {
			if at := int64(i); at >= from && (uint64(at-from) < uint64(length) || len(n.args) == 2) {
				part = append(part, r)
			}
		}
		return ofText(string(part))
	case "int":
		if a.is == isBool {
			return model{is: isInt, int: int64(map[bool]int{true: 1}[a.truth])}
		}
		if a.is == isText {
			a = readModel(a.text)
		}
		if x := a.number(); x.is == isInt {
			return x
		}
		whole, _ := new(big.Float).SetFloat64(a.real()).Int(nil)
		return ofInt(whole)
	case "float":
		if a.is == isText {
			a = readModel(a.text)
		}
		return ofFloat(a.real())
	case "text":
		return textModel(a)
	case "max":
		b := arg(1)
		x, y := a.number(), b.number()
		if b.rat().Cmp(a.rat()) > 0 {
			a = b
		}
		if x.is == isFloat || y.is == isFloat {
			return ofFloat(a.real())
		}
		return a.number()
	case "floor":
		if x := a.number(); x.is == isInt {
			return x
		}
		return ofFloat(math.Floor(a.real()))
	}
	panic("the model lacks " + n.text)
}

func textModel(a model) model {
	switch {
	case a.is == isCell, a.is == isText:
		return ofText(a.text)
	case a.is == isMissing, a.is == isList:
		panic(noValue{})
	case a.column:
		return ofText(a.source)
	}
	return ofText(a.String())
}

// String formats a value. Equal values have the same string.
func (m model) String() string {
	switch m.is {
	case isInt:
		return strconv.FormatInt(m.int, 10)
	case isFloat:
		return string(schema.AppendFloat(nil, m.float))
	case isBool:
		return strconv.FormatBool(m.truth)
	case isMissing:
		return "nothing"
	case isList:
		var list []string
		for _, e := range m.elements() {
			list = append(list, e.String())
		}
		return fmt.Sprintf("%q", list)
	}
	return m.text
}

// modelText formats a value as model.String does.
func modelText(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "nothing"
	case schema.Number:
		return readModel(string(v.Text)).String()
	case schema.List:
		var list []string
		for i := range v.List {
			list = append(list, modelText(&v.List[i]))
		}
		return fmt.Sprintf("%q", list)
	}
	return string(v.Text)
}

// kinds of the values of a model's columns, by the type of expression that uses them.
var modelColumns = map[string]schema.Value{
	"ci": cell("12"), "cz": cell("0"), "cf": cell("-2.50"), "ce": cell("1e3"), "cw": cell("Taxi"), "ct": cell("TRUE"),
	"c0": cell("007"), "cb": cell("9223372036854775807"), "cl": cell("123456789012345678901"), "c": cell(""),
	"ji": {Kind: schema.Number, Text: []byte("12")}, "jn": {Kind: schema.Number, Text: []byte("-3")},
	"jf": {Kind: schema.Number, Text: []byte("0.25")}, "jw": {Kind: schema.Number, Text: []byte("12.0")},
	"js": {Kind: schema.String, Text: []byte("Grü")}, "jd": {Kind: schema.String, Text: []byte("12")},
	"jt": {Kind: schema.Bool, Text: []byte("true")}, "jb": {Kind: schema.Bool, Text: []byte("false")}, "none": {},
	"x": cell("3"), "y": {Kind: schema.Number, Text: []byte("1.5")},
	"numbers": {Kind: schema.List, List: []schema.Value{{Kind: schema.Number, Text: []byte("12")},
		{Kind: schema.Number, Text: []byte("-0.5")}, cell("3"), cell("12")}},
	"gap": {Kind: schema.List, List: []schema.Value{{}, {Kind: schema.Number, Text: []byte("7")}}},
	"list": {Kind: schema.List, List: []schema.Value{{Kind: schema.String, Text: []byte("12")},
		{Kind: schema.Number, Text: []byte("12")}, {}, {Kind: schema.Bool, Text: []byte("true")}, cell("Taxi")}},
}

// declared has the types of the columns that may be declared.
func declared(name string) Type {
	switch {
	case name == "ji" || name == "jn":
		return Int
	case name == "jf" || name == "jw":
		return Float
	case name == "js" || name == "jd":
		return Text
	case name == "jt" || name == "jb":
		return Bool
	}
	return Dynamic
}

// drawTyped draws a random expression of a type: n for numbers, t for strings, b for bools.
func drawTyped(r *rand.Rand, sort byte, depth int) string {
	if r.IntN(25) == 0 {
		sort = "ntb"[r.IntN(3)]
	}
	one := func(of string) string {
		words := strings.Fields(of)
		return words[r.IntN(len(words))]
	}
	n := func() string { return drawTyped(r, 'n', depth-1) }
	t := func() string { return drawTyped(r, 't', depth-1) }
	b := func() string { return drawTyped(r, 'b', depth-1) }
	l := func() string { return drawList(r, depth-1) }
	if depth == 0 || r.IntN(5) == 0 {
		if r.IntN(15) == 0 {
			return one("none list null c cl")
		}
		return one(map[byte]string{
			'n': "ci cz cf ce c0 cb ji jn jf jw 0 1 -3 2.5 12 1e300 9223372036854775807",
			't': `cw ci c0 ct js jd "12" "Taxi" "" "ü"`,
			'b': "ct cz jt jb true false",
		}[sort])
	}
	switch sort {
	case 'n':
		switch r.IntN(11) {
		case 9:
			return "size(" + l() + ")"
		case 10:
			return l() + "[" + one("0 1 x ci size(numbers)-2") + "]"
		case 0:
			return "size(" + t() + ")"
		case 1:
			return "int(" + one("n t b") + ")"
		case 2:
			return "int(" + n() + ")"
		case 3:
			return "float(" + n() + ")"
		case 4:
			return "max(" + n() + ", " + n() + ")"
		case 5:
			return one("floor( -(") + n() + ")"
		case 6:
			return "(" + b() + " ? " + n() + " : " + n() + ")"
		}
		return "(" + n() + one(" + - * / % + - *") + " " + n() + ")"
	case 't':
		switch r.IntN(7) {
		case 4:
			return "split(" + t() + ", " + one(`"a" "x" cw ""`) + []string{"", ", 1", ", 2", ", ci"}[r.IntN(4)] + ")[" +
				one("0 1") + "]"
		case 0:
			return "upper(" + t() + ")"
		case 1:
			return "text(" + []string{n(), t(), b()}[r.IntN(3)] + ")"
		case 2:
			return "substr(" + t() + ", " + n() + []string{"", ", " + n()}[r.IntN(2)] + ")"
		case 3:
			return "(" + b() + " ? " + t() + " : " + t() + ")"
		}
		return "(" + t() + " + " + t() + ")"
	}
	switch r.IntN(12) {
	case 10:
		return l() + one(".exists .all") + "(" + one("x y") + ", " + b() + ")"
	case 11:
		return "(" + n() + " in " + l() + ")"
	case 0, 1:
		return "(" + n() + " " + one("== != < <= > >=") + " " + n() + ")"
	case 2, 3:
		return "(" + t() + " " + one("== != < <= > >=") + " " + t() + ")"
	case 4:
		return "(" + b() + " " + one("&& || == !=") + " " + b() + ")"
	case 5:
		return "!" + b()
	case 6:
		return "(" + n() + " in [" + one("1,12 12.0,2.5,ci 1,2,3,4,5,6,7,12,13 0.25,-3.0,1,2,3,4,5,6,7") + "])"
	case 7:
		return "(" + t() + " in " + one(
			`["Taxi","12"] ["a","b","c","d","e","f","g","h","Taxi","12"] ["ü",cw,js] list`) + ")"
	case 8:
		return "missing(" + one("none ci js c list x y") + ")"
	}
	return "contains(" + t() + ", " + t() + ")"
}

// drawList draws a random expression of a list. Its variables are x and y.
func drawList(r *rand.Rand, depth int) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	elem := func() string { return drawTyped(r, 'n', depth-1) }
	if depth <= 0 {
		return one("numbers", "list", "gap", "[1, ci, 2.5]", "[x, y]", "[]", "x")
	}
	switch r.IntN(8) {
	case 7:
		return "flatten(" + one("["+drawList(r, depth-1)+", "+drawList(r, depth-1)+"]", drawList(r, depth-1)) + ")"
	case 0:
		return "[" + elem() + ", " + elem() + "]"
	case 1:
		return drawList(r, depth-1) + "." + "filter(" + one("x", "y") + ", " + drawTyped(r, 'b', depth-1) + ")"
	case 2:
		return `split(` + drawTyped(r, 't', depth-1) + `, "a").map(x, size(x))`
	case 3:
		return "zip(" + drawList(r, depth-1) + ", " + one("numbers", "gap", drawList(r, depth-1)) + ")" +
			one("", ".map(x, x[1])", ".map(y, [y[1], y[0]])")
	case 4:
		return "(" + drawTyped(r, 'b', depth-1) + " ? " + drawList(r, depth-1) + " : " + drawList(r, depth-1) + ")"
	}
	return drawList(r, depth-1) + ".map(" + one("x", "y") + ", " + one(elem(), drawTyped(r, 't', depth-1), "x") + ")"
}

// TestAgainstTheModel draws expressions over all kinds of values. The compiled program equals the
// model, whether or not the types of columns are declared.
func TestAgainstTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 11))
	values, times := 0, testenv.Times(8_000, 100_000, 20_000_000)
	for range times {
		text := drawTyped(r, "ntb"[r.IntN(3)], 1+r.IntN(4))
		if r.IntN(4) == 0 {
			text = drawList(r, 1+r.IntN(4))
		}
		for _, types := range []func(string) Type{func(string) Type { return Dynamic }, declared} {
			p, err := Compile(text, func(name string) (Type, bool) {
				_, ok := modelColumns[name]
				return types(name), ok
			})
			if err != nil {
				continue
			}
			want := "an error"
			tried(func() bool { want = compute(p.root, &modelRow{columns: modelColumns}).String(); return true })
			got := "an error"
			var slots []int
			var vals []schema.Value
			for i, c := range p.Columns() {
				slots, vals = append(slots, i), append(vals, modelColumns[c])
			}
			v, bad := p.Bind(slots, nil).Value(vals)
			if bad == nil {
				got = modelText(&v)
			}
			if got != want {
				t.Fatalf("%s is %s, and %s by the model (%v)", text, got, want, bad)
			}
			if bad == nil {
				values++
			}
		}
	}
	t.Logf("%d of %d expressions have a value", values, 2*times)
	if values < times/2 {
		t.Errorf("%d values of %d expressions: too few to tell", values, times)
	}
}

// TestOperandOrder draws operands over all kinds of values. If the left operand has an error or is missing, so is
// the expression with any right operand.
func TestOperandOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	failed, times := 0, testenv.Times(8_000, 100_000, 20_000_000)
	for range times {
		sort := "ntb"[r.IntN(3)]
		a := []string{drawTyped(r, sort, 1+r.IntN(4)), "none", "gap[0]"}[r.IntN(3)]
		b := []string{drawTyped(r, sort, 1+r.IntN(4)), "list[7]"}[r.IntN(2)]
		form := []string{"(%s) + (%s)", "(%s) < (%s)", "(%s) >= (%s)", "(%s) - (%s)", "(%s) / (%s)", "(%s) %% (%s)",
			"(%s) && (%s)", "(%s) in [%s]", "max(%s, %s)", "contains(%s, %s)"}[r.IntN(10)]
		for _, types := range []func(string) Type{func(string) Type { return Dynamic }, declared} {
			left, alone := outcomeOf("("+a+")", types)
			_, both := outcomeOf(fmt.Sprintf(form, a, b), types)
			want := codeMissing
			switch {
			case both != nil && both.Code == "fault", alone == nil && left.Kind != schema.Missing:
				continue
			case alone != nil:
				want = alone.Code
			}
			if both == nil || both.Code != want {
				t.Fatalf(form+": %v, want the %s of %s", a, b, both, want, a)
			}
			failed++
		}
	}
	if failed < times/10 {
		t.Errorf("%d of %d left operands have an error: too few to tell", failed, 2*times)
	}
}

// outcomeOf returns the value of an expression over modelColumns, or its error. An error of the expression itself
// has the code fault.
func outcomeOf(text string, types func(string) Type) (schema.Value, *schema.RowError) {
	p, err := Compile(text, func(name string) (Type, bool) { _, ok := modelColumns[name]; return types(name), ok })
	if err != nil {
		return schema.Value{}, &schema.RowError{Code: "fault"}
	}
	var slots []int
	var vals []schema.Value
	for i, c := range p.Columns() {
		slots, vals = append(slots, i), append(vals, modelColumns[c])
	}
	return p.Bind(slots, nil).Value(vals)
}
