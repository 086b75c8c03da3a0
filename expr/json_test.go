package expr

import (
	"maps"
	"strings"
	"testing"

	"tfr-build/schema"
)

// TestJSON checks the JSON of values of each kind, and the errors of those that have none.
func TestJSON(t *testing.T) {
	row := maps.Clone(lists)
	row["object"] = schema.Value{Kind: schema.Object, Text: []byte(`{"a": [1, 2.50]}`)}
	row["nested"] = schema.Value{Kind: schema.List, List: []schema.Value{row["object"], {}, row["mixed"]}}
	row["nan"] = schema.Value{Kind: schema.List, List: []schema.Value{{Kind: schema.Number, Text: []byte("NaN")}}}
	row["infinite"] = schema.Value{Kind: schema.Array, Elem: schema.Float,
		Text: []byte{0, 0, 0x80, 0x7f, 0, 0, 0x80, 0xff, 0, 0, 0x40, 0x40}}
	row["single"] = schema.Value{Kind: schema.Array, Elem: schema.Uint8, Text: []byte{255}, List: []schema.Value{}}
	row["odd"] = schema.Value{Kind: schema.String, Text: []byte("a\"\\\n\x01ü")}
	row["file"] = schema.Value{Kind: schema.Bytes, Text: []byte("x")}
	for text, want := range map[string]string{
		"json(mixed)": `"[1,"a",true,null,[2]]"`, "json(deep)": `"[[1,2],[],[3]]"`,
		"json(object)": `"{"a": [1, 2.50]}"`,
		"json(nested)": `"[{"a": [1, 2.50]},null,[1,"a",true,null,[2]]]"`, "json(nan)": `"[NaN]"`,
		"json(gone)": `"null"`, "json(na)": `"null"`, "json(null)": `"null"`, "json(cell)": `""0.5 2 x""`,
		"json(odd)": `""a\"\\\n\u0001ü""`, "json(two)": `"2"`, "json(two / 4)": `"0.5"`, "json(two > 1)": `"true"`,
		"json('a')": `""a""`, "json([two, 1.5])": `"[2,1.5]"`,
		"json(missing(gone) ? object : xs)": `"{"a": [1, 2.50]}"`,
		"json(ints)":                        `"[1,-1,7]"`, "json(one)": `"5"`, "json(truth)": `"[true,false]"`,
		"json(truth[0])": `"true"`, "json(single)": `"[255]"`, "json(single[0])": `"255"`,
		"json(ints.filter(x, x > 5))": `"[7]"`,
		"json(only)":                  `""solo""`, "json(empty)": `"[]"`, "xs.map(x, json(x))": `["3", "1.5", "-2"]`,
		"json(nested[0])": `"{"a": [1, 2.50]}"`, "size(json(xs))": "10",
		"json(reals)": `"[1.5,NaN]"`, "json(infinite)": `"[Infinity,-Infinity,3.0]"`,
		"json(file)": "found the content of a file; expected a value that",
		"json()":     "json takes 1 argument", "json(xs) + 1": "+ takes two numbers or two strings",
	} {
		if got := evaluate(t, row, text); got != want &&
			(strings.HasPrefix(want, `"`) || !strings.Contains(got, want)) {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
	long := schema.Value{Kind: schema.String, Text: []byte(strings.Repeat("x", maxMade/2))}
	row["long"] = schema.Value{Kind: schema.List, List: []schema.Value{long, long}}
	if got := evaluate(t, row, "json(long)"); !strings.Contains(got, "EXPR_LIMIT") {
		t.Errorf("json of a long list is %.100s", got)
	}
}
