package schema

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// A RowError describes why one row is invalid. It affects no other row. Callers add the source, the
// file, and the line.
type RowError struct {
	Code    string // stable, such as INT_SYNTAX; the list is in docs/reference/errors.md
	At      int    // offset of the first invalid byte in its record; -1 if unknown
	Size    int    // size of the string that was found, in bytes; 0 without one
	Column  string // the input column; empty if the error is about the record
	Feature string // the key of the feature; empty if the error is not about a feature
	Message string // what was found and what was expected: `"NA" is not an int64`
	Found   string // the string that was found, in quotes; empty without one
	Hint    string // a line of the config that helps, `null_values: [NA]`; empty without one
	Damage  bool   // the file is damaged at this position: more rows may be lost
}

// RowErrorf returns an error with a code and an offset in the row.
func RowErrorf(code string, at int, format string, args ...any) *RowError {
	return &RowError{Code: code, At: at, Message: fmt.Sprintf(format, args...)}
}

func (e *RowError) Error() string {
	subject := ""
	switch {
	case e.Column != "" && e.Feature != "":
		subject = "column " + quote(e.Column) + " (feature " + quote(e.Feature) + "): "
	case e.Column != "":
		subject = "column " + quote(e.Column) + ": "
	case e.Feature != "":
		subject = "feature " + quote(e.Feature) + ": "
	}
	return subject + e.Message + " [" + e.Code + "]"
}

// maxQuoted is the number of bytes of a value that a message shows.
const maxQuoted = 40

// quote returns s in quotes, with control characters and invalid UTF-8 escaped. It truncates a
// string longer than maxQuoted bytes, and adds … after the quotes.
func quote[T string | []byte](s T) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(string(s))
	}
	cut := maxQuoted
	for cut > maxQuoted-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(string(s[:cut])) + "…"
}

// Quote returns s as messages quote data and names. It escapes control characters and invalid
// UTF-8, and truncates strings longer than about 40 bytes.
func Quote[T string | []byte](s T) string { return quote(s) }
