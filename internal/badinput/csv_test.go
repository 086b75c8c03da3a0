package badinput

import (
	"strings"
	"testing"

	"tfr-build/internal/filetest"
)

const csvConfig = "source:\n  csv: {files: t.csv}\n"

func csvFault(v verdict, name, text string, features ...string) fault {
	return csvWith(v, name, "files: t.csv", text, features...)
}

// csvWith is a table t.csv read with the given keys.
func csvWith(v verdict, name, keys, text string, features ...string) fault {
	if len(features) == 0 {
		features = []string{"a: bytes"}
	}
	return input(v, name, "source:\n  csv: {"+keys+"}\nfeatures:\n  "+strings.Join(features, "\n  ")+"\n",
		map[string]string{"t.csv": text})
}

// zstandard is a frame of one raw block, without a checksum.
func zstandard(text string) string {
	block := len(text)<<3 | 1
	return "\x28\xb5\x2f\xfd\x20" + string([]byte{byte(len(text)), byte(block), byte(block >> 8), byte(block >> 16)}) +
		text
}

// bzip2Table is the table "a,b\n1,2\n", as bzip2 makes it.
const bzip2Table = "BZh91AY&SY\xbf\x87@\x7f\x00\x00\x03Y\x00\x00\x10\x00\x040\x000\x00 " +
	"\x000\xc0\x08i\xb2\x88#'\x8b\xb9\x22\x9c(H_\xc3\xa0?\x80"

// csvFaults are the ways in which a table is not a table.
func csvFaults(t testing.TB) []fault {
	long := strings.Repeat("x", 3000)
	return []fault{
		csvFault(accepted, "byte order mark", "\ufeffa\n1\n"),
		csvFault(badRow, "byte order mark elsewhere is data", "a\n\ufeff1\n", "a: int64"),
		csvFault(refused, "utf-16le with a mark", "\xff\xfea\x00\n\x001\x00\n\x00"),
		csvFault(refused, "utf-16be with a mark", "\xfe\xff\x00a\x00\n\x001\x00\n"),
		csvFault(refused, "utf-16le without a mark", "a\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00"),
		csvWith(accepted, "utf-16le", "files: t.csv, encoding: utf-16le", "a\x00\n\x001\x00\n\x00"),
		csvWith(accepted, "latin-1", "files: t.csv, encoding: latin-1", "a,b\n1,caf\xe9\n"),
		csvFault(refused, "utf-16be without a mark", "\x00a\x00,\x00b\x00\n\x001\x00,\x002\x00\n"),
		csvFault(badRow, "latin-1 bytes", "a,b\n1,caf\xe9\n"),
		csvFault(badRow, "latin-1 bytes in an unused cell", "b,a\ncaf\xe9,1\n"),
		csvWith(badRow, "shift-jis bytes", "files: t.csv", "a\n\x83e\x83X\x83g\n"),
		csvWith(badRow, "half a surrogate pair", "files: t.csv, encoding: utf-16le",
			"\xff\xfea\x00\n\x00\x00\xd81\x00\n\x00"),
		csvWith(badRow, "an odd byte at the end", "files: t.csv, encoding: utf-16le", "a\x00\n\x001\x00\n\x002"),
		csvFault(accepted, "CRLF, LF and mixtures", "a,b\r\n1,2\n3,4\r\n"),
		csvFault(accepted, "CRLF and CR within quotes", "a,b\n\"1\r\n\",\"2\r3\"\n"),
		csvFault(refused, "CR alone ends records", "a,b\r1,2\r3,4\r"),
		csvFault(badRow, "one CR alone in a later row", "a,b\n1,2\n3\r4,5\n"),
		csvWith(badRow, "one CR alone in the first row, without a header",
			"files: t.csv, header: false, columns: [a, b]", "1\r2,3\n4,5\n"),
		csvWith(badRow, "CR alone ends records, without a header", "files: t.csv, header: false, columns: [a, b]",
			"1,2\r3,4\r"),
		csvWith(badRow, "CR alone ends records with quotes, without a header",
			"files: t.csv, header: false, columns: [a, b]", "1,\"2\"\r3,\"4\"\r"),
		csvWith(refused, "CR alone ends a skipped line", "files: t.csv, skip_lines: 1", "x\ra,b\r1,2\r"),
		csvFault(accepted, "no line end at the end", "a,b\n1,2"),
		csvWith(warned, "lines of blanks", "files: t.csv, delimiter: whitespace", " a b\n \t \n1\t2 \n  "),
		csvWith(badRow, "a line of blanks in a table of one column", "files: t.csv, delimiter: whitespace",
			"a\n \t\n2\n"),
		csvWith(badRow, "too many cells between blanks", "files: t.csv, delimiter: whitespace", "a  b\n 1   2  3\n"),
		csvWith(badRow, "too few cells between blanks", "files: t.csv, delimiter: whitespace", "a  b\n 1  \n"),
		csvWith(badRow, "too many cells between two colons", "files: t.csv, delimiter: '::'", "a::b\n1:::2::3\n"),
		csvWith(badRow, "a NUL byte between blanks", "files: t.csv, delimiter: whitespace", "a b\n1 \x00 \n"),
		csvWith(badRow, "a quote after three colons", "files: t.csv, delimiter: '::'", "a::b\n1:::\"2\"\n"),
		csvWith(badRow, "a quote before the rest", "files: t.csv, rest: b", "a,b\n\"1\",2,3\n"),
		csvWith(badRow, "a row without the rest", "files: t.csv, rest: b", "a,b\n1\n"),
		csvWith(refused, "rest that is not the last column", "files: t.csv, rest: a", "a,b\n1,2\n"),
		csvFault(warned, "blank lines", "a,b\n\n1,2\n\n\n"),
		csvFault(badRow, "a blank line in a table of one column", "a\n1\n\n2\n"),
		csvFault(warned, "blank lines at the end of a table of one column", "a\n1\n\n\n"),
		csvFault(refused, "empty file", ""),
		csvFault(refused, "only a header", "a,b\n"),
		csvFault(refused, "only line ends", "\n\n\n"),
		csvWith(warned, "no row, which is allowed", "files: t.csv, allow_empty: true", "a,b\n"),
		csvFault(badRow, "a short row", "a,b,c\n1,2,3\n4,5\n"),
		csvFault(badRow, "a long row", "a,b\n1,2\n3,4,42\n"),
		csvFault(refused, "a doubled header name", "a,a\n1,2\n"),
		csvFault(accepted, "a duplicate header name of no feature", "a,b,b\n1,2,3\n"),
		csvFault(refused, "a doubled header name further on", "x,a,b,a\n1,2,3,4\n"),
		csvFault(accepted, "a column without a name, by its place", ",b\n1,2\n", `a: {from: "@0", type: int64}`),
		csvFault(badRow, "a bad value in a column without a name", ",b\nx,2\n", `a: {from: "@0", type: int64}`),
		csvFault(badRow, "latin-1 bytes in a column without a name", ",a\n\xe9,2\n"),
		csvFault(refused, "a column that is missing next to one without a name", ",b\n1,2\n"),
		csvFault(refused, "the place of a column that has a name", "b,\n1,2\n", `a: {from: "@0", type: bytes}`),
		csvFault(accepted, "a column that is called like a place", ",@0\nx,2\n", `a: {from: "@0", type: int64}`),
		csvFault(refused, "names of columns that have to be quoted",
			"\"a\nb\",\"c,d\",\"\"\"e\"\"\",\x1b[31m,\u202ef,"+long+"\n1,2,3,4,5,6\n"),
		csvFault(badRow, "a bad value in a column of a long name", long+"\nx\n", "a: {from: "+long+", type: int64}"),
		csvFault(refused, "a doubled long name", long+","+long+"\n1,2\n", "a: {from: "+long+", type: int64}"),
		csvFault(accepted, "unused columns", "a,b,c,d\n1,2,3,4\n"),
		csvFault(refused, "a column of nearly that name", "agge,b\n1,2\n", "age: bytes"),
		csvFault(refused, "a missing column", "aa,b\n1,2\n"),
		csvFault(refused, "another case", "A,b\n1,2\n"),
		csvFault(refused, "spaces in the header", " a,b\n1,2\n"),
		csvFault(badRow, "a quote in an unquoted cell", "a,b\n24°56'26\"N,2\n1,2\n"),
		csvFault(badRow, "a quote that is never closed", "a,b\n1,2\n\"3,4\n5,6\n"),
		csvFault(badRow, "text after a closing quote", "a,b\n\"1\"x,2\n"),
		csvFault(badRow, "a space before a quote", "a,b\n1, \"2\"\n"),
		csvFault(badRow, "a backslash before a quote", "a,b\n\"say \\\"hi\\\"\",2\n"),
		csvFault(badRow, "a backslash before a quote, in an unquoted cell", "a,b\nsay \\\"hi\\\",2\n"),
		csvWith(accepted, "quotes that are data", "files: t.csv, quotes: none", "a,b\n24°56'26\"N,\"2\n"),
		csvFault(badRow, "a quote closed at the end of the file only", "a,b\n1,2\n\"3,4\n5,6\n7\"x,8\n"),
		csvFault(badRow, "a NUL", "a,b\n1,x\x00y\n"),
		csvFault(badRow, "Ctrl-Z at the end", "a,b\n1,2\n\x1a"),
		csvFault(badRow, "Ctrl-Z at the end of a table of one column", "a\n1\n\x1a"),
		csvFault(badRow, "Ctrl-Z on a line of its own", "a,b\n1,2\n\x1a\r\n"),
		csvFault(refused, "semicolons", "a;b\n1;2\n"),
		csvFault(refused, "tabs", "a\tb\n1\t2\n"),
		csvFault(badRow, "comment lines that no key allows", "a,b\n# a note\n1,2\n"),
		csvWith(accepted, "comment lines", "files: t.csv, comment: \"#\"", "a,b\n# a note\n1,2\n"),
		input(badRow, "a record beyond its limit", "limits: {record: 2KB}\n"+csvConfig+"features: {a: bytes}\n",
			map[string]string{"t.csv": "a,b\n1,2\n" + long + ",3\n4,5\n"}),
		input(badRow, "a quoted cell beyond the limit", "limits: {record: 2KB}\n"+csvConfig+"features: {a: bytes}\n",
			map[string]string{"t.csv": "a,b\n1,2\n\"" + long + "\n,3\n4,5\n"}),
		input(refused, "too many columns", "limits: {columns: 3}\n"+csvConfig+"features: {a: bytes}\n",
			map[string]string{"t.csv": "a,b,c,d\n1,2,3,4\n"}),
		csvFault(accepted, "100,000 columns", "a"+strings.Repeat(",x", 99_999)+"\n1"+strings.Repeat(",", 99_999)+"\n"),
		csvFault(refused, "100,001 columns", "a"+strings.Repeat(",x", 100_000)+"\n1"+strings.Repeat(",", 100_000)+"\n"),
		csvFault(badRow, "a row of 100,001 cells", "a,b\n1"+strings.Repeat(",", 100_000)+"\n"),
		csvFault(badRow, "a second header", "a,b\n1,2\na,b\n3,4\n", "a: int64"),
		csvWith(refused, "lines before the header", "files: t.csv", "exported 2024\n\na,b\n1,2\n"),
		csvWith(accepted, "lines before the header, skipped", "files: t.csv, skip_lines: 2",
			"exported 2024\n\na,b\n1,2\n"), csvFault(badRow, "two tables in one file", "a,b\n1,2\n\nc,d,e\n1,2,3\n"),
		csvFault(refused, "HTML", "<!DOCTYPE html><html><body>404</body></html>\n"),
		csvFault(refused, "JSON", "{\"a\": 1}\n{\"a\": 2}\n"),
		csvFault(refused, "a workbook", "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00xl/workbook.xml"),
		csvFault(refused, "an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"+strings.Repeat("\x00", 500)),
		csvFault(refused, "XML", "<?xml version=\"1.0\"?>\n<rows/>\n"),
		csvFault(refused, "a zip archive", "PK\x03\x04\x14\x00t.csv"),
		csvFault(refused, "PDF", "%PDF-1.4\n"),
		csvFault(refused, "Parquet", "PAR1\x15\x00"),
		csvFault(refused, "a tar archive", filetest.Tar(t, "a.csv", "a,b\n1,2\n")),
		csvFault(refused, "a tar archive in gzip", filetest.Gzip(filetest.Tar(t, "a.csv", "a,b\n1,2\n"))),
		csvFault(refused, "gzip in gzip", filetest.Gzip(filetest.Gzip("a,b\n1,2\n"))),
		csvFault(refused, "a PNG", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		csvFault(refused, "SQLite", "SQLite format 3\x00\x10\x00"),
		csvFault(accepted, "gzip named .csv", filetest.Gzip("a,b\n1,2\n")),
		csvFault(accepted, "several gzip members", filetest.Gzip("a,b\n1,2\n")+filetest.Gzip("3,4\n")),
		csvFault(refused, "gzip cut short", filetest.Gzip(strings.Repeat("a,b\n1,2\n", 50000))[:200]),
		csvFault(refused, "gzip cut short in its header", filetest.Gzip("a,b\n1,2\n")[:8]),
		csvFault(refused, "a second gzip member cut short", filetest.Gzip("a,b\n1,2\n")+filetest.Gzip("3,4\n")[:20]),
		csvFault(refused, "the header of a second gzip member cut short",
			filetest.Gzip("a,b\n1,2\n")+filetest.Gzip("3,4\n")[:5]),
		csvFault(refused, "gzip with a wrong checksum", filetest.Flip(filetest.Gzip("a,b\n1,2\n"), -8)),
		csvFault(refused, "bytes after gzip", filetest.Gzip("a,b\n1,2\n")+"garbage"),
		csvFault(refused, "a line end after gzip", filetest.Gzip("a,b\n1,2\n")+"\n"),
		csvFault(refused, "zstd cut short", zstandard("a,b\n1,2\n")[:12]),
		csvFault(accepted, "zstd named .csv", zstandard("a,b\n1,2\n")),
		csvFault(refused, "zstd with a window of a gigabyte", "\x28\xb5\x2f\xfd\x00\xa0\x19\x00\x00a\n1"),
		csvFault(refused, "bytes after zstd", zstandard("a,b\n1,2\n")+"garbage"),
		csvFault(accepted, "bzip2 named .csv", bzip2Table),
		csvFault(refused, "bzip2 cut short", bzip2Table[:30]),
		csvFault(refused, "bzip2 with a wrong checksum", filetest.Flip(bzip2Table, 12)),
		csvFault(refused, "bytes after bzip2", bzip2Table+"garbage"),
		csvWith(refused, "names that do not fit the header", "files: t.csv, columns: [a, b, c]", "x,y\n1,2\n"),
		csvWith(badRow, "names that do not fit the rows", "files: t.csv, header: false, columns: [a, b, c]", "1,2\n"),
		input(refused, "one file lacks a column", "source:\n  csv: {files: \"*.csv\"}\nfeatures: {a: bytes}\n",
			map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": "b\n1\n"}),
		input(warned, "an empty file among others", "source:\n  csv: {files: \"*.csv\"}\nfeatures: {a: bytes}\n",
			map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": ""}),
	}
}
