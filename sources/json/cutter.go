package document

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/table"
)

// A cutter cuts a document into its rows and what is around them: a table.Cutter.
type cutter struct {
	path    []string // to the rows
	members bool     // the rows are the members of an object
	rows    string   // the path, as written
	limits  jsonl.Limits

	state  state
	levels []level       // that are open, from the outermost
	steps  int           // of the path that lead to the value that comes next
	name   string        // the key that was passed last
	skip   jsonl.Skipper // of the row or the value at hand
	seen   int           // bytes of the row at hand that were checked
	rest   bool          // the row at hand is too long, and goes on
	fault  *schema.RowError
}

// A state is what comes next.
type state uint8

const (
	atValue  state = iota // a value that the path leads to
	atFirst               // the first element or member of the innermost level, or its end
	atMember              // an element or a member of the innermost level
	atColon               // the colon after a key
	atKeyed               // the value of a key
	inBeside              // more of a value that is beside the path
	atNext                // a comma, or the end of the innermost level
	inRow                 // a row, or more of it
	atEnd                 // nothing
)

func (in *documentInput) newCutter() *cutter {
	c := &cutter{path: in.path, members: in.options.Keys != "", rows: in.options.Rows, limits: in.limits}
	c.skip.Depth = in.limits.Depth
	return c
}

// Fault is why the file is no document with such rows; nil as long as it may be one.
// At is in the last window, or negative.
func (c *cutter) Fault() *schema.RowError { return c.fault }

// Next passes a row, or what stands before one.
func (c *cutter) Next(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	for p, ok := 0, true; c.fault == nil; {
		switch {
		case ok && c.state == inRow && p == 0:
			return c.row(window, atEOF)
		case !ok, c.state == inRow:
			return p, table.Comment, nil, p == 0
		}
		if p = space(window, p); p < len(window) {
			p, ok = c.token(window, p, atEOF)
		} else if ok = false; atEOF {
			if c.state == atEnd {
				return p, table.Comment, nil, false
			}
			c.syntax(window, p, c.expected())
		}
	}
	return 0, table.Rest, nil, false
}

// row passes the row that the window begins with, or a piece of one that is too long.
func (c *cutter) row(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	if c.seen == 0 && !c.rest {
		c.begin()
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

// begin begins a row.
func (c *cutter) begin() {
	c.skip.UTF8 = false
	if c.skip.Begin(0); c.members {
		c.skip.BeginMember(0)
	}
}

// token passes what begins at p, where no space is. It is not ok where the window may
// not have all of it.
func (c *cutter) token(window []byte, p int, atEOF bool) (next int, ok bool) {
	switch ch := window[p]; c.state {
	case atValue:
		return c.open(window, p)
	case atFirst, atMember:
		if top := c.top(); c.state == atFirst && ch == top.closer {
			return c.close(p), true
		}
		return c.member(window, p, atEOF)
	case atColon:
		if ch == ':' {
			c.state = atKeyed
			return p + 1, true
		}
	case atKeyed:
		return c.keyed(window, p, atEOF)
	case inBeside:
		return c.beside(window, p, atEOF)
	case atNext:
		switch top := c.top(); ch {
		case top.closer:
			return c.close(p), true
		case ',':
			c.state = atMember
			return p + 1, true
		}
	}
	c.syntax(window, p, c.expected())
	return p, false
}

// beside passes a value that the path does not lead to, or what the window has of it.
func (c *cutter) beside(window []byte, p int, atEOF bool) (next int, ok bool) {
	next, done, err := c.skip.Skip(window, p, atEOF)
	if err != nil {
		c.fail(err)
		return p, false
	}
	if c.state = inBeside; done {
		c.state = atNext
	}
	return next, done
}

// space is the place of the first byte from p on that is no white space.
func space(text []byte, p int) int {
	for p < len(text) && (text[p] == ' ' || text[p] == '\n' || text[p] == '\r' || text[p] == '\t') {
		p++
	}
	return p
}
