package csv

import (
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

func bareQuote(at int) *schema.RowError {
	return &schema.RowError{Code: "CSV_BARE_QUOTE", At: at,
		Message: "quote in a cell that does not begin with one", Hint: "quotes: none"}
}

func strayText(at int) *schema.RowError {
	return &schema.RowError{Code: "CSV_QUOTE", At: at,
		Message: "text after a closing quote; within quotes a quote is written twice"}
}

func unterminated(at int) *schema.RowError {
	return &schema.RowError{Code: "CSV_UNTERMINATED_QUOTE", At: at,
		Message: "no quote closes the cell that this one opens"}
}

func tooLong(at, limit int, quoted bool) *schema.RowError {
	e := &schema.RowError{Code: "LIMIT_RECORD", At: at,
		Message: fmt.Sprintf("record of more than %d bytes", limit)}
	if quoted {
		e.Message += "; no quote closes this cell before"
		return e
	}
	const mib = 1 << 20
	e.Hint = input.RecordHint(2 * int64((limit+mib-1)/mib*mib))
	return e
}

func blankRow() *schema.RowError {
	e := schema.RowErrorf("MISSING", 0, "blank line in a file of one column")
	e.Hint = `remove the line, or write "" for an empty cell`
	return e
}

func nul(at int) *schema.RowError {
	return schema.RowErrorf("CSV_NUL", at, "NUL byte")
}

// endOfText is Ctrl-Z.
const endOfText = 0x1a

func ctrlZ() *schema.RowError {
	return &schema.RowError{Code: "CSV_CTRL_Z", At: 0,
		Message: "Ctrl-Z (byte 0x1a), which ends a text file in old programs and is not a cell"}
}

// loneCR returns the error of the CR at the offset of a record. It also serves for the first
// records of a file that has no other line ends.
func loneCR(f Format, rec []byte, at int) *schema.RowError {
	if endsWithCR(f, rec, at) {
		return crAlone(at, f.Encoding)
	}
	return schema.RowErrorf("CSV_LONE_CR", at, "CR without LF; records end with LF or CRLF")
}

// crAlone returns the error of a file whose lines end with CR.
func crAlone(at int, enc charset.Encoding) *schema.RowError {
	e := &schema.RowError{Code: "CSV_LONE_CR", At: at, Message: lines.CRAlone}
	if enc == charset.UTF8 || enc == charset.Latin1 { // the command in the hint replaces bytes
		e.Hint = lines.CRToLF
	}
	return e
}

func ragged(at, found int, f Format, columns int) *schema.RowError {
	what := "the header has"
	if !f.Header {
		what = "there are names for"
	}
	return &schema.RowError{Code: "CSV_RAGGED", At: at,
		Message: fmt.Sprintf("%s, but %s %d", plural.Of(found, "cell"), what, columns)}
}
