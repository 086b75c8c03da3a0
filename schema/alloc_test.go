package schema_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"tfr-build/schema"
)

// withLists has one feature per form of values.
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
	features := []schema.Feature{shaped("box", schema.Float, -1, 2), words, colours, repeated, together, blob,
		gone, fixed, scalar("hard", schema.Float)}
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
	pixels, array := pixelRow()
	arrayAs := func(f schema.Feature) *schema.Schema {
		f.Columns, f.Shape = []string{"image"}, []int{28, 28}
		return compile(t, image(f))
	}
	floats := scalar("f", schema.Float64)
	floats.Shape, floats.Tensor = []int{-1}, true
	ragged := scalar("r", schema.Int32)
	ragged.Shape = []int{-1, -1}
	words, pairs := scalar("words", schema.StringType), scalar("pairs", schema.Int64)
	pairs.Shape = []int{-1}
	record := func(m schema.Message) *schema.Schema {
		r := schema.Record{Message: m}
		switch m {
		case schema.TextMessage:
			r.Column = "text"
		case schema.SequenceMessage:
			r.Sequence, r.Features = []schema.Feature{words, pairs}, []schema.Feature{scalar("id", schema.Int64)}
		default:
			r.Features = []schema.Feature{scalar("id", schema.Int8), scalar("x", schema.Float64),
				scalar("text", schema.StringType)}
		}
		s, err := schema.Compile(r)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
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
		{"pixels in a tensor", compile(t, image(schema.Feature{Tensor: true})), pixels},
		{"an array in a tensor", arrayAs(schema.Feature{Tensor: true}), array},
		{"an array as it lies", arrayAs(schema.Feature{Raw: true}), array},
		{"an array in a list", arrayAs(schema.Feature{Type: schema.Int64}), array},
		{"an array as floats", arrayAs(schema.Feature{Type: schema.Float16, Raw: true}), array},
		{"an array of names", arrayAs(schema.Feature{Type: schema.Int64,
			Map: &schema.Map{Strings: []string{"0"}, Values: cells("1"), Unknown: ptr(text("2"))}}), array},
		{"floats of another type", compile(t, floats),
			[]schema.Value{{Kind: schema.Array, Elem: schema.Float, Text: make([]byte, 400)}}},
		{"lists of lists", compile(t, ragged), []schema.Value{list(numbers("1", "2"), numbers(), numbers("3"))}},
		{"feature lists", record(schema.SequenceMessage),
			[]schema.Value{text("1"), list(text("a"), text("b")), list(numbers("1", "2"), numbers("3"))}},
		{"feature lists out of arrays", record(schema.SequenceMessage),
			[]schema.Value{text("1"), list(text("a"), text("b")), list(array[0], array[0])}},
		{"an OFRecord", record(schema.OFRecordMessage), cells("1", "2.5", "goat")},
		{"JSON", record(schema.JSONMessage), cells("1", "2.5", "goat")},
		{"JSON of an Example", record(schema.JSONExampleMessage), cells("1", "2.5", "goat")},
		{"a text", record(schema.TextMessage), cells("goat")},
		{"the text of a number", record(schema.TextMessage),
			[]schema.Value{{Kind: schema.Array, Elem: schema.Float, Text: []byte{0, 0, 0, 0x3f}}}},
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
