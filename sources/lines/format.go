package lines

import "bytes"

// sniffed is how much of the text shows that it is HTML or XML.
const sniffed = 64

// OtherFormat returns which other format a file has, by its first bytes, or an empty string. All of these have rows
// that are not lines, or no rows.
func OtherFormat(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.begin)) && bytes.Contains(head, []byte(m.within)) {
			return m.what
		}
	}
	if isTar(head) {
		return "a tar archive"
	}
	text := bytes.TrimLeft(head[First(head):], " \t\r\n")
	text = bytes.ToLower(text[:min(len(text), sniffed)])
	for _, m := range markups {
		if bytes.HasPrefix(text, []byte(m.begin)) {
			return m.what
		}
	}
	return ""
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
	{"ARROW1\x00\x00", "", "Arrow"},
	{"SQLite format 3\x00", "", "an SQLite database"},
	{"\xfd7zXZ\x00", "", "xz"},
	{"\x04\x22\x4d\x18", "", "lz4"},
	{"7z\xbc\xaf\x27\x1c", "", "a 7z archive"},
	{"version https://git-lfs.github.com/spec/", "", "a pointer of Git LFS (git lfs pull fetches the file)"},
	{"Rar!\x1a\x07", "", "a rar archive"},
	{"\x89PNG", "", "a PNG image"},
	{"\xff\xd8\xff", "", "a JPEG image"},
}

// markups are the first characters of markup, in lower case.
var markups = []struct{ begin, what string }{
	{"<!doctype html", "HTML"},
	{"<html", "HTML"},
	{"<?xml", "XML"},
}

// isTar reports whether the file is a tar archive: besides the magic bytes, the fields before them have NULs.
func isTar(head []byte) bool {
	const at = 257 // of the magic bytes
	return len(head) > at && bytes.HasPrefix(head[at:], []byte("ustar")) && bytes.IndexByte(head[:at], 0) >= 0
}
