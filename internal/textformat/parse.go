package textformat

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Field is a field of a message. A field that repeats is a Field per value.
type Field struct {
	Name   string
	Offset int     // in the text
	Text   string  // a number or a word as written, or the content of a string
	String bool    // Text is the content of a string
	Fields []Field // of a message; nil: a scalar
}

// An Error says what is wrong at an offset of the text, and how to fix it, if that is known.
type Error struct {
	Offset     int
	Text, Hint string
}

func (e *Error) Error() string { return e.Text }

// Parse parses a message without a schema. Extensions, and escapes that Python and C++ do not write, are
// errors. An error is an *Error.
func Parse(text string) ([]Field, error) {
	p := parser{text: text}
	return p.fields("", 0)
}

// maxDepth is the largest depth of messages in messages.
const maxDepth = 20

type parser struct {
	text string
	at   int
}

// word matches a name, a word, or a number.
var word = regexp.MustCompile(`^-?[0-9A-Za-z_.][0-9A-Za-z_.+-]*`)

// fields parses the fields of a message until end.
func (p *parser) fields(end string, depth int) ([]Field, error) {
	list := []Field{}
	for !p.take(end) {
		f := Field{Name: p.word(), Offset: p.at}
		if f.Offset -= len(f.Name); f.Name == "" {
			return nil, p.unexpected("a field")
		}
		hasColon := p.take(":")
		isList := p.take("[")
		for first := true; first || isList && p.take(","); first = false {
			if err := p.value(&f, hasColon, depth); err != nil {
				return nil, err
			}
			list = append(list, f)
		}
		if isList && !p.take("]") {
			return nil, p.unexpected("]")
		}
		if !p.take(",") {
			p.take(";")
		}
	}
	return list, nil
}

// value parses a message or a scalar.
func (p *parser) value(f *Field, hasColon bool, depth int) (err error) {
	end := "}"
	if p.take("<") {
		end = ">"
	} else if !p.take("{") {
		if !hasColon {
			return p.unexpected(": or {")
		}
		return p.scalar(f)
	}
	if depth == maxDepth {
		return p.fail("messages are nested too deeply")
	}
	f.Fields, err = p.fields(end, depth+1)
	return err
}

// scalar parses a word, a number, or strings, which are joined.
func (p *parser) scalar(f *Field) error {
	if f.Text, f.String = p.word(), false; f.Text != "" {
		return nil
	}
	var content []byte
	for p.take(`"`) || p.take("'") {
		var err error
		if content, err = p.quoted(content, p.text[p.at-1]); err != nil {
			return err
		}
		f.String = true
	}
	if !f.String {
		return p.unexpected("a value")
	}
	f.Text = string(content)
	return nil
}

// quoted appends the content of a string until its end.
func (p *parser) quoted(content []byte, end byte) ([]byte, error) {
	for start := p.at; ; {
		n := strings.IndexAny(p.text[p.at:], "\\\n\x00"+string(end))
		if n < 0 {
			p.at = start
			return nil, p.fail("a string does not end")
		}
		content, p.at = append(content, p.text[p.at:p.at+n]...), p.at+n
		rest := p.text[p.at:]
		switch {
		case rest[0] == end:
			p.at++
			return content, nil
		case rest[0] != '\\':
			return nil, p.fail("a line end or NUL in a string")
		case len(rest) > 1 && strings.IndexByte(`'"?`, rest[1]) >= 0:
			content, p.at = append(content, rest[1]), p.at+2
			continue
		}
		r, isRune, tail, err := strconv.UnquoteChar(rest, 0)
		switch {
		case err != nil:
			return nil, p.fail("an unknown escape in a string")
		case isRune || r < utf8.RuneSelf:
			content = utf8.AppendRune(content, r)
		default:
			content = append(content, byte(r))
		}
		p.at = len(p.text) - len(tail)
	}
}

// take skips white space, comments, and the token if it is next. The token "" is the end of the text.
func (p *parser) take(token string) bool {
	for p.at < len(p.text) {
		if c := p.text[p.at]; c == '#' {
			line, _, _ := strings.Cut(p.text[p.at:], "\n")
			p.at += len(line)
		} else if strings.IndexByte(" \t\n\v\f\r", c) >= 0 {
			p.at++
		} else {
			break
		}
	}
	if token == "" || !strings.HasPrefix(p.text[p.at:], token) {
		return token == "" && p.at == len(p.text)
	}
	p.at += len(token)
	return true
}

// word skips white space and returns the next word or number, if there is one.
func (p *parser) word() string {
	p.take("")
	found := word.FindString(p.text[p.at:])
	p.at += len(found)
	return found
}

func (p *parser) unexpected(expected string) error {
	if p.at == len(p.text) {
		return p.fail("the text ends too early; expected %s", expected)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return p.fail("found %q; expected %s", r, expected)
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{Offset: p.at, Text: fmt.Sprintf(format, args...)}
}
