package csv

import (
	"bytes"

	"tfr-build/schema"
	"tfr-build/sources/table"
)

// A Cutter finds the ends of the records of a stream one after the other.
// It is the definition of where they are.
type Cutter struct {
	format    Format
	oneColumn bool
	skipping  bool // up to the next LF everything belongs to what came before
	blank     int  // so many bytes from here are known to be line ends
	walk      walk // of the record at the start of the window
}

// NewCutter returns a Cutter at the start of a record; oneColumn
// says that the file has one column, so that a blank line is a bad record.
func (f Format) NewCutter(oneColumn bool) *Cutter {
	return &Cutter{format: f, oneColumn: oneColumn}
}

// Next finds the end of what is at the start of the window, n bytes with
// its line end; atEOF says that the window reaches to the end of the file.
// The caller calls it again with what follows, until nothing does: then n is
// 0 without more.
//
// With more, n is 0 and Next requires a longer window; it never does when the
// window has more than MaxRecord+4 bytes, so memory is bounded. A bad record
// that reaches beyond the window comes as all of the window; what is left of
// it comes as Rest. So does a comment.
//
// At of the error is relative to the window's start.
func (c *Cutter) Next(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	if len(window) == 0 {
		return 0, table.Rest, nil, !atEOF
	}
	if c.skipping {
		return c.line(window), table.Rest, nil, false
	}
	if n := lineEnd(window); n > 0 {
		return c.blankLine(window, n, atEOF)
	}
	if window[0] == '\r' && len(window) == 1 && !atEOF {
		return 0, table.Row, nil, true
	}
	if c.format.Comment != "" {
		if hasPrefix(window, c.format.Comment) {
			return c.line(window), table.Comment, nil, false
		}
		if !atEOF && len(window) < len(c.format.Comment) {
			return 0, table.Row, nil, true
		}
	}
	n, bad, more = c.row(window, atEOF)
	return n, table.Row, bad, more
}

// line skips the rest of a line, as much of it as there is.
func (c *Cutter) line(window []byte) int {
	n := lineAfter(window, 0)
	c.skipping = n < 0
	if n < 0 {
		return len(window)
	}
	return n
}

// blankLine decides what a blank line of n bytes is. In a file of one column it is a
// record if anything but blank lines follows it, or more than MaxRecord
// bytes of them.
func (c *Cutter) blankLine(window []byte, n int, atEOF bool) (int, table.Kind, *schema.RowError, bool) {
	if !c.oneColumn {
		return n, table.Blank, nil, false
	}
	max := c.format.maxRecord()
	c.blank = min(c.blank, len(window))
	for c.blank <= max {
		end := lineEnd(window[c.blank:])
		if end == 0 {
			break
		}
		c.blank += end
	}
	rest := window[c.blank:]
	if c.blank <= max && !atEOF && (len(rest) == 0 || len(rest) == 1 && rest[0] == '\r') {
		return 0, table.Row, nil, true
	}
	isRow := c.blank > max || len(rest) > 0
	c.blank -= n
	if isRow {
		return n, table.Row, blankRow(), false
	}
	return n, table.Blank, nil, false
}

// A walk is how far a record was read whose end is beyond the window: a longer
// window is read from there on, so that no length of a row is read twice.
type walk struct {
	at     int // where to go on: before it is neither the end nor an opening quote
	lf     int // from at up to here is no LF: it is here, or nobody looked further
	quote  int // the opening quote of the cell that is open
	inside bool
	bad    *schema.RowError // the verdict; only the LF that ends the record is looked for
}

// row finds the end of a record. The verdict depends on the first MaxRecord
// bytes of the window alone, so it is the same for each window.
func (c *Cutter) row(window []byte, atEOF bool) (n int, bad *schema.RowError, more bool) {
	v := window[:min(len(window), c.format.maxRecord())]
	switch {
	case c.walk.bad != nil:
		n, bad, more = c.fail(window, c.walk.at, atEOF, c.walk.bad)
	default:
		n, bad, more = c.cells(window, v, atEOF)
	}
	if !more {
		c.walk = walk{}
	}
	return n, bad, more
}

// cells walks over the cells of a record.
func (c *Cutter) cells(window, v []byte, atEOF bool) (n int, bad *schema.RowError, more bool) {
	w := &c.walk
	for {
		if !w.inside {
			lf := w.nextLF(v)
			quote := -1
			if c.format.Quotes {
				quote = bytes.IndexByte(v[w.at:lf], '"')
			}
			switch {
			case quote < 0 && lf < len(v):
				return lf + 1, nil, false
			case quote < 0:
				w.at = lf
				return c.open(window, v, atEOF, -1)
			}
			w.at += quote
			if w.at > 0 && !hasSuffix(v[:w.at], c.format.delimiter()) {
				return c.fail(window, w.at, atEOF, bareQuote(w.at))
			}
			w.quote, w.inside = w.at, true
			w.at++
		}
		end, _ := closingQuote(v, w.at)
		if end < 0 {
			w.at = len(v)
			return c.open(window, v, atEOF, w.quote)
		}
		switch c.format.follows(v[end:]) {
		case undecided:
			if len(window) > len(v) || !atEOF {
				w.at = end - 1
				return c.open(window, v, atEOF, w.quote)
			}
			if end < len(v) {
				return c.fail(window, w.quote, atEOF, strayText(end))
			}
		case illegal:
			return c.fail(window, w.quote, atEOF, strayText(end))
		}
		w.at, w.inside = end, false
	}
}

// nextLF is where the first LF from w.at on is, or the length of v.
func (w *walk) nextLF(v []byte) int {
	w.lf = max(w.lf, w.at)
	if i := bytes.IndexByte(v[w.lf:], '\n'); i >= 0 {
		w.lf += i
	} else {
		w.lf = len(v)
	}
	return w.lf
}

// open decides on a record whose end is not in v: the limit is reached, the file
// ends, or more is needed. The quote that is open is at the offset quote; -1
// if none is.
func (c *Cutter) open(window, v []byte, atEOF bool, quote int) (n int, bad *schema.RowError, more bool) {
	switch {
	case len(window) > len(v) && quote < 0:
		return c.fail(window, len(v), atEOF, tooLong(len(v), len(v), false))
	case len(window) > len(v):
		return c.fail(window, quote, atEOF, tooLong(quote, len(v), true))
	case !atEOF:
		return 0, nil, true
	case quote >= 0:
		return c.fail(window, quote, atEOF, unterminated(quote))
	}
	return len(v), nil, false
}

// fail ends a bad record after the first LF from the offset on.
func (c *Cutter) fail(window []byte, from int, atEOF bool, bad *schema.RowError) (int, *schema.RowError, bool) {
	n := lineAfter(window, from)
	if n < 0 && !atEOF && len(window) <= c.format.maxRecord() {
		c.walk.at, c.walk.bad = len(window), bad
		return 0, nil, true
	}
	if n < 0 {
		n = len(window)
		c.skipping = !atEOF
	}
	if bad.Code == "CSV_QUOTE" {
		suspectCR(c.format, bad, window[:min(n, c.format.maxRecord())])
	}
	return n, bad, false
}

// closingQuote is the offset after the next quote, from the offset on, that
// is not doubled; -1 if there is none. doubled reports whether there are doubled
// ones before it.
func closingQuote(v []byte, from int) (end int, doubled bool) {
	for {
		i := bytes.IndexByte(v[from:], '"')
		if i < 0 {
			return -1, doubled
		}
		from += i + 1
		if from == len(v) || v[from] != '"' {
			return from, doubled
		}
		doubled = true
		from++
	}
}

type follower uint8

const (
	legal follower = iota
	illegal
	undecided // what is there may be the beginning of something legal
)

// follows says whether b may come after a closing quote.
func (f Format) follows(b []byte) follower {
	d := f.delimiter()
	switch {
	case len(b) == 0:
		return undecided
	case b[0] == '\n' || hasPrefix(b, d) || lineEnd(b) > 0:
		return legal
	case len(b) == 1 && b[0] == '\r', len(b) < len(d) && string(b) == d[:len(b)]:
		return undecided
	}
	return illegal
}
