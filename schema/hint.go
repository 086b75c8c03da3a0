package schema

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema/date"
)

// This file suggests lines of a config that fix an error.

// missingSpellings are strings that often mean a missing value in tables.
var missingSpellings = []string{
	"NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "Null", "None", "none", "nil",
	"NaN", "nan", "NAN", "-", "--", "?", ".", "\\N", "missing", "unknown",
}

// nullHint suggests null_values if v looks like a missing value.
func nullHint(f *field, v *Value) string {
	if v.Kind != Text && v.Kind != String {
		return ""
	}
	for _, text := range missingSpellings {
		if string(v.Text) == text {
			return "null_values: [" + yamlString(text) + "]"
		}
	}
	return ""
}

// yamlString formats one of missingSpellings as an element of a YAML list, quoted if necessary.
func yamlString(text string) string {
	switch text {
	case "NULL", "null", "Null", "-", "--", "?", ".", "#N/A", "\\N":
		return "'" + text + "'"
	}
	return text
}

// TrimHint is the hint for a string that would be valid without the spaces around it. Only cells of
// tables can be trimmed; the caller removes the hint for other inputs.
const TrimHint = "trim: true"

// spacedHint suggests trimming if v is valid without the spaces around it.
func spacedHint(v *Value, good func(text []byte) bool) string {
	trimmed := bytes.Trim(v.Text, " \t")
	if v.Kind != Text || len(trimmed) == len(v.Text) || len(trimmed) == 0 || !good(trimmed) {
		return ""
	}
	return TrimHint
}

// plainName matches the column names that an expression can have without quotes.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// numberHint suggests converting a string that looks like a number. Strings of JSON and of derived
// columns may.
func (p *position) numberHint(f *field, v *Value) string {
	function := ""
	switch {
	case v.Kind != String || len(p.path) > 0 || !plainName.MatchString(p.column):
		return ""
	case f.Type.IsFloat() && isFloat(v.Text):
		function = "float"
	case f.Type.IsInteger() && isInt(v.Text):
		function = "int"
	default:
		return ""
	}
	return fmt.Sprintf("derive: {%[1]s_%[2]s: %[2]s(%[1]s)}, and from: %[1]s_%[2]s", p.column, function)
}

// fractionHint suggests how to read a number that is not written as an integer.
func (f *field) fractionHint(text []byte) string {
	switch _, whole := parseWhole(text); {
	case f.classes != nil:
		return ""
	case whole == numberOK && !f.IntFromFloat:
		return "int_from_float: true"
	case isFloat(text):
		return "type: float"
	}
	return ""
}

// stringHint suggests reading a string, as JSON has it, as a date.
func (f *field) stringHint(v *Value) string {
	if v.Kind != String || !f.Type.IsInteger() && !f.Type.IsFloat() {
		return ""
	}
	return dateHint(v.Text)
}

// dateHint suggests the format of a string that is a date. Months and days may be either way around in some.
func dateHint(text []byte) string {
	formats := date.Guess(text)
	for i, format := range formats {
		if format == date.RFC3339 {
			return "date: " + format
		}
		formats[i] = "date: " + strconv.Quote(format)
	}
	return strings.Join(formats, ", or ")
}

// widerHint suggests a type that has a number which is out of the range of f.
func widerHint(f *field, text []byte) string {
	switch {
	case f.classes != nil || f.Type == Uint64:
		return ""
	case isInt(text) && f.Type != Int64:
		return "type: int64"
	case f.Type == Int64 && !f.IntFromFloat:
		return "type: string keeps all digits"
	}
	return ""
}

// classHint suggests what to do with a string that is not a class.
func (p *position) classHint(v *Value) string {
	if len(p.path) > 0 || len(v.Text) > maxQuoted || !utf8.Valid(v.Text) || !plainName.MatchString(p.column) {
		return ""
	}
	return fmt.Sprintf("where: %s != %s leaves such rows out; classes: {names: […], unknown: -1} stores -1", p.column,
		strconv.Quote(string(v.Text)))
}

// numbersHint suggests that the column has the numbers of classes, if v is one of them.
func numbersHint(f *field, v *Value) string {
	list := f.classes
	n, _, result := parseInt(v.Text)
	if result != numberOK || n < list.first || n-list.first >= int64(len(list.names)) {
		return ""
	}
	return "classes: {names: […], numbers: true} reads class numbers"
}

func isInt(text []byte) bool {
	_, _, result := parseInt(text)
	return result == numberOK
}

func isFloat(text []byte) bool {
	_, result := parseFloat(text)
	return result == numberOK || result == numberUnderflow
}

func isBool(text []byte) bool {
	_, ok := parseBool(text)
	return ok
}

// jsonHint suggests the encoding JSON for a string that looks like a JSON list.
func (p *position) jsonHint(f *field, v *Value) string {
	if v.Kind != Text || len(p.path) > 0 || f.Repeat != "" || !bytes.HasPrefix(v.Text, []byte("[")) {
		return ""
	}
	return "encoding: json"
}

// ExampleDefault returns a default of f's type, as a line of a config.
func (f *Feature) ExampleDefault() string {
	value := f.Type.Example()
	switch {
	case f.ClassNames() != nil || f.Map != nil:
		value = "…"
	case f.Pad != nil && f.Type.IsText():
		value = quote(f.Pad.Text)
	case f.Pad != nil:
		value = string(f.Pad.Text)
	}
	return "missing: {default: " + value + "}"
}

// Example returns an empty value of a type, as configs write it.
func (t Type) Example() string {
	switch {
	case t.IsText():
		return `""`
	case t == BoolType:
		return "false"
	}
	return "0"
}

// insteadOfEmpty suggests what a feature can have that cannot be an empty list.
func (f *Feature) insteadOfEmpty() string {
	if len(f.Shape) == 0 || f.Shape[0] < 0 {
		return "missing: omit, or " + f.ExampleDefault()
	}
	return f.ExampleDefault() + ", which fills the list, or missing: omit"
}
