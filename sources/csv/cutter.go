package csv

import (
	"bytes"

	"tfr-build/schema"
	"tfr-build/sources/table"
)

// A Cutter finds the ends of the records of a stream one after the other. It defines where they
// are.
type Cutter struct {
	format    Format
	oneColumn bool
	skipping  bool     // the bytes up to the next LF belong to the record or comment before
	blank     int      // number of bytes from here that are known to be blank lines, or to begin one
	progress  progress // of the record at the start of the window
}

// NewCutter returns a Cutter at the start of a record. If the file has one column, set oneColumn:
// then a blank line is an invalid record.
func (f Format) NewCutter(oneColumn bool) *Cutter {
	return &Cutter{format: f, oneColumn: oneColumn}
}

// Next finds the end of the row, blank line, or comment at the start of the window. It is n bytes
// long with its line end. atEOF says that the window reaches the end of the file. Call Next again
// with the bytes that follow, until none do: then n is 0 and more is false.
//
// If more is true, n is 0 and Next needs a longer window. It never needs more than MaxRecord+4
// bytes, so memory is bounded. An invalid record that is longer than the window uses all of the
// window, and later calls return its other bytes as table.Rest. Comments work the same way.
//
// bad.At is relative to the start of the window.
func (c *Cutter) Next(window []byte, atEOF bool) (n int, kind table.Kind, bad *schema.RowError, more bool) {
	if len(window) == 0 {
		return 0, table.Rest, nil, !atEOF
	}
	if c.skipping {
		return c.skipLine(window), table.Rest, nil, false
	}
	if window[0] <= ' ' {
		n, more = c.findBlankLine(window, atEOF)
		switch {
		case more:
			return 0, table.Row, nil, true
		case n > 0:
			return c.blankLine(window, n, atEOF)
		}
		c.blank = 0
	}
	if c.format.Comment != "" {
		if hasPrefix(window, c.format.Comment) {
			c.progress = progress{}
			return c.skipLine(window), table.Comment, nil, false
		}
		if !atEOF && len(window) < len(c.format.Comment) {
			return 0, table.Row, nil, true
		}
	}
	n, bad, more = c.cutRecord(window, atEOF)
	return n, table.Row, bad, more
}

// skipLine returns the length of the rest of the line, or of the part of it that is in the window.
func (c *Cutter) skipLine(window []byte) int {
	n := lineAfter(window, 0)
	c.skipping = n < 0
	if n < 0 {
		return len(window)
	}
	return n
}

// findBlankLine returns the length of the blank line at the start of the window, or 0. If that
// depends on the bytes after the window, more is true. A line of more than MaxRecord blanks is an
// invalid record.
func (c *Cutter) findBlankLine(window []byte, atEOF bool) (n int, more bool) {
	p, at, max := &c.progress, 0, c.format.maxRecord()
	if p.blank > 0 {
		return p.blank, false
	}
	if c.format.Delimiter == Whitespace && !p.begun {
		p.at += blanks(window[p.at:])
		at = p.at
	}
	rest := window[at:]
	n = at + lineEnd(rest)
	switch isBlank := n > at || at > 0 && len(rest) == 0 && atEOF; {
	case isBlank && (at == 0 || n <= max):
		p.blank = n
		return n, false
	case !isBlank && !atEOF && at <= max && (len(rest) == 0 || len(rest) == 1 && rest[0] == '\r'):
		return 0, true
	}
	if at > 0 {
		p.at = min(at, max)
	}
	p.begun = true
	return 0, false
}

// blankLine classifies a blank line of n bytes. In a file of one column it is a record if something
// other than blank lines follows. It is also one if more than MaxRecord bytes of blank lines
// follow.
func (c *Cutter) blankLine(window []byte, n int, atEOF bool) (int, table.Kind, *schema.RowError, bool) {
	if !c.oneColumn {
		c.progress = progress{}
		return n, table.Blank, nil, false
	}
	max := c.format.maxRecord()
	c.blank = min(c.blank, len(window))
	for c.blank <= max {
		if c.format.Delimiter == Whitespace {
			c.blank += blanks(window[c.blank:])
		}
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
	c.progress = progress{}
	isRow := c.blank > max || len(rest) > 0
	c.blank -= n
	if isRow {
		return n, table.Row, blankRow(), false
	}
	return n, table.Blank, nil, false
}

// progress is how far a record was read whose end is beyond the window. Reading continues from
// there in the longer window, so that reading a long record takes linear time.
type progress struct {
	at     int              // where to continue: neither the end nor an opening quote is before it
	lf     int              // from at up to this offset, v has no LF
	quote  int              // offset of the opening quote of the open cell
	inside bool             // in a quoted cell
	begun  bool             // the record is not a blank line
	blank  int              // length of the blank line that is here in place of a record, or 0
	bad    *schema.RowError // the error, if known: then only the record's LF is missing
}

// cutRecord finds the end of a record. The error depends only on the first MaxRecord bytes, so it
// is the same for each length of the window.
func (c *Cutter) cutRecord(window []byte, atEOF bool) (n int, bad *schema.RowError, more bool) {
	v := window[:min(len(window), c.format.maxRecord())]
	switch {
	case c.progress.bad != nil:
		n, bad, more = c.fail(window, c.progress.at, atEOF, c.progress.bad)
	default:
		n, bad, more = c.cutCells(window, v, atEOF)
	}
	if !more {
		c.progress = progress{}
	}
	return n, bad, more
}

// cutCells finds the end of a record cell by cell. v is the part of the window within MaxRecord.
func (c *Cutter) cutCells(window, v []byte, atEOF bool) (n int, bad *schema.RowError, more bool) {
	p := &c.progress
	for {
		if !p.inside {
			lf := p.nextLF(v)
			quote := -1
			if c.format.Quotes {
				quote = bytes.IndexByte(v[p.at:lf], '"')
			}
			switch {
			case quote < 0 && lf < len(v):
				return lf + 1, nil, false
			case quote < 0:
				p.at = lf
				return c.endOpen(window, v, atEOF, -1)
			}
			p.at += quote
			if p.at > 0 && !c.format.endsWithDelimiter(v[:p.at]) {
				return c.fail(window, p.at, atEOF, bareQuote(p.at))
			}
			p.quote, p.inside = p.at, true
			p.at++
		}
		end := closingQuote(v, p.at)
		if end < 0 {
			p.at = len(v)
			return c.endOpen(window, v, atEOF, p.quote)
		}
		switch c.format.follows(v[end:]) {
		case undecided:
			if len(window) > len(v) || !atEOF {
				p.at = end - 1 // the quote, again with the bytes after it
				return c.endOpen(window, v, atEOF, p.quote)
			}
			if end < len(v) {
				return c.fail(window, p.quote, atEOF, strayText(end))
			}
		case illegal:
			return c.fail(window, p.quote, atEOF, strayText(end))
		}
		p.at, p.inside = end, false
	}
}

// nextLF returns the offset of the first LF from p.at on, or the length of v.
func (p *progress) nextLF(v []byte) int {
	p.lf = max(p.lf, p.at)
	if i := bytes.IndexByte(v[p.lf:], '\n'); i >= 0 {
		p.lf += i
	} else {
		p.lf = len(v)
	}
	return p.lf
}

// endOpen decides about a record whose end is not in v. Either it is too long, or the file ends, or
// a longer window is needed. The argument quote is the offset of the quote that opened the current
// cell, or -1.
func (c *Cutter) endOpen(window, v []byte, atEOF bool, quote int) (n int, bad *schema.RowError, more bool) {
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

// fail ends an invalid record after the first LF from the offset on.
func (c *Cutter) fail(window []byte, from int, atEOF bool, bad *schema.RowError) (int, *schema.RowError, bool) {
	n := lineAfter(window, from)
	if n < 0 && !atEOF && len(window) <= c.format.maxRecord() {
		c.progress.at, c.progress.bad = len(window), bad
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

// closingQuote returns the offset after the first quote from the offset on that is not doubled, or -1.
func closingQuote(v []byte, from int) (end int) {
	for {
		i := bytes.IndexByte(v[from:], '"')
		if i < 0 {
			return -1
		}
		from += i + 1
		if from == len(v) || v[from] != '"' {
			return from
		}
		from++
	}
}

// A follower says whether bytes may come after a closing quote.
type follower uint8

const (
	legal follower = iota
	illegal
	undecided // the bytes are too few, and may be the beginning of something legal
)

// follows reports whether b may come after a closing quote.
func (f Format) follows(b []byte) follower {
	d := f.delimiter()
	if f.Delimiter == Whitespace {
		d = ""
	}
	switch {
	case len(b) == 0:
		return undecided
	case b[0] == '\n' || f.delimiterAt(b) > 0 || lineEnd(b) > 0:
		return legal
	case len(b) == 1 && b[0] == '\r', len(b) < len(d) && string(b) == d[:len(b)]:
		return undecided
	}
	return illegal
}
