package csv

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// sniffed is so much of a file as shows what it is.
const sniffed = 64

// Mismatch says what a file is that is no text of rows, by its first bytes:
// the error is FORMAT_MISMATCH; nil if it may be CSV.
func Mismatch(head []byte) *schema.RowError {
	what, hint := foreign(head)
	if what == "" {
		return nil
	}
	return &schema.RowError{Code: "FORMAT_MISMATCH", At: 0, Message: "looks like " + what + ", not CSV", Hint: hint}
}

func foreign(head []byte) (what, hint string) {
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

// magics are what files of other formats begin with, and hold near their
// beginning; the more special ones first.
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

// tarMagic is where a tar archive says that it is one.
const tarMagic = 257

// jsonBegins reports whether the text is the bracket and, after any space,
// one of the bytes next.
func jsonBegins(text []byte, bracket byte, next string) bool {
	if len(text) == 0 || text[0] != bracket {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) > 0 && strings.IndexByte(next, text[0]) >= 0
}

// otherEncoding refuses a file that shows an encoding other than Encoding.
func (f Format) otherEncoding(head []byte) *schema.RowError {
	looks, enc := "", UTF8
	const mark = "begins with the byte order mark of"
	switch {
	case f.Encoding == UTF8:
		looks, enc = utf16Pattern(head)
	case f.Encoding == UTF16LE && hasPrefix(head, "\ufffe"):
		looks, enc = mark, UTF16BE
	case f.Encoding == UTF16BE && hasPrefix(head, "\ufffe"):
		looks, enc = mark, UTF16LE
	case f.Encoding != Latin1 && isASCII16(head):
		looks = "looks like"
	case f.Encoding == Latin1 && hasPrefix(head, "ï»¿"):
		looks = mark
	case f.Encoding == Latin1 && hasPrefix(head, "ÿþ"):
		looks, enc = mark, UTF16LE
	case f.Encoding == Latin1 && hasPrefix(head, "þÿ"):
		looks, enc = mark, UTF16BE
	}
	if looks == "" {
		return nil
	}
	return &schema.RowError{Code: "ENCODING", At: 0,
		Message: looks + " " + strings.ToUpper(enc.String()), Hint: "encoding: " + enc.String()}
}

// isASCII16 reports whether a head that was decoded from UTF-16 is ASCII, two
// characters a unit, or begins with the byte order mark of UTF-8. What is UTF-16 has
// a comma or a line end soon.
func isASCII16(head []byte) bool {
	const enough = 8
	text := func(b rune) bool { return b >= ' ' && b <= '~' || b == '\n' || b == '\r' || b == '\t' }
	n := 0
	for _, r := range string(head[:min(len(head), sniffed)]) {
		switch {
		case n == 0 && (r == '\ubbef' || r == '\uefbb'):
			return true
		case r == utf8.RuneError: // cut off, or half a pair
		case !text(r>>8) || !text(r&0xff):
			return false
		}
		n++
	}
	return n >= enough
}

// utf16Pattern knows UTF-16 by its byte order mark, or by a NUL in every
// second byte of what is mostly ASCII.
func utf16Pattern(head []byte) (looks string, enc Encoding) {
	switch {
	case hasPrefix(head, "\xff\xfe"):
		return "looks like", UTF16LE
	case hasPrefix(head, "\xfe\xff"):
		return "looks like", UTF16BE
	}
	head = head[:min(len(head), sniffed)&^1]
	var nuls [2]int
	for i, b := range head {
		if b == 0 {
			nuls[i&1]++
		}
	}
	switch enough := len(head)/4 + 1; {
	case nuls[1] >= enough && nuls[0] == 0:
		return "looks like", UTF16LE
	case nuls[0] >= enough && nuls[1] == 0:
		return "looks like", UTF16BE
	}
	return "", UTF8
}

// otherDelimiter is that of the usual delimiters with which the record has
// the most cells, at least two; empty if there is none.
func (f Format) otherDelimiter(rec []byte) string {
	best, most := "", 1
	for _, d := range []string{";", "\t", "|", ","} {
		if d == f.delimiter() {
			continue
		}
		g := f
		g.Delimiter = d
		n, bad, _ := g.NewCutter(false).row(rec, true)
		if cells := g.cellAt(rec, len(rec)) + 1; bad == nil && n == len(rec) && cells > most {
			best, most = d, cells
		}
	}
	return best
}

// suspectDelimiter adds to the error of a header that it would be none with
// another delimiter.
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

// suspectCR adds to the error of text after a quote that the text is a CR which ends
// a line.
func suspectCR(f Format, bad *schema.RowError, rec []byte) {
	if bad.At < len(rec) && rec[bad.At] == '\r' && endsWithCR(f, rec, bad.At) {
		cr := crAlone(bad.At, f.Encoding)
		bad.Message, bad.Hint = bad.Message+"; "+cr.Message, cr.Hint
	}
}

// Separated words Head.Looks: "looks `;`-separated" and the config line that
// says so.
func Separated(looks string) (message, hint string) {
	if looks == "\t" {
		return "looks tab-separated", "delimiter: tab"
	}
	return "looks `" + looks + "`-separated", `delimiter: "` + looks + `"`
}
