package csv

import (
	"bytes"
	"strings"

	"tfr-build/schema"
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
	for _, m := range magics {
		if hasPrefix(head, m.begin) && bytes.Contains(head, []byte(m.within)) {
			return m.what, ""
		}
	}
	if len(head) > tarMagic && hasPrefix(head[tarMagic:], "ustar") {
		return "a tar archive", ""
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(bom)), " \t\r\n")
	lower := bytes.ToLower(text[:min(len(text), sniffed)])
	switch {
	case hasPrefix(lower, "<!doctype html"), hasPrefix(lower, "<html"):
		return "HTML", ""
	case hasPrefix(lower, "<?xml"):
		return "XML", ""
	case jsonBegins(text, '{', "\"}"):
		return "JSON", "jsonl:"
	case jsonBegins(text, '[', "{[\""):
		return "JSON", ""
	}
	return "", ""
}

// magics are the bytes that files of other formats begin with, and have near the beginning. More
// specific entries come first.
var magics = []struct{ begin, within, what string }{
	{"PK\x03\x04", "xl/", "an Excel workbook (xlsx)"},
	{"PK\x03\x04", "", "a zip archive"},
	{"\x1f\x8b", "", "gzip"},
	{"\x28\xb5\x2f\xfd", "", "zstd"},
	{"BZh", "1AY&SY", "bzip2"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "", "an old Excel workbook (xls)"},
	{"%PDF-", "", "PDF"},
	{"PAR1", "", "Parquet"},
	{"Obj\x01", "", "Avro"},
	{"SQLite format 3\x00", "", "an SQLite database"},
	{"\xfd7zXZ\x00", "", "xz"},
	{"\x04\x22\x4d\x18", "", "lz4"},
	{"7z\xbc\xaf\x27\x1c", "", "a 7z archive"},
	{"Rar!\x1a\x07", "", "a rar archive"},
	{"\x89PNG", "", "a PNG image"},
	{"\xff\xd8\xff", "", "a JPEG image"},
}

// tarMagic is the offset of the magic bytes of a tar archive.
const tarMagic = 257

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
