package schema

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"
)

// This file proposes lines of a config that help with a fault.

// unwritten are texts that mean a missing value in the tables of others.
var unwritten = []string{
	"NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "Null", "None", "none", "nil",
	"NaN", "nan", "NAN", "-", "--", "?", ".", "\\N", "missing", "unknown",
}

// nullHint proposes that a text means missing, if it looks like that.
func nullHint(f *field, v *Value) string {
	if v.Kind != Text && v.Kind != String {
		return ""
	}
	for _, text := range unwritten {
		if string(v.Text) == text {
			return "null_values: [" + yamlText(text) + "]"
		}
	}
	return ""
}

// yamlText writes one of unwritten as YAML, in quotes where a list needs them.
func yamlText(text string) string {
	switch text {
	case "NULL", "null", "Null", "-", "--", "?", ".", "#N/A", "\\N":
		return "'" + text + "'"
	}
	return text
}

// TrimHint is the hint of a text that would be fine without the spaces around it.
// It helps with cells that a table can trim; who knows where the text is from
// takes it away from others.
const TrimHint = "trim: true"

// spacedHint proposes to cut the spaces around a text that is good without them.
func spacedHint(v *Value, good func(text []byte) bool) string {
	trimmed := bytes.Trim(v.Text, " \t")
	if v.Kind != Text || len(trimmed) == len(v.Text) || len(trimmed) == 0 || !good(trimmed) {
		return ""
	}
	return TrimHint
}

// plainName is a name of a column that an expression has without quotes.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// numberHint proposes to make a number of a string that reads as one, as strings of JSON
// and of derived columns do.
func (e *Encoder) numberHint(f *field, v *Value) string {
	function := ""
	switch {
	case v.Kind != String || len(e.path) > 0 || !plainName.MatchString(e.column):
		return ""
	case f.Type.IsFloat() && isFloat(v.Text):
		function = "float"
	case f.Type.IsInteger() && isInt(v.Text):
		function = "int"
	default:
		return ""
	}
	return fmt.Sprintf("derive: {%[1]s_%[2]s: %[2]s(%[1]s)}, and from: %[1]s_%[2]s", e.column, function)
}

// classHint proposes what to do with a string that is no class.
func (e *Encoder) classHint(v *Value) string {
	if len(e.path) > 0 || len(v.Text) > maxQuoted || !utf8.Valid(v.Text) || !plainName.MatchString(e.column) {
		return ""
	}
	return fmt.Sprintf("where: %s != %s leaves such rows out; classes: {names: […], unknown: -1} stores -1", e.column, strconv.Quote(string(v.Text)))
}

func isInt(text []byte) bool {
	_, _, verdict := parseInt(text)
	return verdict == numberFine
}

func isFloat(text []byte) bool {
	_, verdict := parseFloat(text)
	return verdict == numberFine || verdict == numberUnderflow
}

func isBool(text []byte) bool {
	_, ok := parseBool(text)
	return ok
}

// jsonHint proposes to read a text as JSON that looks like a list of it.
func (e *Encoder) jsonHint(f *field, v *Value) string {
	if v.Kind != Text || len(e.path) > 0 || f.Repeat != "" || !bytes.HasPrefix(v.Text, []byte("[")) {
		return ""
	}
	return "encoding: json"
}
