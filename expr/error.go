package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// An Error is an error of an expression that does not depend on rows.
type Error struct {
	At     int    // byte offset in the expression
	Text   string // what was found and what was expected
	Hint   string // a fix; empty without one
	Column string // the unknown column; empty for other errors
}

// Error returns the message with its position.
func (e *Error) Error() string { return "at byte " + strconv.Itoa(e.At+1) + ": " + e.Text }

// Codes of the errors of rows.
const (
	codeMissing  = "EXPR_MISSING"
	codeNumber   = "EXPR_NUMBER"
	codeType     = "EXPR_TYPE"
	codeOverflow = "EXPR_OVERFLOW"
	codeDivision = "EXPR_DIVISION"
	codeDomain   = "EXPR_DOMAIN"
	codeLimit    = "EXPR_LIMIT"
)

// maxShown is the number of bytes of an expression that a message shows.
const maxShown = 40

// snippet returns the source of n for messages: on one line, and truncated if it is long.
func (n *node) snippet() string {
	part, more := shorten(strings.Join(strings.Fields(n.source[n.at:min(n.end, n.at+4*maxShown)]), " "))
	return part + more
}

// shorten returns at most maxShown bytes of s, and an ellipsis if s has more.
func shorten(s string) (part, more string) {
	if len(s) <= maxShown {
		return s, ""
	}
	cut := maxShown
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut], "…"
}

// describePosition returns the position of n in the expression, and its source. The position is the
// number of the character at which n or its operator begins.
func (n *node) describePosition() string {
	character := utf8.RuneCountInString(n.source[:n.sign]) + 1
	return ", at character " + strconv.Itoa(character) + " of the expression: " + n.snippet()
}

// fail records that n has no value in this row, unless the row has an error already.
func (e *eval) fail(n *node, code, message, hint string) {
	e.failValue(n, nil, code, message, hint)
}

// failValue records that v, the value of column n, is invalid.
func (e *eval) failValue(n *node, v *schema.Value, code, message, hint string) {
	if e.err != nil {
		return
	}
	e.err = &schema.RowError{Code: code, At: -1, Message: message + n.describePosition(), Hint: hint}
	column := n
	if n.origin != nil {
		column = n.origin
	}
	if column.op != opColumn || v == nil {
		return
	}
	e.err.Column, e.err.At = column.text, int(v.At)
	if v.Kind == schema.Text || v.Kind == schema.String || v.Kind == schema.Number {
		e.err.Found = schema.Quote(v.Text)
	}
}
