package schema_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"tfr-build/schema"
)

// withLists has a feature for every way of gathering values.
func withLists(t testing.TB) (*schema.Schema, []schema.Value) {
	names := &schema.Classes{Names: strings.Fields("red green blue")}
	shaped := func(key string, t schema.Type, shape ...int) schema.Feature {
		return schema.Feature{Key: key, Type: t, Columns: []string{key}, Shape: shape}
	}
	words := shaped("words", schema.BytesType, -1)
	words.Separator = " "
	colours := shaped("colours", schema.Int64, -1)
	colours.Classes = names
	repeated := scalar("repeated", schema.Int64)
	repeated.Classes, repeated.Repeat, repeated.Shape = names, "box", []int{-1}
	together := shaped("together", schema.Float, 2)
	together.Columns = []string{"x", "y"}
	blob := scalar("blob", schema.BytesType)
	blob.Encoding = schema.Base64
	gone := scalar("gone", schema.Int64)
	gone.OnMissing = schema.MissingOmit
	fixed := schema.Feature{Key: "fixed", Type: schema.StringType, Constant: ptr(text("v1"))}
	features := []schema.Feature{shaped("box", schema.Float, -1, 2), words, colours, repeated, together, blob, gone, fixed, scalar("hard", schema.Float)}
	s := compile(t, features...)
	cells := map[string]schema.Value{
		"box":      list(list(number("0.25"), number("1e-3")), list(number("17"), number("123456.789"))),
		"words":    text("the quick brown fox"),
		"colours":  list(jsonString("red"), jsonString("blue")),
		"repeated": text("green"),
		"x":        text("1.5"),
		"y":        text("-2.5"),
		"blob":     text(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("content", 40)))),
		"hard":     text("1.00000017881393432617187499"),
	}
	vals := make([]schema.Value, len(s.Columns()))
	for i, c := range s.Columns() {
		vals[i] = cells[c.Name]
	}
	return s, vals
}

func manyClasses(t testing.TB) *schema.Schema {
	f := scalar("class", schema.Int64)
	f.Classes = &schema.Classes{Names: strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z")}
	f.NullValues = []string{"NA"}
	return compile(t, f)
}

func TestAppendDoesNotAllocate(t *testing.T) {
	lists, listRow := withLists(t)
	tests := []struct {
		name   string
		schema *schema.Schema
		row    []schema.Value
	}{
		{"the tutorial's row", tutorial(t), cells("false", "4", "goat", "0.9876")},
		{"nine columns", trips(t), tripCells},
		{"long texts", compile(t, scalar("text", schema.StringType)), cells(strings.Repeat("é", 1000))},
		{"classes", manyClasses(t), cells("q")},
		{"lists", lists, listRow},
	}
	for _, test := range tests {
		e := test.schema.NewEncoder()
		var buf []byte
		appendRow := func() {
			var err error
			if buf, err = e.Append(buf[:0], test.row); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(100, appendRow); n != 0 {
			t.Errorf("%s: %v allocations a row", test.name, n)
		}
	}
}
