package expr

import (
	"strings"
	"unicode/utf8"
)

// A token is a piece of the text: a number, a text, a name or a sign.
type token struct {
	kind    tokenKind
	at, end int
	sign    string // of kind sign, and of names that are one: in
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

// A lexer cuts the text of an expression into tokens.
type lexer struct {
	text  string
	token token  // the one that is next
	err   *Error // the first fault: nothing is read after it
}

// signs are all signs, the longer ones first.
var signs = [...]string{"&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", "?", ":", ",", "(", ")", "[", "]"}

// instead is what was meant by signs and words of other languages.
var instead = map[string]string{
	"=": "==", "<>": "!=", "===": "==", "&": "&&", "|": "||", "**": "", ";": "", "and": "&&", "or": "||", "not": "!",
	"True": "true", "False": "false", "None": "null", "NULL": "null", "TRUE": "true", "FALSE": "false", "is": "==",
}

// next reads the token that follows.
func (l *lexer) next() {
	text := l.text
	at := l.token.end
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	l.token = token{at: at, end: at}
	switch {
	case at == len(text):
	case text[at] == '"' || text[at] == '\'' || (text[at] == 'r' || text[at] == 'R') && at+1 < len(text) && (text[at+1] == '"' || text[at+1] == '\''):
		l.quoted()
	case isDigit(text[at]) || text[at] == '.' && at+1 < len(text) && isDigit(text[at+1]):
		l.number()
	case startsName(text[at:]):
		l.name()
	default:
		l.sign()
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool { return c-'0' <= 9 }
func isLetter(c byte) bool {
	return c == '_' || c|0x20-'a' <= 'z'-'a'
}

// startsName says whether a name can begin here: with a letter, _ or a character
// beyond ASCII that is no space and no punctuation that looks like ASCII's.
func startsName(text string) bool {
	if text[0] < utf8.RuneSelf {
		return isLetter(text[0])
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1, isSpace(r):
		return false
	case '\u2000' <= r && r <= '\u206f', r < '\u00a0', r == '\ufeff', '\uff00' <= r && r <= '\uff20':
		return false
	}
	return true
}

// name reads a name, with the pieces that follow its dots.
func (l *lexer) name() {
	text, i := l.text, l.token.at
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

// inName is how many bytes at the beginning of text go on with a name.
func inName(text string) int {
	switch {
	case isDigit(text[0]), text[0] == '.' && len(text) > 1 && (isDigit(text[1]) || startsName(text[1:])):
		return 1
	case startsName(text):
		return sizeOfRune(text)
	}
	return 0
}

// number reads digits, with a point or an exponent, or hexadecimal ones.
func (l *lexer) number() {
	text, i := l.text, l.token.at
	l.token.kind = intToken
	if text[i] == '0' && i+1 < len(text) && text[i+1]|0x20 == 'x' {
		for i += 2; i < len(text) && (isDigit(text[i]) || text[i]|0x20-'a' < 6); i++ {
		}
	} else {
		i = l.decimal(i)
	}
	l.token.end = i
	if i < len(text) && (startsName(text[i:]) || isDigit(text[i]) || text[i] == '.') {
		l.fault(i, "a number ends before "+quoteRune(text[i:]), "")
	}
}

func (l *lexer) decimal(i int) int {
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

// quoted finds the end of a text.
func (l *lexer) quoted() {
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
	l.fault(l.token.at, "a text that nothing closes", "")
}

// sign reads a sign, or says what was meant.
func (l *lexer) sign() {
	rest := l.text[l.token.at:]
	for _, wrong := range [...]string{"===", "**", "<>"} {
		if strings.HasPrefix(rest, wrong) {
			l.strange(wrong)
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
	l.strange(rest[:size])
}

// strange says that a sign is none of the language.
func (l *lexer) strange(found string) {
	hint := ""
	switch meant := instead[found]; {
	case meant != "":
		hint = "write " + meant
	case found == "“" || found == "”" || found == "‘" || found == "’" || found == "`":
		hint = `write "…" or '…'`
	case found == "@" || found == "." || found == "$" || found == "#":
		hint = `column("…") names a column whose name has other signs`
	}
	l.fault(l.token.at, quoteRune(found)+" is no sign of the language", hint)
}

// fault notes the first fault, and ends the text for all that read on.
func (l *lexer) fault(at int, text, hint string) {
	if l.err == nil {
		l.err = &Error{At: at, Text: text, Hint: hint}
	}
	l.token = token{at: len(l.text), end: len(l.text)}
}
