package config

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkPlainText checks that src is UTF-8 without the control characters that YAML does not allow.
func checkPlainText(f *collector, src []byte) bool {
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		wrong := ""
		switch {
		case r == utf8.RuneError && size == 1:
			wrong = fmt.Sprintf("the byte 0x%02x is not UTF-8", text[i])
		case r == 0:
			wrong = "a NUL byte"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f, 0x80 <= r && r < 0xa0 && r != 0x85,
			r == 0xfeff, r == 0xfffe, r == 0xffff:
			wrong = fmt.Sprintf("the control character %U", r)
		}
		if wrong != "" {
			before := text[:i]
			line := bytes.LastIndexByte(before, '\n') + 1
			at := position{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[line:]) + 1}
			f.reportAt(at, "", "a config is text in UTF-8", "%s", wrong)
			return false
		}
		i += size
	}
	return true
}

// variables expands the variables of the environment in strings.
type variables struct {
	*collector
	env func(string) (string, bool)
}

// expand replaces the variables in the text of a scalar by their values.
func (v variables) expand(at position, text string) (expanded string, invalid bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		switch {
		case !found:
			return b.String(), invalid
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			text = rest[1:]
		case strings.HasPrefix(rest, "{"):
			inside, after, closed := strings.Cut(rest[1:], "}")
			if !closed {
				v.reportUnknownForm(at, "${"+inside, "a variable without its }")
				return "", true
			}
			value, ok := v.lookup(at, inside)
			b.WriteString(value)
			invalid = invalid || !ok
			text = after
		default:
			b.WriteByte('$')
			text = rest
		}
	}
}

// lookup returns the value of the expression between ${ and }.
func (v variables) lookup(at position, inside string) (string, bool) {
	name, fallback, hasDefault := strings.Cut(inside, ":-")
	if !isVariable(name) || strings.Contains(fallback, "${") {
		v.reportUnknownForm(at, "${"+inside+"}", "unknown form of a variable")
		return "", false
	}
	value, set := v.env(name)
	switch {
	case hasDefault && value == "":
		return fallback, true
	case !set:
		v.reportAt(at, "", "set it, or give a default: ${"+name+":-default}", "the variable %s is not set", name)
		return "", false
	case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		v.reportAt(at, "", "", "the value of %s is not UTF-8", name)
		return "", false
	}
	return value, true
}

func (v variables) reportUnknownForm(at position, found, text string) {
	v.reportAt(at, "", "the forms are ${VAR} and ${VAR:-default}; $$ is a dollar", "%s: %s", text, quoteValue(found))
}

func isVariable(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
