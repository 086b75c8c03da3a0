package schema

import (
	"strconv"
	"unicode/utf8"
)

// A RowError says why one row cannot be used. It spoils that row only. What
// it does not know, the row's source, file and line, is added above.
type RowError struct {
	Code    string // stable, such as INT_SYNTAX; the list is in docs/reference/errors.md
	At      int    // offset of the faulty byte in its record; -1 where there is none
	Size    int    // bytes of the string that was found; 0 if no string was found
	Column  string // the column of the input; empty where the fault is the whole record's
	Feature string // the key of the feature; empty where no feature is concerned
	Message string // what was found and what was expected: `"NA" is not an int64`
	Found   string // the text that was found, in quotes; empty where there is none
	Hint    string // a config line that helps, `null_values: [NA]`; empty where none does
	Damage  bool   // the file is damaged there: more than this row may be lost
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

// maxQuoted is how many bytes of a value a message shows.
const maxQuoted = 40

// quote returns s in quotes, control characters and invalid UTF-8 escaped.
// What is longer than maxQuoted bytes is cut, and … follows the quotes.
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

// Quote returns s as messages quote data and names: control characters and invalid
// UTF-8 are escaped, and what is longer than 40 bytes or so is cut.
func Quote[T string | []byte](s T) string { return quote(s) }
