package xml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// A cutter splits a document into its rows and the parts around them. It is a table.FileCutter. It checks
// all markup: an error in it rejects the document. The text in rows is for their scanner.
type cutter struct {
	in     *elements
	parser *parser // the open elements
	tokens *tokens
	need   int  // bytes of a window that may have the token that the last one did not have
	onPath int  // how many open elements the path leads through
	around int  // length of parser.open around the current row; 0 outside rows
	seen   int  // bytes of the window that were taken
	rest   bool // the current row is too long and continues
	found  bool // a row was found
	ended  bool // the document is cut short, and its last row was returned
	bad    *schema.RowError

	deepest int      // how many steps of the path exist
	names   []string // of elements below them, as many as a message may need
}

// The largest number of names that a message needs, and the length of a name that it does not show.
const (
	maxNames = 100
	longName = 200
)

func (in *elements) newCutter() *cutter {
	c := &cutter{in: in, tokens: newTokens(nil, in.limits.Columns, nil)}
	c.parser = newParser(&paths{root: &node{}}, in.limits, false)
	c.parser.push("", 0)
	return c
}

// FileError returns why the file is not a valid document with such rows, or nil as far as it was read.
// Its At is an offset in the last window, or negative.
func (c *cutter) FileError() *schema.RowError { return c.bad }

// Next returns the length of the row at the start of the window, or of the part before the next row. A document that is
// cut short ends with an invalid row: the row, or the markup between rows, that has no end.
func (c *cutter) Next(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	done := false
	for c.bad == nil && !done && !c.ended && (atEOF || len(window) >= c.need) && c.take(window, atEOF) {
		done = c.around > 0 && len(c.parser.open) == c.around
	}
	n = c.seen
	switch {
	case c.bad != nil && c.around > 0 && !c.rest && n > 0 && c.tokens.source.at > c.in.limits.Record:
		c.bad.At, c.rest, c.seen = c.bad.At-n, true, 0 // the row was too long before
		return n, table.Row, input.LongElement(c.in.limits.Record), false
	case c.bad != nil || c.ended, c.around == 0 && n == 0 && atEOF && c.ends(window):
		return 0, table.Rest, nil, false
	case c.around == 0 && n > 0:
		c.seen = 0
		return n, table.Comment, nil, false
	case !done && atEOF:
		n = len(window)
	}
	isLong := n > c.in.limits.Record || !done && len(window) > c.in.limits.Record
	switch {
	case !done && !atEOF && (n == 0 || !isLong && !c.rest):
		return 0, table.Row, nil, true
	case c.rest:
		kind = table.Rest
	case isLong:
		bad = input.LongElement(c.in.limits.Record)
	case !done:
		bad = rowError("XML_SYNTAX", n, cutShort)
	}
	if c.rest, c.ended, c.seen = !done, !done && atEOF, 0; done {
		c.around = 0
	}
	return n, kind, bad, false
}

// take takes the next token. It returns false if the window does not have all of it, or if a row begins with it, and
// not the window.
func (c *cutter) take(window []byte, atEOF bool) bool {
	p := c.seen
	rest := window[p:]
	if len(rest) == 0 || rest[0] != '<' {
		end := len(window)
		if n := bytes.IndexByte(rest, '<'); n >= 0 {
			end = p + n
		}
		c.parser.data, c.seen = window, end
		c.fail(c.parser.take(xml.CharData(nil), p, end))
		return len(rest) > 0
	}
	depth := len(c.parser.open) - 1
	name := rest[1 : 1+max(0, bytes.IndexAny(rest[1:], space+"/>"))]
	onPath := depth == c.onPath
	matches := onPath && string(name) == c.in.path[depth] && (depth > 0 || !c.parser.rooted)
	isRow := matches && depth+1 == len(c.in.path)
	if isRow && p > 0 {
		return false
	}
	if !c.takeMarkup(window, p, atEOF) {
		return false
	}
	switch {
	case isRow:
		c.around, c.found = depth+1, true
	case matches:
		if c.onPath++; c.onPath > c.deepest {
			c.deepest, c.names = c.onPath, nil
		}
	case onPath && depth == c.deepest && len(name) > 0 && name[0] != '!' && name[0] != '?':
		c.addName(string(name))
	}
	c.onPath = min(c.onPath, len(c.parser.open)-1)
	return true
}

// addName adds a name that the error of a document without rows may list.
func (c *cutter) addName(name string) {
	if len(name) < longName && len(c.names) < maxNames && !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
}

// takeMarkup takes the markup at p, and returns false if the window does not have all of it.
func (c *cutter) takeMarkup(window []byte, p int, atEOF bool) bool {
	limit := c.in.limits.Record
	c.need = 0
	c.tokens.restart(window, p)
	for more := true; more; {
		token, err := c.tokens.next()
		if err == nil {
			err = c.parser.take(token, p, c.tokens.at())
		}
		c.fail(err)
		n := c.tokens.at() - p
		if c.bad != nil {
			read := c.tokens.source.at
			if n = read - p; c.bad.At == len(window) || read == len(window) && !atEOF { // it has no end in the window
				c.bad, c.need = nil, min(len(window)+n, limit+1)
			}
		}
		if n > limit {
			c.bad = input.LongElement(limit)
			c.bad.At = p
		}
		if c.bad != nil || c.need > 0 {
			return false
		}
		_, begins := token.(xml.StartElement)
		more = begins && window[p+n-2] == '/'
	}
	c.tokens.begun, c.seen = true, c.tokens.at()
	return true
}

func (c *cutter) fail(err error) {
	if err != nil {
		c.bad = err.(*schema.RowError)
	}
}

// ends ends a document of which the window is the rest. It reports whether the document is not cut short.
func (c *cutter) ends(window []byte) bool {
	switch {
	case !c.parser.rooted:
		c.bad = noElement(0)
	case len(c.parser.open) > 1 || len(window) > 0:
		return false
	case !c.found && !c.in.options.AllowEmpty:
		c.failNoRows()
	}
	return true
}

// measure returns the length of the row that data begins with, and its error, as Next does. data ends with the file or
// after the row.
func (in *elements) measure(data []byte) (n int, bad *schema.RowError) {
	c := in.newCutter()
	c.tokens.inRow, c.around = true, 1
	n, _, bad, _ = c.Next(data, true)
	if c.bad != nil {
		bad = c.bad
	}
	return n, bad
}

// failNoRows stores the error that the document has no row.
func (c *cutter) failNoRows() {
	parent, step := "the document", c.in.path[c.deepest]
	if c.deepest > 0 {
		parent = schema.Quote(strings.Join(c.in.path[:c.deepest], "."))
	}
	c.bad = rowError("XML_NO_ROWS", -1, "%s has no element %s", parent, schema.Quote(step))
	if near := nearest.Of(step, c.names); near != "" {
		c.bad.Message += fmt.Sprintf("; did you mean %s?", schema.Quote(near))
	} else if c.deepest == 0 && len(c.names) > 0 {
		c.bad.Hint = "rows: " + c.names[0] + "." + c.in.options.Rows
	}
	if len(c.names) > 0 {
		c.bad.Message += "; found: " + input.NameList(c.names)
	}
}
