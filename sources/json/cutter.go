package json

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/table"
)

// A cutter splits a document into its rows and the parts around them. It is a table.FileCutter.
type cutter struct {
	path    []string // keys and indices that lead to the rows
	members bool     // the rows are the members of an object
	rows    string   // the path as in the config
	limits  jsonl.Limits

	state  state
	levels []level          // open objects and arrays, outermost first
	steps  int              // number of steps of the path that lead to the next value
	name   string           // the last key
	skip   jsonl.Skipper    // for the current row or value
	seen   int              // number of bytes of the current row that were checked
	rest   bool             // the current row is too long and continues
	bad    *schema.RowError // why the document is invalid
}

// A state says what comes next in the document.
type state uint8

const (
	atValue   state = iota // a value that the path leads to
	atFirst                // the first element or member of the innermost level, or its end
	atMember               // an element or a member of the innermost level
	atColon                // the colon after a key
	atKeyed                // the value of a key
	inSkipped              // the rest of a value that the path does not lead to
	atNext                 // a comma, or the end of the innermost level
	inRow                  // a row, or the rest of it
	atEnd                  // nothing
)

func (in *documentInput) newCutter() *cutter {
	c := &cutter{path: in.path, members: in.options.Keys != "", rows: in.options.Rows, limits: in.limits}
	c.skip.Depth = in.limits.Depth
	return c
}

// FileError returns why the file is not a valid document with such rows, or nil as far as it was read.
// Its At is an offset in the last window, or negative.
func (c *cutter) FileError() *schema.RowError { return c.bad }

// Next returns the length of the row at the start of the window, or of the part before the next
// row.
func (c *cutter) Next(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	for p, ok := 0, true; c.bad == nil; {
		switch {
		case ok && c.state == inRow && p == 0:
			return c.cutRow(window, atEOF)
		case !ok, c.state == inRow:
			return p, table.Comment, nil, p == 0
		}
		if c.state == inSkipped { // the white space may be in a string
			p, ok = c.skipValue(window, p, atEOF)
		} else if p = skipSpace(window, p); p < len(window) {
			p, ok = c.skipToken(window, p, atEOF)
		} else if ok = false; atEOF {
			if c.state == atEnd {
				return p, table.Comment, nil, false
			}
			c.failSyntax(window, p, c.expected())
		}
	}
	return 0, table.Rest, nil, false
}

// cutRow returns the length of the row that the window begins with, or of a part of it if the row is
// too long.
func (c *cutter) cutRow(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	if c.seen == 0 && !c.rest {
		c.beginRow()
	}
	n, done, err := c.skip.Skip(window, c.seen, atEOF)
	if err != nil {
		c.fail(err)
		return 0, table.Rest, nil, false
	}
	c.seen = n
	if !done && (n == 0 || !c.rest && len(window) <= c.limits.Record) {
		return 0, table.Row, nil, true
	}
	if c.seen = 0; c.rest {
		kind = table.Rest
	} else if !done || n > c.limits.Record {
		bad = input.LongElement(c.limits.Record)
	}
	if c.rest = !done; done {
		c.state = atNext
	}
	return n, kind, bad, false
}

func (c *cutter) beginRow() {
	c.skip.UTF8 = false
	if c.skip.Begin(0); c.members {
		c.skip.BeginMember(0)
	}
}

// skipToken skips the token at p, which is not white space. If the window may not have all of it,
// ok is false.
func (c *cutter) skipToken(window []byte, p int, atEOF bool) (next int, ok bool) {
	switch ch := window[p]; c.state {
	case atValue:
		return c.open(window, p)
	case atFirst, atMember:
		if top := c.top(); c.state == atFirst && ch == top.closer {
			return c.close(p), true
		}
		return c.beginMember(window, p, atEOF)
	case atColon:
		if ch == ':' {
			c.state = atKeyed
			return p + 1, true
		}
	case atKeyed:
		return c.beginKeyed(window, p, atEOF)
	case atNext:
		switch top := c.top(); ch {
		case top.closer:
			return c.close(p), true
		case ',':
			c.state = atMember
			return p + 1, true
		}
	}
	c.failSyntax(window, p, c.expected())
	return p, false
}

// skipValue skips a value that the path does not lead to, or the part of it that is in the window.
func (c *cutter) skipValue(window []byte, p int, atEOF bool) (next int, ok bool) {
	next, done, err := c.skip.Skip(window, p, atEOF)
	if err != nil {
		c.fail(err)
		return p, false
	}
	if c.state = inSkipped; done {
		c.state = atNext
	}
	return next, done
}

// skipSpace returns the offset of the first byte from p on that is not white space.
func skipSpace(text []byte, p int) int {
	for p < len(text) && (text[p] == ' ' || text[p] == '\n' || text[p] == '\r' || text[p] == '\t') {
		p++
	}
	return p
}
