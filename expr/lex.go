package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a number, a string, a name, or a sign in an expression.
type token struct {
	kind    tokenKind
	at, end int
	sign    string // for signs, and for the name that is an operator: in
}

type tokenKind uint8

const (
	endOfText tokenKind = iota
	intToken
	floatToken
	textToken
	nameToken
	signToken
)

// A lexer splits an expression into tokens.
type lexer struct {
	text  string
	token token  // the next token
	err   *Error // the first error; no tokens follow it
}

// signs are all signs, the longer ones first.
var signs = [...]string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ",", "(",
	")", "[", "]"}

// suggestions maps signs and words of other languages to signs and words of this language.
var suggestions = map[string]string{
	"=": "==", "<>": "!=", "===": "==", "&": "&&", "|": "||", "**": "", ";": "", "and": "&&", "or": "||", "not": "!",
	"True": "true", "False": "false", "None": "null", "NULL": "null", "TRUE": "true", "FALSE": "false", "is": "missing(…)",
	"if": "CONDITION ? A : B",
}

// next reads the next token.
func (l *lexer) next() {
	text, closed := l.text, l.token.sign == ")" || l.token.sign == "]"
	at := l.token.end
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	l.token = token{at: at, end: at}
	switch {
	case at == len(text):
	case text[at] == '"' || text[at] == '\'' || (text[at] == 'r' || text[at] == 'R') && at+1 < len(text) &&
		(text[at+1] == '"' || text[at+1] == '\''):
		l.readQuoted()
	case isDigit(text[at]) || text[at] == '.' && at+1 < len(text) && isDigit(text[at+1]):
		l.readNumber()
	case startsName(text[at:]), text[at] == '@' && at+1 < len(text) && startsName(text[at+1:]):
		l.readName()
	case text[at] == '.' && closed:
		l.token.kind, l.token.sign, l.token.end = signToken, ".", at+1
	default:
		l.readSign()
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return c-'0' <= 9 }
func isLetter(c byte) bool {
	return c == '_' || c|0x20-'a' <= 'z'-'a'
}

// startsName reports whether text begins with a character that can start a name. These are letters,
// _, and characters beyond ASCII, except spaces and punctuation that looks like ASCII.
func startsName(text string) bool {
	if text[0] < utf8.RuneSelf {
		return isLetter(text[0])
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1, unicode.IsSpace(r):
		return false
	case '\u2000' <= r && r <= '\u206f', r < '\u00a0', r == '\ufeff', '\uff00' <= r && r <= '\uff20':
		return false
	}
	return true
}

// readName reads a name, which may begin with @ and have dots.
func (l *lexer) readName() {
	text, i := l.text, l.token.at
	if text[i] == '@' {
		i++
	}
	for i < len(text) {
		size := inName(text[i:])
		if size == 0 {
			break
		}
		i += size
	}
	l.token.kind, l.token.end = nameToken, i
	if text[l.token.at:i] == "in" {
		l.token.kind, l.token.sign = signToken, "in"
	}
}

// inName returns the size of the first character of text if a name can continue with it, and
// otherwise 0.
func inName(text string) int {
	switch {
	case isDigit(text[0]), text[0] == '.' && len(text) > 1 && (isDigit(text[1]) || startsName(text[1:])):
		return 1
	case startsName(text):
		return sizeOfRune(text)
	}
	return 0
}

// readNumber reads a number: decimal digits with a point or an exponent, or hexadecimal digits.
func (l *lexer) readNumber() {
	text, i := l.text, l.token.at
	l.token.kind = intToken
	if text[i] == '0' && i+1 < len(text) && text[i+1]|0x20 == 'x' {
		for i += 2; i < len(text) && (isDigit(text[i]) || text[i]|0x20-'a' < 6); i++ {
		}
	} else {
		i = l.readDecimal(i)
	}
	l.token.end = i
	if i < len(text) && (startsName(text[i:]) || isDigit(text[i]) || text[i] == '.') {
		l.addError(i, "a number ends before "+quoteRune(text[i:]), "")
	}
}

func (l *lexer) readDecimal(i int) int {
	text := l.text
	digits := func() {
		for i < len(text) && isDigit(text[i]) {
			i++
		}
	}
	digits()
	if i+1 < len(text) && text[i] == '.' && isDigit(text[i+1]) {
		l.token.kind = floatToken
		i++
		digits()
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if j < len(text) && isDigit(text[j]) {
			l.token.kind = floatToken
			i = j
			digits()
		}
	}
	return i
}

// readQuoted reads a string in quotes.
func (l *lexer) readQuoted() {
	text, i := l.text, l.token.at
	raw := text[i]|0x20 == 'r'
	if raw {
		i++
	}
	quote := text[i]
	for i++; i < len(text) && text[i] != '\n'; i++ {
		switch {
		case text[i] == quote:
			l.token.kind, l.token.end = textToken, i+1
			return
		case text[i] == '\\' && !raw && i+1 < len(text):
			i++
		}
	}
	l.addError(l.token.at, "a string without a closing quote", "")
}

// readSign reads a sign, or suggests one.
func (l *lexer) readSign() {
	rest := l.text[l.token.at:]
	for _, wrong := range [...]string{"===", "**", "<>"} {
		if strings.HasPrefix(rest, wrong) {
			l.rejectSign(wrong)
			return
		}
	}
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			l.token.kind, l.token.sign, l.token.end = signToken, s, l.token.at+len(s)
			return
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.rejectSign(rest[:size])
}

// rejectSign records the error of an unknown sign.
func (l *lexer) rejectSign(found string) {
	hint := ""
	switch meant := suggestions[found]; {
	case meant != "":
		hint = "write " + meant
	case found == "“" || found == "”" || found == "‘" || found == "’" || found == "`":
		hint = `write "…" or '…'`
	case found == "@" || found == "." || found == "$" || found == "#":
		hint = `column("…") names a column whose name has other signs`
	}
	l.addError(l.token.at, quoteRune(found)+" is not an operator", hint)
}

// addError records the first error, and moves to the end of the expression.
func (l *lexer) addError(at int, text, hint string) {
	if l.err == nil {
		l.err = &Error{At: at, Text: text, Hint: hint}
	}
	l.token = token{at: len(l.text), end: len(l.text)}
}
