package message

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSONError tells why a line is not the JSON of a message.
type JSONError struct {
	At   int    // byte offset in the line
	Code string // see docs/reference/errors.md
	Text string // what was found, and what was expected
}

func (e *JSONError) Error() string { return fmt.Sprintf("byte %d: %s [%s]", e.At+1, e.Text, e.Code) }

// A scanner reads JSON whose structure the caller knows. It keeps the first error, and reads
// nothing after it.
type scanner struct {
	line []byte
	at   int // offset of the next byte
	err  *JSONError
	text []byte // the last string, if it had escapes
}

func (s *scanner) fail(at int, code, format string, args ...any) {
	if s.err == nil {
		s.err = &JSONError{at, code, fmt.Sprintf(format, args...)}
	}
	s.at = len(s.line)
}

// peek skips spaces and returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.line); s.at++ {
		switch c := s.line[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// describeNext returns the next token for messages.
func (s *scanner) describeNext() string {
	if s.peek(); s.at == len(s.line) {
		return "the end of the line"
	}
	rest := s.line[s.at:]
	if i := bytes.IndexAny(rest, " \t\r\n,:{}[]"); i > 0 {
		rest = rest[:i]
	} else {
		_, size := utf8.DecodeRune(rest)
		rest = rest[:size]
	}
	return shortQuote(rest)
}

// shortQuote quotes a string, truncated if it is long.
func shortQuote(text []byte) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return strconv.Quote(string(bytes.ToValidUTF8(text[:most], nil))) + "…"
}

// failExpected records that the next token is not the expected one.
func (s *scanner) failExpected(code, what string) {
	if s.peek() == 0 && s.at == len(s.line) {
		code = "JSON_SYNTAX"
	}
	s.fail(s.at, code, "found %s; expected %s", s.describeNext(), what)
}

// skipNull skips null, and reports whether it was the next token.
func (s *scanner) skipNull() bool {
	if s.peek() != 'n' || !bytes.HasPrefix(s.line[s.at:], []byte("null")) {
		return false
	}
	s.at += len("null")
	return true
}

// readObject reads an object. It calls field with each name and its offset; field reads the value.
func (s *scanner) readObject(field func(name []byte, at int)) {
	s.readSequence('{', '}', "an object", func() {
		if s.peek() != '"' {
			s.failExpected("JSON_SYNTAX", "a name in quotes")
			return
		}
		at := s.at
		name := s.readString()
		if s.peek() != ':' {
			s.failExpected("JSON_SYNTAX", "a colon")
			return
		}
		s.at++
		field(name, at)
	})
}

// readArray reads an array. It calls item to read each element.
func (s *scanner) readArray(item func()) { s.readSequence('[', ']', "an array", item) }

func (s *scanner) readSequence(open, end byte, what string, item func()) {
	if s.peek() != open {
		s.failExpected("TYPE", what)
		return
	}
	s.at++
	if s.peek() == end {
		s.at++
		return
	}
	for s.err == nil {
		item()
		switch s.peek() {
		case ',':
			s.at++
		case end:
			s.at++
			return
		default:
			s.failExpected("JSON_SYNTAX", "a comma or "+string(end))
		}
	}
}

// readNumber reads a number, and returns its characters.
func (s *scanner) readNumber() []byte {
	rest := s.line[s.at:]
	n := numberSize(rest)
	if n == 0 || n < len(rest) && bytes.IndexByte([]byte(" \t\r\n,:{}[]"), rest[n]) < 0 {
		s.failExpected("JSON_SYNTAX", "a number")
		return nil
	}
	s.at += n
	return rest[:n]
}

// numberSize returns the size of the number at the beginning of text, or 0 if text begins
// otherwise.
func numberSize(text []byte) int {
	n := 0
	digits := func() bool {
		begin := n
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		return n > begin
	}
	is := func(chars string) bool { return n < len(text) && bytes.IndexByte([]byte(chars), text[n]) >= 0 }
	if is("-") {
		n++
	}
	if is("0") {
		n++
	} else if !digits() {
		return 0
	}
	if is(".") {
		if n++; !digits() {
			return 0
		}
	}
	if is("eE") {
		if n++; is("+-") {
			n++
		}
		if !digits() {
			return 0
		}
	}
	return n
}

// readString reads a string. The result is valid until the next string is read.
func (s *scanner) readString() []byte {
	begin := s.at + 1
	n := bytes.IndexByte(s.line[begin:], '"')
	switch {
	case n < 0:
		s.fail(s.at, "JSON_SYNTAX", "a string without an end")
		return nil
	case bytes.IndexByte(s.line[begin:begin+n], '\\') >= 0:
		return s.readEscaped()
	}
	text := s.line[begin : begin+n]
	s.at = begin + n + 1
	s.checkString(text, begin)
	return text
}

// checkString records an error for control characters, which must be escaped, and for invalid
// UTF-8.
func (s *scanner) checkString(text []byte, at int) {
	for i, c := range text {
		if c < ' ' {
			s.fail(at+i, "JSON_SYNTAX", "a control character in a string")
			return
		}
	}
	if utf8.Valid(text) {
		return
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			s.fail(at+i, "UTF8_INVALID", "a byte that is not UTF-8: 0x%02x", text[i])
			return
		}
		i += size
	}
}

// readEscaped reads a string with escapes.
func (s *scanner) readEscaped() []byte {
	begin := s.at
	s.at++
	s.text = s.text[:0]
	for s.err == nil {
		n := bytes.IndexAny(s.line[s.at:], `"\`)
		if n < 0 {
			s.fail(begin, "JSON_SYNTAX", "a string without an end")
			break
		}
		s.checkString(s.line[s.at:s.at+n], s.at)
		if s.err != nil {
			break
		}
		s.text = append(s.text, s.line[s.at:s.at+n]...)
		s.at += n
		if s.line[s.at] == '"' {
			s.at++
			break
		}
		s.readEscape()
	}
	return s.text
}

// readEscape reads an escape.
func (s *scanner) readEscape() {
	at := s.at
	c := byte(0)
	if s.at++; s.at < len(s.line) {
		c = s.line[s.at]
		s.at++
	}
	switch c {
	case '"', '\\', '/':
		s.text = append(s.text, c)
	case 'b', 'f', 'n', 'r', 't':
		s.text = append(s.text, byte(bytes.IndexByte(shortEscapes[:], c)))
	case 'u':
		r := s.readHex(at)
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if bytes.HasPrefix(s.line[s.at:], []byte(`\u`)) {
				s.at += 2
				low = s.readHex(at)
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				s.fail(at, "JSON_LONE_SURROGATE", "half of a surrogate pair")
			}
		}
		s.text = utf8.AppendRune(s.text, r)
	default:
		s.fail(at, "JSON_SYNTAX", "no escape that JSON has")
	}
}

// readHex reads the four digits of the escape at offset at.
func (s *scanner) readHex(at int) rune {
	if len(s.line)-s.at >= 4 {
		if v, err := strconv.ParseUint(string(s.line[s.at:s.at+4]), 16, 16); err == nil {
			s.at += 4
			return rune(v)
		}
	}
	s.fail(at, "JSON_SYNTAX", "no escape that JSON has")
	return 0
}
