package csv

import (
	"bytes"
	"math"

	"tfr-build/sources/charset"
)

// A Format describes how a CSV file is written. Comment is a single character. Delimiter does not
// begin with it, and neither has a quote, CR, LF, or NUL. A comment cannot begin within quotes.
type Format struct {
	Delimiter  string           // in UTF-8, or Whitespace; if empty, a comma
	Quotes     bool             // cells may be quoted; if false, quotes are data
	Rest       bool             // the last cell takes the rest of the line; Quotes must be false
	Unquoted   bool             // with Rest, a quote in a cell before the rest is an error
	Comment    string           // one character or empty: lines that begin with it are skipped
	Trim       bool             // spaces and tabs around unquoted cells are removed
	SkipLines  int              // number of lines before the header, which may contain anything
	Header     bool             // the first record has the column names
	Encoding   charset.Encoding // encoding of the file before a Decoder made it UTF-8
	MaxRecord  int              // maximum length of a record in bytes, with its line end; 0: unlimited
	MaxColumns int              // maximum number of cells in a header; 0: unlimited
}

// Whitespace is the Delimiter of files whose cells are separated by runs of blanks, which are spaces
// and tabs. Blanks at the begin and at the end of a line separate nothing. A line of blanks is a
// blank line.
const Whitespace = "whitespace"

// A Check lists what a file may contain that makes a record invalid. Scanner looks for it only in
// files that may have it. The flags of a file's chunks are OR-ed. An unnecessary flag costs time
// and changes nothing else.
type Check uint8

const (
	CheckCR   Check = 1 << iota // a CR without an LF after it
	CheckUTF8                   // bytes that are not UTF-8
	CheckNUL                    // a NUL byte

	CheckAll = CheckCR | CheckUTF8 | CheckNUL
)

func (f Format) delimiter() string {
	if f.Delimiter == "" {
		return ","
	}
	return f.Delimiter
}

// delimiterAt returns the length of the delimiter that b begins with, or 0.
func (f *Format) delimiterAt(b []byte) int {
	if f.Delimiter == Whitespace {
		return blanks(b)
	}
	if d := f.delimiter(); hasPrefix(b, d) {
		return len(d)
	}
	return 0
}

// endsWithDelimiter reports whether b ends with a delimiter.
func (f *Format) endsWithDelimiter(b []byte) bool {
	if f.Delimiter == Whitespace {
		return len(b) > 0 && isBlank(b[len(b)-1])
	}
	return hasSuffix(b, f.delimiter())
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// blanks returns the number of blanks that b begins with.
func blanks(b []byte) int {
	return len(b) - len(bytes.TrimLeft(b, " \t"))
}

// blankLine returns the length of the blank line that b begins with, or 0. With atEOF, b reaches
// the end of the file.
func (f *Format) blankLine(b []byte, atEOF bool) int {
	if f.Delimiter != Whitespace {
		return lineEnd(b)
	}
	n := blanks(b)
	if n == len(b) && atEOF {
		return n
	}
	if end := lineEnd(b[n:]); end > 0 {
		return n + end
	}
	return 0
}

func (f Format) maxRecord() int {
	if f.MaxRecord <= 0 {
		return math.MaxInt - 1
	}
	return f.MaxRecord
}

// hasPrefix and hasSuffix are like the functions of package bytes, but take a string, which they do
// not convert.
func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
func hasSuffix(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }

// lineEnd returns the length of the line end that b begins with, or 0.
func lineEnd(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// lineAfter returns the offset after the first LF at or after from, or -1.
func lineAfter(b []byte, from int) int {
	i := bytes.IndexByte(b[from:], '\n')
	if i < 0 {
		return -1
	}
	return from + i + 1
}
