package jsonl

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// A FileError says why a whole file is no JSON lines. What it does not know,
// the file's name, is added above.
type FileError struct {
	Code    string // ENCODING, FORMAT_MISMATCH, JSONL_LONE_CR or JSONL_NOT_ONE_OBJECT_PER_LINE
	At      int64  // offset of the faulty byte in the file
	Message string // what was found and what was expected
	Hint    string // a command that makes what was expected, or the kind that reads it; empty where none does
}

func (e *FileError) Error() string { return e.Message + " [" + e.Code + "]" }

func rowError(code string, p int, format string, args ...any) *schema.RowError {
	return &schema.RowError{Code: code, At: p, Message: fmt.Sprintf(format, args...)}
}

// syntax is the fault that at p there is something else than expected.
func (s *Scanner) syntax(data []byte, p int, expected string) error {
	if p >= len(data) && s.cell {
		return rowError("JSON_SYNTAX", len(data), "found the end of the cell; expected %s", expected)
	}
	if p >= len(data) {
		return rowError("JSON_SYNTAX", len(data), "found the end of the file; expected %s; the file may be cut short", expected)
	}
	if data[p] == '\n' && !s.multiline {
		return rowError("JSON_SYNTAX", p, "found the end of the line; expected %s", expected)
	}
	return rowError("JSON_SYNTAX", p, "found %s; expected %s", schema.Quote(token(data, p)), expected)
}

// Syntax is the fault that at p of a document, which text is a piece of, there is
// something else than expected.
func Syntax(text []byte, p int, expected string) error {
	s := Scanner{multiline: true}
	return s.syntax(text, p, expected)
}

// control is the fault of a string that does not get past p.
func (s *Scanner) control(data []byte, p int) error {
	if p >= len(data) || data[p] == '\n' {
		return s.syntax(data, p, "a closing quote")
	}
	return rowError("JSON_SYNTAX", p, "found the control character U+%04X in a string; expected it as an escape", data[p])
}

func tooDeep(p, limit int) error {
	return rowError("LIMIT_DEPTH", p, "nested more than %d deep", limit)
}

// tokenMost is how many bytes of a word are read: more than a message shows.
const tokenMost = 41

// token is what a person would take for one word at p.
func token(data []byte, p int) []byte {
	end := p
	for end < len(data) && end-p < tokenMost && !isBreak(data[end]) {
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
func BeginsValue(c byte) bool { return c-'0' <= 9 || strings.IndexByte(`{["-tfn`, c) >= 0 }

// KindOf names the value that begins with c.
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
