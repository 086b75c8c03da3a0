package csv

import (
	"bytes"
	"math"

	"tfr-build/sources/charset"
)

// A Format says how a CSV file is written. Delimiter and Comment are single
// characters, neither a quote nor CR, LF or NUL, and differ.
type Format struct {
	Delimiter  string           // one character in UTF-8; empty means a comma
	Quotes     bool             // cells may be quoted; false: a quote is data like any other
	Comment    string           // one character, or empty: lines that begin with it, outside quotes, are skipped
	Trim       bool             // spaces and tabs around unquoted cells are not part of them
	SkipLines  int              // lines before the header, whatever they hold
	Header     bool             // the first record holds the names of the columns
	Encoding   charset.Encoding // what the file was before a Decoder made it UTF-8
	MaxRecord  int              // the longest record, in bytes with its line end; 0: any
	MaxColumns int              // the most cells of a header; 0: any number
}

// A Check says what a file may hold that spoils a record, so that Scanner
// checks for it only in files that need it. Flags are OR-ed over a file's
// chunks. A flag too many costs time, and changes nothing else.
type Check uint8

const (
	CheckCR   Check = 1 << iota // a CR that no LF follows
	CheckUTF8                   // bytes that are not UTF-8
	CheckNUL                    // a NUL

	CheckAll = CheckCR | CheckUTF8 | CheckNUL
)

func (f Format) delimiter() string {
	if f.Delimiter == "" {
		return ","
	}
	return f.Delimiter
}

func (f Format) maxRecord() int {
	if f.MaxRecord <= 0 {
		return math.MaxInt - 1
	}
	return f.MaxRecord
}

// hasPrefix and hasSuffix are those of package bytes for a string that is
// not to be converted each time.
func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
func hasSuffix(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }

// lineEnd is the length of the line end that b begins with, 0 if none.
func lineEnd(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// lineAfter is the offset after the first LF at or after from, or -1.
func lineAfter(b []byte, from int) int {
	i := bytes.IndexByte(b[from:], '\n')
	if i < 0 {
		return -1
	}
	return from + i + 1
}
