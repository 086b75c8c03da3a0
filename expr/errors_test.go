package expr

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"tfr-build/schema"
)

var update = flag.Bool("update", false, "write testdata/faults.golden anew")

// invalid are expressions with errors, in any config or in some row.
var invalid = []string{
	"", "  ", "fare >", "fare > > 3", "fare = 3", "fare === 3", "fare <> 3", "fare ** 2", "fare > 3 and tip > 0",
	"not paid", "not (paid)", "paid == True", "fare is null", "'a' if paid else 'b'", "fare not in [3]", "fare & 3",
	"fare > 3 tip", `"open`, `"a\qb"`, `"\ud800"`, "“fare”", "fare[0]", "tags[0]", "@file == 'x'", "@ == 1",
	"tags.map(@x, 1)", ".fare", "1.5.2", "12abc", "fare # 3", "(fare", "fare)", "[fare", "min(fare", "fare ? 1",
	"fare ? 1 :",
	"far > 3", "odd-name > 3", "size", "lenght(zone)", "length(zone)", "startsWith(zone, zone)", "zone.contains('x')",
	"zone.size()", "lower(zone, 1)", "min(1)", "column(zone)", "column()", "missing(fare + 1)", "missing('fare')",
	"9223372036854775808", "-9223372036854775809", "1e400", "0xfffffffffffffffff",
	`"a" + 1`, `1 - "a"`, "!1", "-true", `-"a"`, "1 && true", `"a" || true`, `1 == "a"`, `1 < "a"`, "true < false",
	"1 < fare < 3", "true + 1", "null + 1", "null < 1", "null && true", "1.5 % 2", `"a" in "abc"`, "1 in [1, 'a']",
	`"a" in [1]`, "1 in [null]",
	"fare in 3", "[1, 2]", "size([1]) == [1]", "fare == [1]", "true ? 1 : 'a'", "1 ? 2 : 3", `lower(3)`, "size(3)",
	"abs('a')", "sqrt(true)", "int(null)", "float(true)", "substr(3, 1)", "substr('a', 1.5)", "substr('a', 'b')",
	`matches(zone, "(")`, `matches(zone, "a{2000}")`, `matches(zone, zone)`, `matches(zone, r"\p{L}")`,
	`matches(zone, "(?i)é")`, `matches(zone, r"(?s-i:a)\x{e9}")`,
	"\n  fare >\n  'a' + 1", "größe + 'é' + 1",
	strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000), strings.Repeat("-", 300) + "1",
	"'" + strings.Repeat("long ", 20) + "' - 1", "a" + strings.Repeat("b", maxText),

	"fare * 2", "note * 2", "gone + 1", "fare > tip / 0", "size(gone)", "zone + 1", "zone > 3", "zone == 3",
	"zone && true", "paid + 1", "json * 2", "lower(number)", "json + number", "json == number", "json < number",
	"json in [1, 2]",
	"number % 2", "big + 1", "-(big + 1 - 1)", "big * 2", "-smallest", "abs(smallest)", "1e308 * 10 > fare",
	"int(1e30)", "int('x')", "float(zone)", "huge + 1", "fare % 0", "5 % (tip - tip)",
	"sqrt(0 - tip)", "log(0)", "log(tip - 3)", "substr(zone, 0, -1)", "tags + 1", "tags == 1", "tags", "tags in ['a']",
	"zone in zone", "object == 1", "lower(object)", "1 in number", "gone in ['a']", "tags in tags", "gone && true",
	"true && gone", "gone ? 1 : 2", "text(gone)", "text(tags)",
	"min(fare, gone)", "nan + 1", "empty + 1", "spaced + 1", "(fare + tip) * (zone -\n  fare)",
	"true && zone > 3 || fare > 1",
}

// fares has the columns of these expressions.
var fares = map[string]schema.Value{
	"fare": cell("12.5"), "tip": cell("3"), "zone": cell("Harlem"), "paid": cell("true"), "gone": {},
	"note": cell("NA"),
	"size": cell("1"), "odd-name": cell("1"), "odd": cell("1"), "größe": cell("1"),
	"json":   {Kind: schema.String, Text: []byte("12"), At: 30},
	"number": {Kind: schema.Number, Text: []byte("2.5"), At: 40},
	"huge":   {Kind: schema.Number, Text: []byte("1e999"), At: 50},
	"big":    cell("9223372036854775807"), "smallest": cell("-9223372036854775808"), "nan": cell("NaN"),
	"empty":  cell(""),
	"spaced": cell(" 3"),
	"tags": {Kind: schema.List, List: []schema.Value{{Kind: schema.String, Text: []byte("a")},
		{Kind: schema.String, Text: []byte("b")}}}, "object": {Kind: schema.Object, Text: []byte("{}")},
}

// describeOutcome returns the error or the value of an expression.
func describeOutcome(text string) string {
	p, err := Compile(text, func(column string) (Type, bool) {
		_, there := fares[column]
		return Dynamic, there
	})
	if err != nil {
		hint := ""
		if err.Hint != "" {
			hint = "\n\thint: " + err.Hint
		}
		return fmt.Sprintf("\tat %d: %s%s", err.At, err.Text, hint)
	}
	columns := p.Columns()
	slots, nulls, vals := make([]int, len(columns)), make([][]string, len(columns)), make([]schema.Value, len(columns))
	for i, c := range columns {
		slots[i], nulls[i], vals[i] = i, []string{"NA"}, fares[c]
	}
	v, bad := p.Bind(slots, nulls).Value(vals)
	if bad == nil {
		return "\tis " + string(v.Text)
	}
	out := fmt.Sprintf("\tbyte %d: %s", bad.At, bad.Error())
	if bad.Found != "" {
		out += "\n\tfound " + bad.Found
	}
	if bad.Hint != "" {
		out += "\n\thint: " + bad.Hint
	}
	return out
}

// TestMessages compares each error with testdata/faults.golden.
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, text := range invalid {
		fmt.Fprintf(&b, "%s\n%s\n", quoteShort(text), describeOutcome(text))
	}
	const golden = "testdata/faults.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, lines := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(got), len(lines)) {
		if got[i] != lines[i] {
			t.Fatalf("line %d is %s\nin %s %s\ngo test ./expr -update writes the file", i+1, got[i], golden, lines[i])
		}
	}
	if len(got) != len(lines) {
		t.Errorf("%d lines, and %d in %s; go test ./expr -update writes the file", len(got), len(lines), golden)
	}
}
