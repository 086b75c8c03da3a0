package message

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSONError says where a line is not the JSON of a message.
type JSONError struct {
	At   int    // the byte of the line, from 0
	Code string // as docs/reference/errors.md has it
	Text string // what was found, and what was expected
}

func (e *JSONError) Error() string { return fmt.Sprintf("byte %d: %s [%s]", e.At+1, e.Text, e.Code) }

// A scanner reads JSON by what is expected. The first fault stays, and nothing is
// read after it.
type scanner struct {
	line []byte
	at   int // of the next byte
	err  *JSONError
	text []byte // the last string, where it has escapes
}

func (s *scanner) fail(at int, code, format string, args ...any) {
	if s.err == nil {
		s.err = &JSONError{at, code, fmt.Sprintf(format, args...)}
	}
	s.at = len(s.line)
}

// next is the next byte after spaces; 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.line); s.at++ {
		switch c := s.line[s.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// found names what stands next.
func (s *scanner) found() string {
	if s.next(); s.at == len(s.line) {
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

// shortQuote quotes a text, and cuts it where it is long.
func shortQuote(text []byte) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return strconv.Quote(string(bytes.ToValidUTF8(text[:most], nil))) + "…"
}

// expected says that something else stands next.
func (s *scanner) expected(code, what string) {
	if s.next() == 0 && s.at == len(s.line) {
		code = "JSON_SYNTAX"
	}
	s.fail(s.at, code, "found %s; expected %s", s.found(), what)
}

// null passes over null, if it stands next.
func (s *scanner) null() bool {
	if s.next() != 'n' || !bytes.HasPrefix(s.line[s.at:], []byte("null")) {
		return false
	}
	s.at += len("null")
	return true
}

// object reads an object. It calls field with each name and where that stands;
// field reads the value.
func (s *scanner) object(field func(name []byte, at int)) {
	s.list('{', '}', "an object", func() {
		if s.next() != '"' {
			s.expected("JSON_SYNTAX", "a name in quotes")
			return
		}
		at := s.at
		name := s.string()
		if s.next() != ':' {
			s.expected("JSON_SYNTAX", "a colon")
			return
		}
		s.at++
		field(name, at)
	})
}

// array reads an array, whose values item reads.
func (s *scanner) array(item func()) { s.list('[', ']', "an array", item) }

func (s *scanner) list(open, end byte, what string, item func()) {
	if s.next() != open {
		s.expected("TYPE", what)
		return
	}
	s.at++
	if s.next() == end {
		s.at++
		return
	}
	for s.err == nil {
		item()
		switch s.next() {
		case ',':
			s.at++
		case end:
			s.at++
			return
		default:
			s.expected("JSON_SYNTAX", "a comma or "+string(end))
		}
	}
}

// number reads a number, and returns it as it is written.
func (s *scanner) number() []byte {
	rest := s.line[s.at:]
	n := numberSize(rest)
	if n == 0 || n < len(rest) && bytes.IndexByte([]byte(" \t\r\n,:{}[]"), rest[n]) < 0 {
		s.expected("JSON_SYNTAX", "a number")
		return nil
	}
	s.at += n
	return rest[:n]
}

// numberSize is how long the number is that text begins with; 0 for none.
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

// string reads a string, which holds until the next one is read.
func (s *scanner) string() []byte {
	begin := s.at + 1
	n := bytes.IndexByte(s.line[begin:], '"')
	switch {
	case n < 0:
		s.fail(s.at, "JSON_SYNTAX", "a string without an end")
		return nil
	case bytes.IndexByte(s.line[begin:begin+n], '\\') >= 0:
		return s.escaped()
	}
	text := s.line[begin : begin+n]
	s.at = begin + n + 1
	s.checkText(text, begin)
	return text
}

// checkText refuses what a string may hold only in escapes, and bytes that are
// no text.
func (s *scanner) checkText(text []byte, at int) {
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

// escaped reads a string that has escapes.
func (s *scanner) escaped() []byte {
	begin := s.at
	s.at++
	s.text = s.text[:0]
	for s.err == nil {
		n := bytes.IndexAny(s.line[s.at:], `"\`)
		if n < 0 {
			s.fail(begin, "JSON_SYNTAX", "a string without an end")
			break
		}
		s.checkText(s.line[s.at:s.at+n], s.at)
		if s.err != nil {
			break
		}
		s.text = append(s.text, s.line[s.at:s.at+n]...)
		s.at += n
		if s.line[s.at] == '"' {
			s.at++
			break
		}
		s.escape()
	}
	return s.text
}

// escape reads an escape.
func (s *scanner) escape() {
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
		r := s.hex(at)
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if bytes.HasPrefix(s.line[s.at:], []byte(`\u`)) {
				s.at += 2
				low = s.hex(at)
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

// hex reads four digits of the escape at a place.
func (s *scanner) hex(at int) rune {
	if len(s.line)-s.at >= 4 {
		if v, err := strconv.ParseUint(string(s.line[s.at:s.at+4]), 16, 16); err == nil {
			s.at += 4
			return rune(v)
		}
	}
	s.fail(at, "JSON_SYNTAX", "no escape that JSON has")
	return 0
}
