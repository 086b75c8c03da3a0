package schema

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/nearest"
)

// A position is the position of the value being converted. Its methods return the errors of that
// value.
type position struct {
	column string
	path   []int // of the element, in a list or in lists in a list
}

// newError returns a RowError about v, a value of f in the current column. If an element of a list
// is being converted, the error is about the element.
func (p *position) newError(f *field, v *Value, code, message, hint string) *RowError {
	for i := len(p.path) - 1; i >= 0; i-- {
		separator := "."
		if i == len(p.path)-1 {
			separator = ": "
		}
		message = strconv.Itoa(p.path[i]) + separator + message
	}
	if len(p.path) > 0 {
		message = "element " + message
	}
	if f.MemberKey {
		hint = "" // the key of a sample is not a feature of the config, and has no keys of one
	}
	found, size := "", 0
	if v.Kind == Text || v.Kind == String || v.Kind == Number {
		found, size = quote(v.Text), len(v.Text)
	}
	return &RowError{Code: code, At: int(v.At), Size: size, Column: p.column, Feature: f.Key, Message: message,
		Found: found, Hint: hint}
}

func (p *position) missing(f *field, v *Value, message string) *RowError {
	hint := "missing: omit"
	if len(p.path) > 0 || f.OnMissing == MissingOmit || f.OnMissing == MissingEmptyList {
		hint = "missing: {default: …}"
	}
	if f.OnMissing == MissingDefault {
		hint = "missing: empty_list"
		if f.size >= 0 {
			hint = "missing: omit"
		}
	}
	if f.Constant != nil {
		hint = "" // a constant cannot have the key
	}
	return p.newError(f, v, "MISSING", message, hint)
}

// missingElement returns the error of one missing value among several. Only a default can replace
// it.
func (p *position) missingElement(f *field, v *Value, message string) *RowError {
	return p.newError(f, v, "MISSING", message, "missing: {default: …}")
}

func (p *position) notInt(f *field, v *Value, result parseResult) *RowError {
	if result == numberOK || result == numberRange {
		message := fmt.Sprintf("%s is out of the range of %s, %d to %d", shorten(v.Text), f.Type, f.lowest, f.highest)
		if f.to == toUint {
			message = fmt.Sprintf("%s is out of the range of %s, 0 to %d", shorten(v.Text), f.Type,
				uint64(math.MaxUint64))
		} else if f.Type == Uint64 && !bytes.HasPrefix(v.Text, []byte("-")) {
			message = fmt.Sprintf("%s is above %d, the largest number that an int64_list holds", shorten(v.Text),
				int64(math.MaxInt64))
		}
		return p.newError(f, v, "INT_RANGE", message, widerHint(f, v.Text))
	}
	hint := cmp.Or(nullHint(f, v), spacedHint(v, isInt), marksHint(v.Text), dateHint(v.Text))
	hint = cmp.Or(f.fractionHint(v.Text), hint)
	message := quote(v.Text) + " is not " + f.expected()
	if _, decimal := scanDecimal(v.Text); decimal && f.IntFromFloat {
		message = quote(v.Text) + " has a fraction; expected " + f.expected()
	}
	return p.newError(f, v, "INT_SYNTAX", message, hint)
}

func (p *position) notBool(f *field, v *Value) *RowError {
	return p.newError(f, v, "BOOL_SYNTAX", quote(v.Text)+" is not true, false, 1 or 0",
		cmp.Or(nullHint(f, v), spacedHint(v, isBool), boolHint(string(v.Text))))
}

// boolHint returns a map for a word that other tools read as a bool, in the same case. It returns
// an empty string for other words.
func boolHint(text string) string {
	for _, words := range [][2]string{{"yes", "no"}, {"y", "n"}, {"on", "off"}, {"t", "f"}} {
		if !strings.EqualFold(text, words[0]) && !strings.EqualFold(text, words[1]) {
			continue
		}
		for i, word := range words {
			switch {
			case text == strings.ToUpper(text):
				words[i] = strings.ToUpper(word)
			case text != strings.ToLower(text):
				words[i] = strings.ToUpper(word[:1]) + word[1:]
			}
		}
		return fmt.Sprintf("map: {%q: true, %q: false}", words[0], words[1])
	}
	return ""
}

func (p *position) notFloat(f *field, v *Value, result parseResult) *RowError {
	if result == numberRange {
		largest := map[conversion]string{
			toFloat: "float32, 3.4028235e+38", toDouble: "float64, 1.7976931348623157e+308",
			toFloat16:  "float16, 65504",
			toBfloat16: "bfloat16, 3.3895314e+38",
		}
		return p.newError(f, v, "FLOAT_RANGE", shorten(v.Text)+" is beyond the largest "+largest[f.to], "")
	}
	return p.newError(f, v, "FLOAT_SYNTAX", quote(v.Text)+" is not a float",
		cmp.Or(nullHint(f, v), spacedHint(v, isFloat), marksHint(v.Text), dateHint(v.Text)))
}

func (p *position) notFinite(f *field, v *Value) *RowError {
	hint := nullHint(f, v)
	if hint == "" {
		hint = "nonfinite: allow"
	}
	return p.newError(f, v, "FLOAT_NONFINITE", quote(v.Text)+" is not a finite number", hint)
}

func (p *position) unknownClass(f *field, v *Value) *RowError {
	message := fmt.Sprintf("%s is not one of the %d classes", quote(v.Text), len(f.classes.names))
	near := nearest.Of(string(v.Text), f.classes.names)
	switch {
	case len(f.classes.names) == 1:
		message, near = quote(v.Text)+" is not the only class, "+quote(f.classes.names[0]), ""
	case near != "":
		message += "; the nearest is " + quote(near)
	}
	isClass := func(text []byte) bool {
		_, ok := f.classes.number(text)
		return ok
	}
	hint := cmp.Or(nullHint(f, v), spacedHint(v, isClass), numbersHint(f, v))
	if hint == "" && near == "" { // otherwise it is a typo
		hint = p.classHint(v)
	}
	return p.newError(f, v, "LABEL_UNKNOWN", message, hint)
}

// notClassNumber returns the error of a number that no class has.
func (p *position) notClassNumber(f *field, v *Value) *RowError {
	message := fmt.Sprintf("%s is not the number of a class, %d to %d", shorten(v.Text), f.lowest, f.highest)
	return p.newError(f, v, "LABEL_RANGE", message, "")
}

func (p *position) notUTF8(f *field, v *Value) *RowError {
	at := 0
	for at < len(v.Text) {
		r, size := utf8.DecodeRune(v.Text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	message := fmt.Sprintf("%s is not UTF-8 at its byte %d", quote(v.Text), at+1)
	return p.newError(f, v, "UTF8_INVALID", message, "type: bytes")
}

func (p *position) notBase64(f *field, v *Value, err error) *RowError {
	text := bytes.TrimRight(v.Text, "=")
	for i, c := range text {
		if !isAlphanumeric(c) && c != '+' && c != '/' {
			return p.newError(f, v, "BASE64", fmt.Sprintf("%s is not base64 at its byte %d", quote(v.Text), i+1), "")
		}
	}
	message := fmt.Sprintf("%s is not base64: its length, %d, is not a multiple of 4", quote(v.Text), len(v.Text))
	var at base64.CorruptInputError
	if len(v.Text)%4 == 0 && errors.As(err, &at) {
		message = fmt.Sprintf("%s is not base64 at its byte %d", quote(v.Text), at+1)
	}
	return p.newError(f, v, "BASE64", message, "")
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func (p *position) notHex(f *field, v *Value) *RowError {
	for i, c := range v.Text {
		if !isAlphanumeric(c) || c|0x20 > 'f' {
			return p.newError(f, v, "HEX", fmt.Sprintf("%s is not hex at its byte %d", quote(v.Text), i+1), "")
		}
	}
	message := fmt.Sprintf("%s is not hex: its length, %d, is not even", quote(v.Text), len(v.Text))
	return p.newError(f, v, "HEX", message, "")
}

// wrongKind returns the error of a value from JSON or a file whose kind f does not accept.
func (p *position) wrongKind(f *field, v *Value) *RowError {
	return p.newError(f, v, "TYPE", "found "+v.Describe()+"; expected "+f.expected(),
		cmp.Or(p.numberHint(f, v), f.stringHint(v)))
}

// notValue returns the error of a list or an object where f expects one value.
func (p *position) notValue(f *field, v *Value) *RowError {
	if v.Kind == Object || v.Kind == Missing {
		hint := ""
		if len(p.path) == 0 && v.Kind == Object {
			hint = "from: " + p.column + ".KEY"
		}
		return p.newError(f, v, "TYPE", "found "+v.Describe()+"; expected "+f.expected(), hint)
	}
	hint := ""
	switch n := max(v.count(), len(v.List)); {
	case len(f.Columns) != 1 || f.Repeat != "":
	case len(p.path) == 0:
		hint = "shape: " + ShapeText(v.shape())
	case len(p.path) == 1 && n > 0:
		hint = fmt.Sprintf("shape: [-1, %d]", n)
	}
	return p.newError(f, v, "SHAPE", "found "+v.Describe()+"; expected one value", hint)
}

// shape returns the shape of a list, whose inner lists have one length or any.
func (v *Value) shape() []int {
	if len(v.List) == 0 || v.List[0].length() < 0 {
		return []int{-1}
	}
	n := v.List[0].length()
	for i := range v.List {
		if v.List[i].length() != n || n == 0 {
			return []int{-1, -1}
		}
	}
	return []int{-1, n}
}

// notList returns the error of one value where f expects a list.
func (p *position) notList(f *field, v *Value) *RowError {
	hint := p.jsonHint(f, v)
	if hint == "" && v.Kind == Text && len(p.path) == 0 && f.Repeat == "" {
		if i := bytes.IndexAny(v.Text, ";|, \t"); i >= 0 {
			hint = "separator: " + strconv.Quote(string(v.Text[i:i+1]))
		}
	}
	return p.newError(f, v, "SHAPE", "found "+v.Describe()+"; expected a list", hint)
}

// badCount returns the error of a list whose number of values does not fit f's shape.
func (p *position) badCount(f *field, v *Value, count int) *RowError {
	expected := strconv.Itoa(f.size)
	if f.size < 0 {
		expected = "a multiple of " + strconv.Itoa(f.inner)
	}
	message := fmt.Sprintf("found %s; expected %s for shape %s", counted(count, "value"), expected, ShapeText(f.Shape))
	return p.newError(f, v, "SHAPE", message, "")
}

// badLength returns the error of a nested list whose length differs from its dimension.
func (p *position) badLength(f *field, v *Value, expected int) *RowError {
	message := fmt.Sprintf("found a list of %s; expected %d for shape %s", counted(len(v.List), "element"), expected,
		ShapeText(f.Shape))
	return p.newError(f, v, "SHAPE", message, "")
}

// Describe returns a noun phrase for a value, as JSON or a file had it.
func (v *Value) Describe() string {
	switch v.Kind {
	case Missing:
		return "nothing"
	case Text:
		return "the string " + quote(v.Text)
	case String:
		return "the string " + quote(v.Text)
	case Number:
		return "the number " + shorten(v.Text)
	case Bool:
		return strings.ToLower(string(v.Text))
	case Bytes:
		return "the content of a file"
	case List:
		return "a list of " + counted(len(v.List), "element")
	case Array:
		return "an array of " + strconv.Itoa(v.count()) + " " + v.Elem.String()
	}
	return "an object"
}

// shorten returns the digits of a number, truncated to maxQuoted bytes.
func shorten(number []byte) string {
	if len(number) <= maxQuoted {
		return string(number)
	}
	return string(number[:maxQuoted]) + "…"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
