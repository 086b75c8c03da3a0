package expr

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
)

// row is the row of the tests, with a cell of each kind, and values of JSON.
var row = map[string]schema.Value{
	"three":  cell("3"),
	"half":   cell("0.5"),
	"neg":    cell("-7"),
	"word":   cell("Taxi"),
	"yes":    cell("true"),
	"na":     cell("NA"),
	"gone":   {},
	"j.int":  {Kind: schema.Number, Text: []byte("42")},
	"j.real": {Kind: schema.Number, Text: []byte("1.50")},
	"j.text": {Kind: schema.String, Text: []byte("Grüße")},
	"j.num":  {Kind: schema.String, Text: []byte("12")},
	"j.bool": {Kind: schema.Bool, Text: []byte("false")},
	"tags": {Kind: schema.List, List: []schema.Value{{Kind: schema.String, Text: []byte("a")},
		{Kind: schema.Number, Text: []byte("2")}}},
	"array":  {Kind: schema.Array, Elem: schema.Int16, Text: []byte{1, 0, 255, 255}},
	"one":    {Kind: schema.Array, Elem: schema.Float, Text: []byte{0, 0, 0xc0, 0x3f}},
	"object": {Kind: schema.Object, Text: []byte("{}")},
	"big":    cell("9223372036854775807"),
	"odd @":  cell("odd"),
}

func cell(text string) schema.Value {
	return schema.Value{Kind: schema.Text, Text: []byte(text), At: 7}
}

// evaluate returns the value of an expression for a row, or the code of the error.
func evaluate(t testing.TB, row map[string]schema.Value, text string) string {
	t.Helper()
	p, err := Compile(text, func(column string) (Type, bool) {
		_, there := row[column]
		return Dynamic, there
	})
	if err != nil {
		return "fault: " + err.Error()
	}
	slots, nulls, vals := make([]int, len(p.Columns())), make([][]string, len(p.Columns())), make([]schema.Value,
		len(p.Columns()))
	for i, c := range p.Columns() {
		slots[i], vals[i] = i, row[c]
		nulls[i] = []string{"NA", "?"}
	}
	e := p.Bind(slots, nulls)
	v, bad := e.Value(vals)
	if bad != nil {
		return "error: " + bad.Error()
	}
	if p.Condition() == nil {
		is, bad := e.Bool(vals)
		if bad == nil && v.Kind != schema.Text && is != (string(v.Text) == "true") {
			t.Errorf("%s is %s, and %t as a condition", text, v.Text, is)
		}
	}
	return describeValue(&v)
}

func describeValue(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "missing"
	case schema.List:
		var list []string
		for i := range v.List {
			list = append(list, describeValue(&v.List[i]))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case schema.Array:
		var list []string
		for i := range v.Len() {
			n, f, isFloat := v.NumberAt(i)
			list = append(list, string(Number{n, f, isFloat}.append(nil)))
		}
		return v.Elem.String() + "[" + strings.Join(list, ", ") + "]"
	case schema.String:
		return `"` + string(v.Text) + `"`
	case schema.Text:
		return "cell " + string(v.Text)
	}
	return string(v.Text)
}

func TestValues(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "7 % 4": "3", "-7 % 4": "-3", "1 / 2": "0.5", "4 / 2": "2.0",
		"2 * 1.5":   "3.0",
		"three + 1": "4", "three + half": "3.5", "three * three": "9", "three == '3'": "true", "three == 3": "true",
		"three == 3.0": "true", "'x' + word": `"xTaxi"`,
		"j.text + word": `"GrüßeTaxi"`, "j.int + three": "45", "word": "cell Taxi", "j.real": "1.50", "-half": "-0.5",
		"gone": "missing", "na": "missing",
		"missing(na) ? three : na": "cell 3", "gone == null": "true", "gone != null": "false", "three == null": "false",
		"gone == 3": "false", "gone != 'a'": "true", "gone == na": "true",
		"word in ['a', 'Taxi']": "true", "three in [1, 2, 3]": "true", "three in ['3']": "true", "'a' in tags": "true",
		"2 in tags": "true", "'c' in tags": "false", "-1 in array": "true", "size(tags)": "2", "size(array)": "2",
		"one + 1": "2.5",
		"yes":     "cell true", "!yes": "false", "yes && true": "true", "yes == true": "true", "j.bool || yes": "true",
		"size(j.text)": "5", "upper(word)": `"TAXI"`, "trim('  a b ')": `"a b"`, "contains(word, 'ax')": "true",
		"starts_with(word, 'T')": "true", "ends_with(word, 'T')": "false",
		`matches(word, r"^T\w+i$")`: "true", "substr(j.text, 2)": `"üße"`, "substr(j.text, 1, 2)": `"rü"`,
		"substr(j.text, -2)": `"ße"`,
		"int(half)":          "0", "int('12')": "12", "int(2.9)": "2", "int(-2.9)": "-2", "int(true)": "1",
		"float(three)": "3.0",
		"text(three)":  `"3"`, "text(1.5)": `"1.5"`, "text(j.real)": `"1.50"`, "text(2 > 1)": `"true"`,
		"abs(neg)": "7", "min(three, half)": "0.5", "max(1, 2, 3)": "3", "floor(2.7)": "2.0", "ceil(three)": "3",
		"round(2.5)": "3.0", "sqrt(16)": "4.0", `column("odd @")`: "cell odd",
		"1 < 2 == true": "true", "three < 10": "true", "word < 'Z'": "true", "three < '10'": "false",
		"1 > 2 ? 'a' : 'b'": `"b"`, "-9223372036854775808": "-9223372036854775808", "0x10": "16",
		"'\\x41\\u00e9'": `"Aé"`,
	} {
		if got := evaluate(t, row, text); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func TestRowErrors(t *testing.T) {
	for text, code := range map[string]string{
		"gone + 1": "EXPR_MISSING", "word + 1": "EXPR_NUMBER", "three / 0": "EXPR_DIVISION", "big + 1": "EXPR_OVERFLOW",
		"j.text + 1": "EXPR_TYPE", "lower(j.int)": "EXPR_TYPE",
		"half % 2": "EXPR_TYPE", "sqrt(neg)": "EXPR_DOMAIN", "log(0)": "EXPR_DOMAIN", "object == 1": "EXPR_TYPE",
		"tags + 1": "EXPR_TYPE", "gone in ['a']": "EXPR_MISSING", "1e300 * 1e300": "EXPR_OVERFLOW",
		"int(1e300)":   "EXPR_OVERFLOW",
		"gone && true": "EXPR_MISSING", "word && true": "EXPR_TYPE", "j.text == 3": "EXPR_TYPE",
		"j.text < 3": "EXPR_TYPE",
	} {
		if got := evaluate(t, row, text); !strings.HasPrefix(got, "error") || !strings.Contains(got, "["+code+"]") {
			t.Errorf("%s: %s, want %s", text, got, code)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"'a' + 1": "+ takes", "!3": "! takes", "none": "there is no column", "1 +": "expected a value", "(1": `")"`,
		"1 2": "found", "a = 1": "is not an operator", "lower(3)": "takes a string",
		"size(3)":             "takes a string or a list",
		"9223372036854775808": "int64", "3 < 'a'": "takes two", "3 == 'a'": "compares", "1 in 2": "takes a list",
		"[1, 'a']": "of one kind", "lower()": "takes 1 argument", "lover('a')": "no function", `"a`: "closing quote",
		`"\q"`: "escape", `matches(word, "(")`: "pattern", `matches(word, r"\pL")`: "Unicode",
		strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000): "nested",
	} {
		if got := evaluate(t, row, text); !strings.HasPrefix(got, "fault") || !strings.Contains(got, want) {
			t.Errorf("%.40s: %s, want %s", text, got, want)
		}
	}
}

// TestSubstr compares substr with the results of SQLite, which testdata/substr.py wrote.
func TestSubstr(t *testing.T) {
	table, err := os.ReadFile("testdata/substr.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		args := []string{strconv.Quote(cells[0]), cells[1]}
		if cells[2] != "" {
			args = append(args, cells[2])
		}
		text := "substr(" + strings.Join(args, ", ") + ")"
		if got := evaluate(t, nil, text); got != strconv.Quote(cells[3]) {
			t.Errorf("%s is %s, and %q in SQLite", text, got, cells[3])
		}
		n++
	}
	if n < 800 {
		t.Errorf("%d rows", n)
	}
	const least = "-9223372036854775808"
	for text, want := range map[string]string{
		"substr('xyz', " + least + ")":                            `"xyz"`,
		"substr('xyz', " + least + ", 9223372036854775807)":       `"xy"`,
		"substr('xyz', 9223372036854775807, 9223372036854775807)": `""`,
		"substr('xyz', 0, -1)": "error: a length below 0, at character 18 of the " +
			"expression: -1 [EXPR_DOMAIN]",
		"substr('xyz', -5, -1)": "error: a length below 0, at character 19 of the " +
			"expression: -1 [EXPR_DOMAIN]",
	} {
		if got := evaluate(t, nil, text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
