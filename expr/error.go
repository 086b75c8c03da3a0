package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// An Error says what is wrong with an expression, whatever the rows are.
type Error struct {
	At     int    // offset of the faulty byte in the text
	Text   string // what was found and what was wanted
	Hint   string // what helps; empty where nothing does
	Column string // the column that is not there; empty where that is not the fault
}

// Error is the text with its place.
func (e *Error) Error() string { return "at byte " + strconv.Itoa(e.At+1) + ": " + e.Text }

// Codes of rows that an expression cannot be computed for.
const (
	codeMissing  = "EXPR_MISSING"
	codeNumber   = "EXPR_NUMBER"
	codeType     = "EXPR_TYPE"
	codeOverflow = "EXPR_OVERFLOW"
	codeDivision = "EXPR_DIVISION"
	codeDomain   = "EXPR_DOMAIN"
	codeLimit    = "EXPR_LIMIT"
)

// maxShown is how many bytes of an expression a message shows.
const maxShown = 40

// part is the text of n as messages show it: on one line, and cut if it is long.
func (n *node) part() string {
	part := strings.Join(strings.Fields(n.whole[n.at:min(n.end, n.at+4*maxShown)]), " ")
	if len(part) <= maxShown {
		return part
	}
	cut := maxShown
	for !utf8.RuneStart(part[cut]) {
		cut--
	}
	return part[:cut] + "…"
}

// place says which part of the expression a fault is in: the number of the character
// with which it, or its operator, begins, and its text.
func (n *node) place() string {
	character := utf8.RuneCountInString(n.whole[:n.sign]) + 1
	return ", at character " + strconv.Itoa(character) + " of the expression: " + n.part()
}

// fail notes that n has no value in this row.
func (e *eval) fail(n *node, code, message string) {
	e.err = &schema.RowError{Code: code, At: -1, Message: message + n.place()}
}

// failValue notes that v, the value of column n, cannot be used.
func (e *eval) failValue(n *node, v *schema.Value, code, message string) {
	e.fail(n, code, message)
	if n.op != opColumn || v == nil {
		return
	}
	e.err.Column, e.err.At = n.text, int(v.At)
	if v.Kind == schema.Text || v.Kind == schema.String || v.Kind == schema.Number {
		e.err.Found = schema.Quote(v.Text)
	}
}
