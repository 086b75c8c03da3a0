package tfx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/textformat"
)

// A textWriter writes a message in protobuf's text format:
// https://protobuf.dev/reference/protobuf/textformat-spec
type textWriter struct {
	out    []byte
	indent int
}

// startLine starts the line of a field.
func (t *textWriter) startLine(name string) {
	for range t.indent {
		t.out = append(t.out, "  "...)
	}
	t.out = append(t.out, name...)
}

// message adds a field that is a message. write adds its fields.
func (t *textWriter) message(name string, write func()) {
	t.startLine(name)
	t.out = append(t.out, " {\n"...)
	t.indent++
	write()
	t.indent--
	t.startLine("}\n")
}

// word adds a field that is an enum value, true, or false.
func (t *textWriter) word(name, value string) {
	t.startLine(name)
	t.out = append(append(append(t.out, ": "...), value...), '\n')
}

func (t *textWriter) int(name string, value int64) { t.word(name, strconv.FormatInt(value, 10)) }

// double adds a field that is a double.
func (t *textWriter) double(name string, value float64) { t.number(name, value, 64) }

// float adds a field that is a float of 32 bits, rounded to nearest.
func (t *textWriter) float(name string, value float64) { t.number(name, float64(float32(value)), 32) }

func (t *textWriter) number(name string, value float64, bits int) {
	switch {
	case math.IsNaN(value):
		t.word(name, "nan")
	case math.IsInf(value, 1):
		t.word(name, "inf")
	case math.IsInf(value, -1):
		t.word(name, "-inf")
	default:
		t.word(name, strconv.FormatFloat(value, 'g', -1, bits))
	}
}

// string adds a field that is a string.
func (t *textWriter) string(name, value string) {
	t.startLine(name)
	t.out = append(textformat.AppendQuoted(append(t.out, ": "...), toUTF8(value)), '\n')
}

// toUTF8 returns s with bytes that are not UTF-8 escaped as \xff: a string field must be UTF-8.
func toUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
