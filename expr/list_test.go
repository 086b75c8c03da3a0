package expr

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/schema"
)

// lists is a row with lists of JSON, of arrays, and of records.
var lists = map[string]schema.Value{
	"xs":    jsonValue(`[3, 1.5, -2]`),
	"ys":    jsonValue(`[10, 20, 30]`),
	"tags":  jsonValue(`["cat", "dog"]`),
	"gap":   jsonValue(`[1, null, 3]`),
	"deep":  jsonValue(`[[1, 2], [], [3]]`),
	"mixed": jsonValue(`[1, "a", true, null, [2]]`),
	"empty": jsonValue(`[]`),
	"two":   jsonValue(`2`),
	"word":  jsonValue(`"a,b,,c"`),
	"cell":  cell("0.5 2 x"),
	"gone":  {},
	"na":    cell("NA"),
	"ints":  {Kind: schema.Array, Elem: schema.Int16, Text: []byte{1, 0, 255, 255, 7, 0}},
	"reals": {Kind: schema.Array, Elem: schema.Float, Text: []byte{0, 0, 0xc0, 0x3f, 0, 0, 0xc0, 0x7f}},
	"truth": {Kind: schema.Array, Elem: schema.BoolType, Text: []byte{1, 0}},
	"one":   {Kind: schema.Array, Elem: schema.Int16, Text: []byte{5, 0}},
	"only": {Kind: schema.List, Elem: schema.BytesType,
		List: []schema.Value{{Kind: schema.String, Text: []byte("solo")}}},
	"x": cell("column"),
}

// jsonValue returns the value of a JSON text.
func jsonValue(text string) schema.Value {
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		panic(err)
	}
	return valueOfJSON(value)
}

func valueOfJSON(value any) schema.Value {
	switch v := value.(type) {
	case json.Number:
		return schema.Value{Kind: schema.Number, Text: []byte(v)}
	case string:
		return schema.Value{Kind: schema.String, Text: []byte(v)}
	case bool:
		return schema.Value{Kind: schema.Bool, Text: strconv.AppendBool(nil, v)}
	case []any:
		list := schema.Value{Kind: schema.List}
		for _, e := range v {
			list.List = append(list.List, valueOfJSON(e))
		}
		return list
	}
	return schema.Value{}
}

func TestLists(t *testing.T) {
	for text, want := range map[string]string{
		"xs": "[3, 1.5, -2]", "[1, 2.5, two]": "[1, 2.5, 2]", "[]": "[]", "['a', word]": `["a", "a,b,,c"]`,
		"[xs, [1]]": "[[3, 1.5, -2], [1]]", "ints": "int16[1, -1, 7]",
		"xs[0]": "3", "xs[size(xs) - 1]": "-2", "deep[0][1]": "2", "deep[1]": "[]", "ints[2] + 1": "8",
		"truth[0]": "true",
		"gap[1]":   "missing", "[1, 2][two - 1]": "2", "split(cell, ' ')[two]": `"x"`,
		"xs[float(two) > 1 ? 0 : 1]": "3",
		"xs.map(x, x * 2)":           "[6, 3.0, -4]", "xs.map(x, x > 0)": "[true, true, false]",
		"tags.map(t, upper(t) + '!')": `["CAT!", "DOG!"]`, "gap.map(x, missing(x) ? 0 : x)": "[1, 0, 3]",
		"gap.map(x, x)":        "[1, missing, 3]",
		"deep.map(x, size(x))": "[2, 0, 1]", "deep.map(x, x.map(y, y * y))": "[[1, 4], [], [9]]",
		"ints.map(x, x * 2)": "[2, -2, 14]", "truth.map(x, !x)": "[false, true]",
		"reals.filter(x, true)": "float[1.5, NaN]",
		"empty.map(x, x + 'a')": "[]", "[].map(x, x + 1)": "[]",
		"xs.map(x, [x, two])":              "[[3, 2], [1.5, 2], [-2, 2]]",
		"xs.map(x, x / 2).map(x, text(x))": `["1.5", "0.75", "-1.0"]`,
		"xs.filter(x, x > 0)":              "[3, 1.5]", "ints.filter(i, i < 5)": "int16[1, -1]",
		"gap.filter(g, !missing(g))": "[1, 3]",
		"gap.filter(g, missing(g))":  "[missing]", "tags.filter(t, t == 'dog')": `["dog"]`,
		"truth.filter(x, x)":  "bool[1]",
		"xs.exists(x, x < 0)": "true", "xs.exists(x, x > 3)": "false", "empty.exists(x, x)": "false",
		"xs.all(x, x > -3)": "true", "xs.all(x, x > 0)": "false", "empty.all(x, x)": "true",
		"gap.exists(x, x == null)": "true", "mixed.exists(m, missing(m))": "true",
		"xs.exists(x, x == 3 || 1 / 0 > 0)": "true", "xs.all(x, x != 3 && 1 / 0 > 0)": "false",
		"size(xs.filter(x, x > 0))": "2", "size([1, 2])": "2", "size(split(word, ','))": "4",
		"split(word, ',')": `["a", "b", "", "c"]`, "split('', ',')": `[""]`, "split(word, ',', 2)": `["a", "b,,c"]`,
		"split(word, ',', 1)": `["a,b,,c"]`, "split(word, ',', 4)": `["a", "b", "", "c"]`,
		"split(word, ',', 9223372036854775807)[3]": `"c"`, "split('a--b--', '--', two)": `["a", "b--"]`,
		"split('', ',', 2)": `[""]`, "split('a--b-', '--')": `["a", "b-"]`,
		"split(cell, ' ').filter(s, s != 'x').map(s, float(s))": "[0.5, 2.0]",
		"zip(tags, [1, 2])": `[["cat", 1], ["dog", 2]]`, "zip(ints, ys).map(p, p[0] * p[1])": "[10, -20, 210]",
		"zip(tags, [0.5, 0.25]).filter(p, p[1] > 0.3).map(p, p[0] + '?')": `["cat?"]`,
		"zip(truth, tags)": `[[true, "cat"], [false, "dog"]]`,
		"zip(zip(xs, ys), xs).map(p, p[0][1] + p[1])": "[13, 21.5, 28]", "2 in xs.map(x, x + 0.5)": "true",
		"'b' in split(word, ',')": "true", "flatten([xs, ints, []])": "[3, 1.5, -2, 1, -1, 7]",
		"flatten(zip(ints, xs))": "[1, 3, -1, 1.5, 7, -2]", "flatten(deep)": "[1, 2, 3]",
		"flatten(flatten([[xs], [ys, xs]]))": "[3, 1.5, -2, 10, 20, 30, 3, 1.5, -2]", "flatten([])": "[]",
		"'B' in split(word, ',').map(p, upper(p))": "true", "7 in ints.filter(i, i > 2)": "true",
		"missing(gone) ? [] : gone": "[]", "(two > 1 ? xs : ys)[1]": "1.5",
		"(two > 2 ? xs : ys).map(y, y + 1)": "[11, 21, 31]", "missing(xs) ? null : xs": "[3, 1.5, -2]",
		"xs == null":     "false",
		"missing(xs[0])": "false", "missing(gap[1])": "true",
		"size(one)": "1", "size(only)": "4",
		"one.map(x, x + 1)": "[6]", "one[0]": "5", "only.map(x, x)": `["solo"]`, "only[0]": `"solo"`,
		"'solo' in only": "true", "xs.map(x, x).map(x, x)": "[3, 1.5, -2]",
		"xs.map(x, column('x') + text(x))":   `["column3", "column1.5", "column-2"]`,
		"xs.map(x, ys.map(x, x + 1)[0] + x)": "[14, 12.5, 9]",
		"xs.map(x, ys.filter(y, y > x * 8))": "[[30], [20, 30], [10, 20, 30]]",
		"ints.map(i, ints.map(j, i * j))":    "[[1, -1, 7], [-1, 1, -7], [7, -7, 49]]",
		"zip(xs, ys).map(p, p[two - 1])":     "[10, 20, 30]", "[int('3')] . map(x,x)": "[3]",
		"(xs).exists(x, x in ys) || true": "true",
	} {
		if got := evaluate(t, lists, text); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func TestListErrors(t *testing.T) {
	for text, want := range map[string]string{
		"xs[3]":       `error: index 3 in a list of 3 elements, at character 3 of the expression: xs[3] [EXPR_DOMAIN]`,
		"xs[two - 3]": "index -1 in", "xs[1.5]": "fault: at byte 4: an index is an int", "xs[xs[1]]": "is a float",
		"xs[-1]": "fault: at byte 4: an index is at least 0", "empty[0]": "a list of 0 elements",
		"xs[gone]": "EXPR_MISSING",
		"gap.map(x, x + 1)": `error: column "gap": the value is missing, at character 12 of the expression: x ` +
			`[EXPR_MISSING]`,
		"mixed.map(x, x + 1)": `error: column "mixed": found the string "a"; expected a number, at character 14 of ` +
			`the expression: x [EXPR_TYPE]`, "tags.map(t, t * 1)": "EXPR_TYPE", "gap.exists(x, x > 2)": "EXPR_MISSING",
		"gone.map(x, x)": `error: column "gone": the value is missing, at character 1`, "na.map(x, x)": "EXPR_MISSING",
		"word.map(x, x)":      `found the string "a,b,,c"; expected a list`,
		"two[0]":              `column "two": found the number "2"; expected a list`,
		"reals.map(x, x + 1)": "nan and inf are no numbers here", "zip(reals, tags)": "nan and inf",
		"flatten(ints)": "found a list of 1 element; expected a list", "flatten(mixed)": "expected a list",
		"flatten(xs)": "expected a list", "flatten(gone)": "EXPR_MISSING", "flatten([xs, reals])": "nan and inf",
		"ints.map(i, i[0])": `found a list of 1 element; expected a list`,
		"zip(xs, tags)": "error: zip takes lists of one length, found a list of 3 elements and a list of 2 " +
			"elements, at character 1 of the expression: zip(xs, tags) [EXPR_DOMAIN]",
		"split(word, gone)":           "EXPR_MISSING",
		"split(word, substr('a', 1))": "an empty separator",
		"split(word, ',', two - 2)": "error: at most 0 parts; expected 1 or more, at character 22 of the " +
			"expression: two - 2 [EXPR_DOMAIN]", "split(word, ',', two / 1)": "fault: at byte 18: split takes an int",
		"split(word, ',', gone)": "EXPR_MISSING", "split(two, ',')": `found the number "2"; expected a string`,
		"deep.map(x, x + 1)": "found a list of 2 elements; expected a number",
		"xs.filter(x, x)":    "EXPR_TYPE", "xs.map(x, 1 / (x - 3))": "EXPR_DIVISION", "gone + xs[9]": "EXPR_MISSING",
		"gone < xs[9]": "EXPR_MISSING", "xs + xs[9]": "found a list of 3 elements; expected a number or a string",
		"xs[9] + gone": "EXPR_DOMAIN", "truth[0] > xs[9]": `found a list of 1 element; expected a number or a string`,
		"mixed.map(x, x[0])": "EXPR_TYPE", "xs + ys": "EXPR_TYPE", "text(xs)": "EXPR_TYPE",
		"[xs, [int('x')]]": "EXPR_NUMBER",
		"xs == ys":         "EXPR_TYPE", "[1][two]": "EXPR_DOMAIN", "zip([1], [2])[0][two]": "EXPR_DOMAIN",

		"[1, 2] + [3]": "fault: at byte 8: + takes two numbers or two strings, found a list and " +
			"a list",
		"[1, 2].map(x, x + 'a')":           "fault: at byte 17: + takes",
		"['a'].map(x, x * 2)":              "fault: at byte 14: * takes numbers, found a string: x",
		"split(word, ',').map(x, -x)":      "fault: at byte 26: - takes a number, found a string: x",
		"[1].filter(x, x + 1)":             "fault: at byte 15: filter takes a bool, found an int: x + 1",
		"zip([1], ['a']).map(p, p[1] + 1)": "fault: at byte 29: + takes",
		"zip([1], ['a']).map(p, p[2])":     "fault: at byte 26: a pair of zip has the elements 0 and 1, found 2",
		"'a'.map(x, x)":                    "fault: at byte 4",
		"(1).map(x, x)":                    "fault: at byte 1: map takes a list, found an int: (1)",
		"[[1]].map(x, x + 1)":              "fault: at byte 16: + takes",
		"[[1]].map(x, x.map(y, !y))":       "fault: at byte 24: ! takes a bool, found an int: y",
		"[1, 'a']":                         "fault: at byte 5: the values of a list are of one kind",
		"[1, [2]]":                         "of one kind",
		"[null]":                           "a list holds numbers, strings, bools, or lists, found null",
		"xs.map(x)":                        `found ")"; expected ","`,
		"xs.map(1, x)":                     "map takes the name of a variable, found \"1\"",
		"xs.map(x.y, 1)":                   "takes the name of a variable",
		"xs.map(true, 1)":                  "takes the name of a variable",
		"xs.map(x, 1, 2)":                  "map takes a variable and one expression",
		"xs.map":                           `there is no column "xs.map"`,
		"xs.map(x, x.y)":                   `fault: at byte 11: x is an element, which has no part "y"`,
		"xs.map(q, q) + q":                 `there is no column "q"`, "map(xs, x, x)": "no function",
		"[1].size()": `found "size"; expected a comprehension`, "[1].fold(x, x)": "expected a comprehension",
		"[1].": "expected a comprehension", "xs[": "expected a value", "xs[0": `expected "]"`,
		"xs[]":      "expected a value",
		"[1] < [2]": "< takes", "[1] == [1]": "compares",
		"missing(xs.map(x, x))": "missing takes a column", "split(word, '')": "fault: at byte 13: an empty separator",
		"split(word)":            "split takes 2 or 3 arguments",
		"split(word, ',', 0)":    "fault: at byte 18: at most 0 parts; expected 1 or more",
		"split(word, ',', '2')":  "fault: at byte 18: split takes an int after the strings, found a string",
		"split(word, ',', 2, 3)": "split takes 2 or 3 arguments", "zip(xs)": "zip takes 2 arguments",
		"flatten([1, 2])":             "flatten takes a list of lists, found a list without lists: [1, 2]",
		"flatten(2)":                  "flatten takes a list of lists, found an int",
		"flatten([[1]]).map(x, x[0])": "takes an element of a list", "zip(1, xs)": "zip takes lists, found an int",
		"xs.exists(x, 'a')": "exists takes a bool", "[1] ? 1 : 2": "? takes a bool", "true ? [1] : 2": "of one kind",
		"size([1]) + [1]": "+ takes", "-[1]": "- takes a number, found a list", "1[0]": "takes an element of a list",
		"lower(xs.map(x, x))": "lower takes a string, found a list",
	} {
		if got := evaluate(t, lists, text); !strings.Contains(got, want) || !strings.HasPrefix(got, "error") &&
			!strings.HasPrefix(got, "fault") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestDerivedLists compiles expressions over columns that are declared as lists.
func TestDerivedLists(t *testing.T) {
	declared := func(name string) (Type, bool) { return List, name == "xs" }
	for text, want := range map[string]Type{"xs": List, "xs.map(x, x)": List, "xs[0]": Dynamic, "size(xs)": Int,
		"missing(xs) ? [] : xs": List, "split('a', 'b')": List, "zip(xs, xs)": List, "xs.all(x, x)": Bool} {
		p, err := Compile(text, declared)
		if err != nil || p.Type() != want || p.MayBeList() != (want == List || want == Dynamic) {
			t.Errorf("%s: %v, want %v (%v)", text, p.Type(), want, err)
		}
	}
	if _, err := Compile("xs + 1", declared); err == nil ||
		err.Text != "+ takes two numbers or two strings, found a list and an int: xs + 1" {
		t.Errorf("%v", err)
	}
}

// TestStepLimit evaluates expressions that take too many steps, in one loop or in nested ones, and others that take
// nearly as many.
func TestStepLimit(t *testing.T) {
	number := schema.Value{Kind: schema.Number, Text: []byte("7")}
	list := func(n int, of schema.Value) schema.Value {
		v := schema.Value{Kind: schema.List, List: make([]schema.Value, n)}
		for i := range v.List {
			v.List[i] = of
		}
		return v
	}
	long := schema.Value{Kind: schema.String, Text: []byte(strings.Repeat("a,", 50<<20))}
	row := map[string]schema.Value{
		"thousand": list(1000, number), "most": list(maxSteps, number), "more": list(maxSteps+1, number),
		"third": list(maxSteps/3, number), "texts": list(maxSteps,
			schema.Value{Kind: schema.String, Text: []byte("0123456789abcdef0123")}),
		"long": long, "array": {Kind: schema.Array, Elem: schema.Float, Text: make([]byte, 4*maxSteps)},
		"some":  {Kind: schema.String, Text: long.Text[:1<<20]},
		"lines": list(100, schema.Value{Kind: schema.String, Text: long.Text[:1<<20]}),
	}
	for text, limited := range testenv.Some(0, 7, map[string]bool{
		"most.map(x, x)": false, "more.map(x, x)": true, "most.filter(x, false)": false, "more.filter(x, true)": true,
		"most.all(x, true)": false, "more.all(x, true)": true, "more.exists(x, true)": false,
		"zip(third, third)":       false,
		"flatten([third, third])": false, "flatten([third, third, third])": true, "zip(most, most)": true,
		"thousand.map(x, thousand.exists(y, false))": true, "thousand.map(x, x in thousand.map(y, y))": true,
		"thousand.map(x, 8 in thousand)": true, "thousand.map(x, 0.5 in array)": true,
		"thousand.map(x, thousand[0])": false,
		"thousand.map(x, array[0])":    false, "thousand.map(x, split('a,b', ','))": false,
		"thousand.map(x, thousand.map(y, []))": true,
		"split(long, ',')":                     true, "split(long, ',', 2)": false, "size(long)": false,
		"split(some, ',')":            false,
		"thousand.map(x, size(long))": true, "thousand.exists(x, contains(long, 'b'))": true,
		"lines.all(x, matches(x, 'a'))": false, "thousand.all(x, lines.all(y, size(y) > 0))": true,
		"thousand.map(x, [1, 2, 3])": false, "most.map(x, [x])": true,
		"texts.map(x, x + 'a')": true, "texts.map(x, upper(x))": true, "texts.map(x, x)": false,
		"most.map(x, x / 3)":           false,
		"thousand.map(x, upper(some))": true, "thousand.map(x, split(some, ',')[0])": true,
	}) {
		cost.Within(t, 64<<20, func() {
			got := evaluate(t, row, text)
			if is := strings.HasSuffix(got, "[EXPR_LIMIT]"); is != limited || !is && strings.HasPrefix(got, "error") {
				t.Errorf("%s: %.300s, want a limit: %t", text, got, limited)
			}
		})
	}
}

// TestMeter shares the steps of a row between expressions.
func TestMeter(t *testing.T) {
	p, fault := Compile("xs.map(x, x)", func(string) (Type, bool) { return Dynamic, true })
	if fault != nil {
		t.Fatal(fault)
	}
	row := []schema.Value{{Kind: schema.Array, Elem: schema.Int8, Text: make([]byte, maxSteps*2/3)}}
	var m Meter
	for range 2 {
		m.Reset()
		for i, code := range []string{"", codeLimit} {
			e := p.Bind([]int{0}, nil)
			e.Share(&m)
			_, bad := e.Value(row)
			if (bad != nil) != (code != "") || bad != nil && bad.Code != code {
				t.Errorf("expression %d: %v, want %q", i, bad, code)
			}
		}
	}
	e := p.Bind([]int{0}, nil)
	for range 2 {
		if _, bad := e.Value(row); bad != nil {
			t.Errorf("a row of its own: %v", bad)
		}
	}
}

// TestListsEqualNumPy compares comprehensions over random lists with NumPy.
func TestListsEqualNumPy(t *testing.T) {
	tftest.Python(t)
	random := rand.New(rand.NewPCG(37, 1))
	expressions := []string{
		"a.map(x, x * 2 - 1)", "a.map(x, x / 3)", "a.filter(x, x > 0)", "a.exists(x, x > 9)", "a.all(x, x > -9)",
		"size(a)", "size(a.filter(x, x % 2 == 0))",
		"zip(a, b).map(p, p[0] * p[1])", "zip(a, b).filter(p, p[0] < p[1]).map(p, p[1] - p[0])",
		"a.map(x, b.filter(y, y < x)).map(l, size(l))", "a.filter(x, x in b)", "a[0]", "a[size(a) - 1] + b[0]",
		"a.map(x, b.exists(y, y > x))", "a.map(x, max(x, 0))", "b.map(y, y * 0.1)", "b.map(y, sqrt(abs(y)))",
		"b.map(y, floor(y))",
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	for range 200 {
		n := 1 + random.IntN(12)
		a, b := make([]int, n), make([]float64, n)
		for i := range a {
			a[i], b[i] = random.IntN(21)-10, float64(random.IntN(4001)-2000)/100
		}
		text, err := json.Marshal(map[string]any{"a": a, "b": b})
		if err != nil {
			t.Fatal(err)
		}
		var of map[string]json.RawMessage
		if err := json.Unmarshal(text, &of); err != nil {
			t.Fatal(err)
		}
		row := map[string]schema.Value{"a": jsonValue(string(of["a"])), "b": jsonValue(string(of["b"]))}
		values := map[string]json.RawMessage{}
		for _, e := range expressions {
			if values[e] = json.RawMessage(evaluate(t, row, e)); !json.Valid(values[e]) {
				t.Fatalf("%s of %s is %s", e, text, values[e])
			}
		}
		if err := encoder.Encode(map[string]any{"a": a, "b": b, "values": values}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "lists.jsonl")
	if err := os.WriteFile(path, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	tftest.Run(t, "testdata/lists.py", path, strconv.Itoa(200*len(expressions)))
}
