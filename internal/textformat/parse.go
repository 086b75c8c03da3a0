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
	if !utf8.ValidString(text) {
		p.offset = strings.IndexRune(text, utf8.RuneError)
		p.fail("the text is not UTF-8")
	}
	p.next()
	list := p.fields("", 0)
	return list, p.err
}

// maxDepth is the largest depth of messages in messages.
const maxDepth = 20

var (
	// tokens matches white space and comments, and then a string, a word or number, another character, or the end.
	tokens = regexp.MustCompile(`^(?:[ \t\n\v\f\r]|#[^\n]*)*` +
		`("(?:[^"\\\n\x00]|\\[^\n])*"|'(?:[^'\\\n\x00]|\\[^\n])*'|-?[\w.][\w.+-]*|(?s:.)|$)`)
	word = regexp.MustCompile(`^-?[\w.]`)
	// escapes makes the content of a string the content of a Go string.
	escapes = strings.NewReplacer(`\\`, `\\`, `\'`, `'`, `\?`, `?`, `\"`, `\"`, `"`, `\"`)
)

type parser struct {
	text   string
	at     int    // after the token
	token  string // empty at the end, and after an error
	offset int    // of the token
	err    error  // the first error
}

// next reads the next token.
func (p *parser) next() {
	if p.err == nil {
		m := tokens.FindStringSubmatchIndex(p.text[p.at:])
		p.offset, p.at = p.at+m[2], p.at+m[3]
		p.token = p.text[p.offset:p.at]
	}
}

// take reads the next token if this one is the expected one.
func (p *parser) take(token string) bool {
	if p.token != token || token == "" {
		return false
	}
	p.next()
	return true
}

// fields parses the fields of a message until end.
func (p *parser) fields(end string, depth int) []Field {
	list := []Field{}
	for p.err == nil && p.token != end {
		f := Field{Name: p.token, Offset: p.offset}
		if !word.MatchString(p.token) {
			p.unexpected("a field")
			break
		}
		p.next()
		hasColon, isList := p.take(":"), p.take("[")
		for first := true; first || isList && p.take(","); first = false {
			p.value(&f, hasColon, depth)
			list = append(list, f)
		}
		if isList && !p.take("]") {
			p.unexpected("]")
		}
		if !p.take(",") {
			p.take(";")
		}
	}
	return list
}

// value parses a message or a scalar.
func (p *parser) value(f *Field, hasColon bool, depth int) {
	f.Text, f.String, f.Fields = "", false, nil
	switch {
	case p.token == "{" || p.token == "<":
		if depth == maxDepth {
			p.fail("messages are nested too deeply")
		}
		end := map[string]string{"{": "}", "<": ">"}[p.token]
		p.next()
		f.Fields = p.fields(end, depth+1)
		p.take(end)
	case !hasColon:
		p.unexpected(": or {")
	case word.MatchString(p.token):
		f.Text = p.token
		p.next()
	default:
		var content []byte
		for ; strings.HasPrefix(p.token, `"`) || strings.HasPrefix(p.token, "'"); p.next() {
			part, err := strconv.Unquote(`"` + escapes.Replace(p.token[1:max(1, len(p.token)-1)]) + `"`)
			if err != nil || len(p.token) == 1 {
				p.fail("a string that does not end in its line, or has an unknown escape")
			}
			content, f.String = append(content, part...), true
		}
		if f.Text = string(content); !f.String {
			p.unexpected("a value")
		}
	}
}

func (p *parser) unexpected(expected string) {
	if p.token == "" {
		p.fail("the text ends too early; expected " + expected)
	}
	p.fail(fmt.Sprintf("found %q; expected %s", p.token, expected))
}

// fail sets the error, unless there is one, and ends the text.
func (p *parser) fail(text string) {
	if p.token = ""; p.err == nil {
		p.err = &Error{Offset: p.offset, Text: text}
	}
}
