package textformat

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestQuoted(t *testing.T) {
	for s, want := range map[string]string{
		"":                      `""`,
		"plain /_-<b>'":         `"plain /_-<b>'"`,
		"\"\\\n\r\t":            `"\"\\\n\r\t"`,
		"\x00\x01\x1f\x7f":      `"\000\001\037\177"`,
		"ü 日本 😀":                `"ü 日本 😀"`,
		"\u0085\u009f\u00a0":    "\"\\302\\205\\302\\237\u00a0\"",
		"\u202eabc\u2028\ufeff": `"\342\200\256abc\342\200\250\357\273\277"`,
	} {
		if got := string(AppendQuoted(nil, s)); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	const text = "# one\n\ta { b: 1, c: 'x' \"\\\"y\" ; c : [ ff, -1.5e+3 ] }a<>\n# end"
	want := []Field{
		{Name: "a", Offset: 7, Fields: []Field{
			{Name: "b", Offset: 11, Text: "1"},
			{Name: "c", Offset: 17, Text: `x"y`, String: true},
			{Name: "c", Offset: 32, Text: "ff"},
			{Name: "c", Offset: 32, Text: "-1.5e+3"},
		}},
		{Name: "a", Offset: 53, Fields: []Field{}},
	}
	got, err := Parse(text)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; expected %+v", got, err, want)
	}
}

// FuzzParse checks that protobuf's own parser reads a string as Parse does, if that accepts it. Form feeds are
// white space in the specification, and not in the package for Go.
func FuzzParse(f *testing.F) {
	for _, literal := range []string{
		`"a"`, `'\'\?\a\101\x41\u00e9\U0001f431'`, `"\303\251"'"'`, `"é" # end`, `"\0"`, `'a`, `"\377"`, `{}`, "'\x00'",
	} {
		f.Add(literal)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		text := "value: " + literal
		fields, err := Parse(text)
		if err != nil || len(fields) != 1 || !fields[0].String ||
			strings.ContainsAny(literal, "\f\v") || !utf8.ValidString(text) || !utf8.ValidString(fields[0].Text) {
			return
		}
		var want wrapperspb.StringValue
		if err := prototext.Unmarshal([]byte(text), &want); err != nil || want.Value != fields[0].Text {
			t.Errorf("%s is %q; protobuf reads %q, %v", text, fields[0].Text, want.Value, err)
		}
		again, err := Parse("value:" + string(AppendQuoted(nil, want.Value)))
		if err != nil || again[0].Text != want.Value {
			t.Errorf("%q is written and read as %+v, %v", want.Value, again, err)
		}
	})
}
