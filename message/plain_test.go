package message

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/testenv"
)

// plainOf returns the plain JSON of a payload.
func plainOf(t testing.TB, kind Kind, payload []byte, style Style) string {
	t.Helper()
	var m Message
	if err := m.Read(kind, payload); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.WritePlain(&b, func([]byte, bool) Style { return style }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// plainCases are messages of every form, in hexadecimal digits.
var plainCases = []struct {
	kind          Kind
	style         Style
	payload, want string
}{
	{Example, Style{}, "", `{}`},
	{Example, Style{}, "0a00", `{}`},
	{Example, Style{}, "0a520a110a08666561747572653012051a030a01000a110a08666561747572653112051a030a01040a140a0866656174" +
		"7572653212080a060a04676f61740a140a086665617475726533120812060a045bd37c3f",
		`{"feature0":0,"feature1":4,"feature2":"goat","feature3":0.9876}`},
	{Example, Style{IsList: true}, "0a150a130a0161120e1a0c0a0affffffffffffffffff01", `{"a":[-1]}`},
	{Example, Style{}, "0a150a130a0161120e1a0c0a0a80808080808080808001", `{"a":-9223372036854775808}`},
	{Example, Style{}, "0a140a120a0161120d1a0b0a09ffffffffffffffff7f", `{"a":9223372036854775807}`},
	{Example, Style{}, "0a090a070a016112021a00", `{"a":[]}`},
	{Example, Style{}, "0a070a050a01611200", `{"a":null}`},
	{Example, Style{}, "0a080a060a0012021a00", `{"":[]}`},
	{Example, Style{}, "0a0e0a0c0a016112070a050a000a0178", `{"a":["","x"]}`},
	{Example, Style{IsBytes: true}, "0a0e0a0c0a016112070a050a000a0178", `{"a":[{"base64":""},{"base64":"eA=="}]}`},
	{Example, Style{}, "0a170a150a0166121012 0e0a0c 0000c07f 0000807f 000080ff",
		`{"f":["NaN","Infinity","-Infinity"]}`},
	{Example, Style{}, "0a0f0a0d0a0166120812060a04 00000080", `{"f":-0.0}`},

	// Bytes are a string or not; \x01 is UTF-8, but hardly text.
	{Example, Style{}, "0a0d0a0b0a016112060a040a02ffd8", `{"a":{"base64":"/9g="}}`},
	{Example, Style{IsText: true}, "0a0d0a0b0a016112060a040a02ffd8", `{"a":{"base64":"/9g="}}`},
	{Example, Style{}, "0a0d0a0b0a016112060a040a020100", `{"a":{"base64":"AQA="}}`},
	{Example, Style{IsText: true}, "0a0d0a0b0a016112060a040a020100", `{"a":"\u0001\u0000"}`},
	{Example, Style{}, "0a110a0f0a0161120a0a080a06 090a22 5cc29b", `{"a":"\t\n\"\\\u009b"}`},

	// A key that a terminal would interpret: ESC, and the control character U+009B.
	{Example, Style{}, "0a0b0a090a031bc29b12021a00", `{"\u001b\u009b":[]}`},

	// The later of two values counts.
	{Example, Style{}, "0a0e0a050a016212000a050a01621200", `{"b":null}`},

	{SequenceExample, Style{}, "0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809",
		`{"context":{"len":2},"feature_lists":{"tok":[7,[8,9]]}}`},
	{SequenceExample, Style{IsList: true},
		"0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809",
		`{"context":{"len":[2]},"feature_lists":{"tok":[[7],[8,9]]}}`},
	{SequenceExample, Style{}, "1200", `{"context":{},"feature_lists":{}}`},
	{SequenceExample, Style{}, "0a001209 0a070a0161120 20a00", `{"context":{},"feature_lists":{"a":[null]}}`},

	{OFRecord, Style{}, "0a140a0b636c6173732f6c6162656c120522030a01070a120a07656e636f64656412070a050a03ffd8ff",
		`{"class/label":7,"encoded":{"base64":"/9j/"}}`},
	{OFRecord, Style{}, "0a11 0a0164 120c 1a0a 0a08 9a9999999999b93f", `{"d":0.1}`},

	{None, Style{}, "6e6f", `{"text":"no"}`},
	{None, Style{IsBytes: true}, "6e6f", `{"base64":"bm8="}`},
	{None, Style{}, "0a00", `{"base64":"CgA="}`},
}

func TestPlain(t *testing.T) {
	for _, c := range plainCases {
		payload, err := hex.DecodeString(strings.ReplaceAll(c.payload, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		got := plainOf(t, c.kind, payload, c.style)
		if got != c.want {
			t.Errorf("%s is\n%s, want\n%s", c.payload, got, c.want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s is not JSON", got)
		}
	}
}

// TestPlainStyle checks that the style of each feature is requested by its key, separately for
// feature lists and the context.
func TestPlainStyle(t *testing.T) {
	payload, err := hex.DecodeString("0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a04" +
		"0a020809")
	if err != nil {
		t.Fatal(err)
	}
	var m Message
	if err := m.Read(SequenceExample, payload); err != nil {
		t.Fatal(err)
	}
	var asked []string
	var b bytes.Buffer
	err = m.WritePlain(&b, func(key []byte, isList bool) Style {
		asked = append(asked, string(key))
		return Style{IsList: isList}
	})
	if want := `{"context":{"len":2},"feature_lists":{"tok":[[7],[8,9]]}}`; err != nil || b.String() != want ||
		!slices.Equal(asked, []string{"len", "tok"}) {
		t.Errorf("%s, asked for %q, %v", &b, asked, err)
	}
}

// TestPlainOfPayloads parses each line with encoding/json, in every style.
func TestPlainOfPayloads(t *testing.T) {
	large := nested(1, nested(1, slices.Concat(nested(1, 'k'),
		nested(2, nested(1, nested(1, bytes.Repeat([]byte("é\""),
			testenv.Times(1<<18, 1<<20, 1<<20))...)...)...))...)...)
	for _, payload := range slices.Concat(odd(), usual(t), [][]byte{large}) {
		for _, kind := range append(kinds, None) {
			for _, style := range []Style{{}, {IsList: true}, {IsText: true}, {IsBytes: true}} {
				line := plainOf(t, kind, payload, style)
				var object map[string]any
				if err := json.Unmarshal([]byte(line), &object); err != nil || strings.ContainsAny(line, "\n\r") ||
					!utf8.ValidString(line) {
					t.Fatalf("%x is %.200q, %v", payload, line, err)
				}
			}
		}
	}
}

// TestPlainIsFlushed writes a long string and a long list; the buffer stays small.
func TestPlainIsFlushed(t *testing.T) {
	text := nested(1, bytes.Repeat([]byte("é"), 5<<20)...)
	for name, list := range map[string][]byte{
		"a text": nested(1, text...), "texts": nested(1, bytes.Repeat(nested(1, 'a'), 1<<20)...),
		"numbers": nested(3, nested(1, bytes.Repeat([]byte{7}, 1<<20)...)...),
		"bytes":   nested(1, nested(1, make([]byte, 1<<20)...)...),
	} {
		payload := nested(1, nested(1, slices.Concat(nested(1, 'k'), nested(2, list...))...)...)
		var m Message
		if err := m.Read(Example, payload); err != nil || m.Kind != Example {
			t.Fatal(name, err)
		}
		var b bytes.Buffer
		if err := m.WritePlain(&b, func([]byte, bool) Style { return Style{} }); err != nil || b.Len() < 1<<20 ||
			cap(m.text) > 4*flushSize {
			t.Errorf("%s: %d bytes, of which %d were held at once, %v", name, b.Len(), cap(m.text), err)
		}
	}
}

func TestWritePlainFails(t *testing.T) {
	failure := errors.New("full")
	var m Message
	if err := m.Read(None, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := m.WritePlain(failing{failure}, func([]byte, bool) Style { return Style{} }); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
}

// FuzzPlain checks that the plain JSON of payloads has their values.
func FuzzPlain(f *testing.F) {
	for _, payload := range odd() {
		f.Add(payload, "a", []byte("\xff"))
	}
	f.Fuzz(func(t *testing.T, payload []byte, key string, value []byte) {
		for _, kind := range append(kinds, None) {
			if line := plainOf(t, kind, payload, Style{}); !json.Valid([]byte(line)) {
				t.Errorf("%x is %s", payload, line)
			}
		}
		if !utf8.ValidString(key) {
			return
		}
		line := plainOf(t, Example, nested(1, nested(1,
			slices.Concat(nested(1, []byte(key)...), nested(2, nested(1, nested(1, value...)...)...))...)...), Style{})
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		text, isText := got[key].(string)
		if !isText {
			data, err := base64.StdEncoding.DecodeString(got[key].(map[string]any)["base64"].(string))
			text, isText = string(data), err == nil
		}
		if !isText || text != string(value) {
			t.Errorf("%q is %s", value, line)
		}
	})
}
