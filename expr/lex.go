package expr

import (
	"regexp"
	"strings"
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
	openToken // the beginning of a string without an end
	nameToken
	signToken
)

// A lexer splits an expression into tokens.
type lexer struct {
	text  string
	token token  // the next token
	err   *Error // the first error; no tokens follow it
}

// The first character of a name is a letter, _, or a character beyond ASCII, except spaces and punctuation
// that looks like ASCII. Others may be digits, and dots in the middle of a name.
const (
	nameStart = `[A-Za-z_\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{2070}-\x{2fff}\x{3001}-\x{fefe}\x{ff21}-\x{10ffff}]`
	namePart  = `(?:[0-9]|` + nameStart + `|\.(?:[0-9]|` + nameStart + `))`
)

// syntaxes are the kinds of tokens, in the order in which they are tried, with how they are written.
var syntaxes = [...]struct {
	kind   tokenKind
	syntax *regexp.Regexp
}{
	{textToken, regexp.MustCompile(`^(?:[rR](?:"[^"\n]*"|'[^'\n]*')|` +
		`"(?:[^"\\\n]|\\(?s:.))*"|'(?:[^'\\\n]|\\(?s:.))*')`)},
	{openToken, regexp.MustCompile(`^[rR]?["']`)},
	{intToken, regexp.MustCompile(`^0[xX][0-9a-fA-F]*`)},
	{floatToken, regexp.MustCompile(`^(?:[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)`)},
	{intToken, regexp.MustCompile(`^[0-9]+`)},
	{nameToken, regexp.MustCompile(`^@?` + nameStart + namePart + `*`)},
	{signToken, regexp.MustCompile(`^(?:===|\*\*|<>|&&|\|\||[=!<>]=|[-+*/%!?:,()\[\]<>])`)},
}

// afterNumber is what no number can be before.
var afterNumber = regexp.MustCompile(`^(?:[0-9.]|` + nameStart + `)`)

// suggestions maps signs and words of other languages to signs and words of this language.
var suggestions = map[string]string{
	"=": "==", "<>": "!=", "===": "==", "&": "&&", "|": "||", "**": "", ";": "", "and": "&&", "or": "||", "not": "!",
	"True": "true", "False": "false", "None": "null", "NULL": "null", "TRUE": "true", "FALSE": "false",
	"is": "missing(…)",
	"if": "CONDITION ? A : B",
}

// suggest returns a hint for a sign or a word of another language, and otherwise an empty string.
func suggest(word string) string {
	if meant := suggestions[word]; meant != "" {
		return "write " + meant
	}
	return ""
}

// next reads the next token.
func (l *lexer) next() {
	closed := l.token.sign == ")" || l.token.sign == "]"
	at := l.token.end
	for at < len(l.text) && strings.IndexByte(" \t\n\r", l.text[at]) >= 0 {
		at++
	}
	rest := l.text[at:]
	l.token = token{at: at, end: at}
	for _, s := range syntaxes {
		if size := len(s.syntax.FindString(rest)); size > 0 {
			l.token.kind, l.token.end = s.kind, at+size
			break
		}
	}
	word, rest := l.text[at:l.token.end], l.text[l.token.end:]
	_, isWrong := suggestions[word]
	switch kind := l.token.kind; {
	case kind == openToken:
		l.addError(at, "a string without a closing quote", "")
	case (kind == intToken || kind == floatToken) && afterNumber.MatchString(rest):
		l.addError(l.token.end, "a number ends before "+quoteRune(rest), "")
	case word == "in", kind == signToken && !isWrong:
		l.token.kind, l.token.sign = signToken, word
	case kind == signToken:
		l.rejectSign(word)
	case word == "" && closed && strings.HasPrefix(rest, "."):
		l.token = token{signToken, at, at + 1, "."}
	case word == "" && rest != "":
		l.rejectSign(rest[:sizeOfRune(rest)])
	}
}

// rejectSign records the error of an unknown sign.
func (l *lexer) rejectSign(found string) {
	hint := suggest(found)
	switch {
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
