package csv

import (
	"bytes"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// sniffed is how many bytes of a file are enough to recognize its format.
const sniffed = 64

// Mismatch returns a FORMAT_MISMATCH error if the first bytes of a file show that it is not text
// with rows; else nil.
func Mismatch(head []byte) *schema.RowError {
	what, hint := detectFormat(head)
	if what == "" {
		return nil
	}
	return &schema.RowError{Code: "FORMAT_MISMATCH", At: 0, Message: "looks like " + what + ", not CSV", Hint: hint}
}

func detectFormat(head []byte) (what, hint string) {
	if what := lines.OtherFormat(head); what != "" {
		return what, ""
	}
	text := bytes.TrimLeft(head[lines.First(head):], " \t\r\n")
	switch {
	case jsonBegins(text, '{', "\"}"):
		return "JSON", "jsonl:"
	case jsonBegins(text, '[', "{[\""):
		return "JSON", ""
	}
	return "", ""
}

// jsonBegins reports whether the text begins with the bracket and, after any space, one of the
// bytes in next.
func jsonBegins(text []byte, bracket byte, next string) bool {
	if len(text) == 0 || text[0] != bracket {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) > 0 && strings.IndexByte(next, text[0]) >= 0
}

// otherDelimiter returns the common delimiter that splits the record into the most cells, at least
// two; else an empty string.
func (f Format) otherDelimiter(rec []byte) string {
	best, most := "", 1
	for _, d := range []string{";", "\t", "|", ","} {
		if d == f.delimiter() {
			continue
		}
		g := f
		g.Delimiter = d
		n, bad, _ := g.NewCutter(false).cutRecord(rec, true)
		if cells := g.cellAt(rec, len(rec)) + 1; bad == nil && n == len(rec) && cells > most {
			best, most = d, cells
		}
	}
	return best
}

// suspectDelimiter adds a note to the error of a header that would be valid with another delimiter.
func (f Format) suspectDelimiter(bad *schema.RowError, rec []byte) *schema.RowError {
	looks := f.otherDelimiter(rec)
	if bad.Code != "CSV_QUOTE" || looks == "" {
		return bad
	}
	message, hint := Separated(looks)
	bad.Message += "; the file " + message
	bad.Hint = hint
	return bad
}

// suspectCR adds a note to the error of text after a closing quote, if that text is a CR that ends
// a line.
func suspectCR(f Format, bad *schema.RowError, rec []byte) {
	if bad.At < len(rec) && rec[bad.At] == '\r' && endsWithCR(f, rec, bad.At) {
		cr := crAlone(bad.At, f.Encoding)
		bad.Message, bad.Hint = bad.Message+"; "+cr.Message, cr.Hint
	}
}

// Separated returns the text for Head.Looks, such as "looks `;`-separated", and the config line
// that sets the delimiter.
func Separated(looks string) (message, hint string) {
	if looks == "\t" {
		return "looks tab-separated", "delimiter: tab"
	}
	return "looks `" + looks + "`-separated", `delimiter: "` + looks + `"`
}
