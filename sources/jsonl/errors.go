package jsonl

import (
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

func rowError(code string, p int, format string, args ...any) *schema.RowError {
	return schema.RowErrorf(code, p, format, args...)
}

// syntaxError returns an error that says what was found at p and what was expected.
func (s *Scanner) syntaxError(data []byte, p int, expected string) error {
	if p >= len(data) && s.cell {
		return rowError("JSON_SYNTAX", len(data), "found the end of the cell; expected %s", expected)
	}
	if p >= len(data) {
		return rowError("JSON_SYNTAX", len(data), "found the end of the file; expected %s; the file may be cut short",
			expected)
	}
	if data[p] == '\n' && !s.multiline {
		return rowError("JSON_SYNTAX", p, "found the end of the line; expected %s", expected)
	}
	return rowError("JSON_SYNTAX", p, "found %s; expected %s", schema.Quote(token(data, p)), expected)
}

// Syntax returns an error that says what was found at p of a part of a document, and what was
// expected.
func Syntax(text []byte, p int, expected string) error {
	s := Scanner{multiline: true}
	return s.syntaxError(text, p, expected)
}

// wordError returns the error of a token that begins no value. It has a command for words that other
// programs write for numbers that are not finite.
func (s *Scanner) wordError(data []byte, p int) error {
	err := s.syntaxError(data, p, "a value")
	bad, is := err.(*schema.RowError)
	if word := string(token(data, min(p, len(data)))); is {
		switch strings.ToLower(strings.TrimLeft(word, "+-")) {
		case "nan", "inf", "infinity":
			bad.Hint = `write NaN, Infinity, or -Infinity: sed -E 's/([,:[] *)` + strings.ReplaceAll(word, "+", "[+]") +
				"/\\1" + spelled(word) + `/g' OLD > NEW`
		}
	}
	return err
}

// spelled returns a number that is not finite as Python writes it.
func spelled(word string) string {
	switch {
	case strings.Contains(strings.ToLower(word), "nan"):
		return "NaN"
	case word[0] == '-':
		return "-Infinity"
	}
	return "Infinity"
}

// stringError returns the error of the byte at p, which ends a string or is a control character in
// it.
func (s *Scanner) stringError(data []byte, p int) error {
	if p >= len(data) || data[p] == '\n' {
		return s.syntaxError(data, p, "a closing quote")
	}
	return rowError("JSON_SYNTAX", p, "found the control character U+%04X in a string; expected it as an escape",
		data[p])
}

func tooDeep(p, limit int) error {
	return rowError("LIMIT_DEPTH", p, "nested more than %d deep", limit)
}

// maxToken is how many bytes of a word are read: more than a message shows.
const maxToken = 41

// token returns the bytes at p that a person would call one word.
func token(data []byte, p int) []byte {
	end := p
	for end < len(data) && end-p < maxToken && !isBreak(data[end]) {
		end++
	}
	if end == p {
		_, size := utf8.DecodeRune(data[p:])
		end = p + size
	}
	return data[p:end]
}

func isBreak(c byte) bool {
	switch c {
	case ',', ':', '{', '}', '[', ']', '"':
		return true
	}
	return c <= ' '
}

// BeginsValue reports whether a value may begin with c.
func BeginsValue(c byte) bool { return c-'0' <= 9 || strings.IndexByte(`{["-tfnNI`, c) >= 0 }

// KindOf returns the name of the JSON type whose values begin with c, such as "an object".
func KindOf(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a bool"
	case 'n':
		return "null"
	}
	return "a number"
}
