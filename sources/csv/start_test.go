package csv

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

func TestStart(t *testing.T) {
	for _, c := range []struct {
		name   string
		format func(*Format)
		in     string // the records begin at ¦
		want   table.Head
	}{
		{"a header", nil, "a,b\n¦1,2\n", table.Head{Names: []string{"a", "b"}, Lines: 1}},
		{"nothing but a header", nil, "a,b¦", table.Head{Names: []string{"a", "b"}}},
		{"CRLF", nil, "a,b\r\n¦1,2\r\n", table.Head{Names: []string{"a", "b"}, Lines: 1}},
		{"a long header", nil, strings.Repeat("x", 70) + ",b\r\n¦1,2\r\n",
			table.Head{Names: []string{strings.Repeat("x", 70), "b"}, Lines: 1}},
		{"a quoted header", nil, "\"a\n\"\"\",\"\", c\n¦1", table.Head{Names: []string{"a\n\"", "", " c"}, Lines: 2}},
		{"trimmed", func(f *Format) {
			f.Trim = true
		}, " a ,\" b\"\n¦", table.Head{Names: []string{"a", " b"}, Lines: 1}},
		{"a byte order mark", nil, "\ufeffa,b\n¦1,2", table.Head{Names: []string{"a", "b"}, Lines: 1}},
		{"a byte order mark and a quote", nil, "\ufeff\"a\",b\n¦1,2", table.Head{Names: []string{"a", "b"}, Lines: 1}},
		{"a byte order mark elsewhere is data", nil, "a,\ufeffb\n¦1,2",
			table.Head{Names: []string{"a", "\ufeffb"}, Lines: 1}},
		{"blank lines before it", nil, "\n\r\na,b\n¦\n1,2", table.Head{Names: []string{"a", "b"}, Lines: 3}},
		{"skipped lines, whatever they hold", func(f *Format) { f.SkipLines = 2 }, "\ufeffit's 5\" \xff\n\n\na,b\n¦",
			table.Head{Names: []string{"a", "b"}, Lines: 4}},
		{"comments before it", func(f *Format) { f.Comment = "#" }, "# \"\na,b\n¦#c\n",
			table.Head{Names: []string{"a", "b"}, Lines: 2}},
		{"UTF-16 of letters that look like two", func(f *Format) { f.Encoding = charset.UTF16LE }, "慢慢慢慢慢慢慢慢慢慢,b\n¦",
			table.Head{Names: []string{"慢慢慢慢慢慢慢慢慢慢", "b"}, Lines: 1}},
		{"no header", func(f *Format) { f.Header = false }, "¦1,2\n", table.Head{}},
		{"no header, skipped lines", func(f *Format) { f.Header, f.SkipLines = false, 1 }, "\ufeffx\n¦\n1,\"2\n",
			table.Head{Lines: 1}},
		{"no header, a lone CR in the first record, which is a bad row", func(f *Format) { f.Header = false },
			"¦\n1,\"\r\"\r3,4\n", table.Head{}},
		{"no header, no bytes", func(f *Format) { f.Header = false }, "¦", table.Head{}},
		{"no header, fewer lines than skipped", func(f *Format) { f.Header, f.SkipLines = false, 3 }, "x\ny¦",
			table.Head{Lines: 1}},
		{"one column", nil, "a\n¦1\n", table.Head{Names: []string{"a"}, Lines: 1}},
		{"one column that would be three", nil, "a;b;c\n¦",
			table.Head{Names: []string{"a;b;c"}, Lines: 1, LikelyDelimiter: ";"}},
		{"tabs", nil, "a\tb|c\td\n¦", table.Head{Names: []string{"a\tb|c\td"}, Lines: 1, LikelyDelimiter: "\t"}},
		{"commas", func(f *Format) { f.Delimiter = "\t" }, "a,b\n¦",
			table.Head{Names: []string{"a,b"}, Lines: 1, LikelyDelimiter: ","}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := plain
			if c.format != nil {
				c.format(&f)
			}
			before, after, _ := strings.Cut(c.in, "¦")
			c.want.First = len(before)
			h := startWhole(t, f, before+after)
			if !slices.Equal(h.Names, c.want.Names) || h.First != c.want.First || h.Lines != c.want.Lines ||
				h.LikelyDelimiter != c.want.LikelyDelimiter {
				t.Errorf("%+v, want %+v", h, c.want)
			}
		})
	}
}

// startWhole calls Start with longer and longer prefixes of a file. All must agree with the
// complete file, whose head it returns.
func startWhole(t *testing.T, f Format, in string) table.Head {
	t.Helper()
	whole, bad, more := f.Start([]byte(in), true)
	if bad != nil || more {
		t.Fatalf("%v, more %v", bad, more)
	}
	in += strings.Repeat("\n", 2*sniffed)
	for n := range in {
		h, bad, more := f.Start([]byte(in[:n]), false)
		if bad != nil || !more && (!slices.Equal(h.Names, whole.Names) || h.First < whole.First) {
			t.Fatalf("with %d bytes: %+v, %v, more %v; whole: %+v", n, h, bad, more, whole)
		}
	}
	return whole
}

// The mark § is before the wrong byte, and ¦ before the invalid record.
func TestStartErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		format  func(*Format)
		in      string
		code    string
		message string
		hint    string
	}{
		{"a lone CR in the header", nil, "¦a,b§\r1,2\r3,4\r", "CSV_LONE_CR", lines.CRAlone, lines.CRToLF},
		{"a CR within the header", nil, "¦a§\r,b\n1,2\n", "CSV_LONE_CR", "CR without LF; records end with LF or CRLF",
			""},
		{"lone CRs in UTF-16", func(f *Format) { f.Encoding = charset.UTF16LE }, "¦a,b§\r1,2\r", "CSV_LONE_CR",
			lines.CRAlone, ""},
		{"a lone CR in a skipped line", func(f *Format) { f.SkipLines = 1 }, "¦by hand§\ra,b\r1,2\r", "CSV_LONE_CR",
			lines.CRAlone, lines.CRToLF},
		{"a bare quote", nil, "\n¦a,b§\"\n", "CSV_BARE_QUOTE", "quote in a cell that does not begin with one",
			"quotes: none"},
		{"quoted cells between other delimiters", nil, "¦\"a\"§;\"b\"\n", "CSV_QUOTE",
			"text after a closing quote; within quotes a quote is written twice; the file looks `;`-separated",
			`delimiter: ";"`},
		{"quoted cells between tabs", nil, "¦\"a\"§\t\"b\"\n", "CSV_QUOTE",
			"text after a closing quote; within quotes a quote is written twice; the file looks tab-separated",
			"delimiter: tab"},
		{"a quote that nothing closes", nil, "¦a,§\"b\n1,2\n", "CSV_UNTERMINATED_QUOTE",
			"no quote closes the cell that this one opens", ""},
		{"UTF-16LE with its mark", nil, "¦§\xff\xfea\x00,\x00b\x00\n\x00", "ENCODING", "looks like UTF-16LE",
			"encoding: utf-16le"},
		{"UTF-16BE with its mark", nil, "¦§\xfe\xff\x00a\x00,\x00b\x00\n", "ENCODING", "looks like UTF-16BE",
			"encoding: utf-16be"},
		{"UTF-16LE without", nil, "¦§a\x00,\x00b\x00\n\x00", "ENCODING", "looks like UTF-16LE", "encoding: utf-16le"},
		{"UTF-16BE without", nil, "¦§\x00a\x00,\x00\xe4\x00\n", "ENCODING", "looks like UTF-16BE",
			"encoding: utf-16be"},
		{"the other UTF-16", func(f *Format) { f.Encoding = charset.UTF16LE }, "¦§\ufffea,b\n", "ENCODING",
			"begins with the byte order mark of UTF-16BE", "encoding: utf-16be"},
		{"UTF-8 as Latin-1", func(f *Format) { f.Encoding = charset.Latin1 }, "¦§ï»¿a,b\n", "ENCODING",
			"begins with the byte order mark of UTF-8", "encoding: utf-8"},
		{"UTF-8 as UTF-16LE", func(f *Format) { f.Encoding = charset.UTF16LE }, "¦§ⱡ\u0a62ⰱਲⰳ\u0a34ⰱ\u0a32", "ENCODING",
			"looks like UTF-8", "encoding: utf-8"},
		{"UTF-8 with its mark as UTF-16BE", func(f *Format) { f.Encoding = charset.UTF16BE }, "¦§\uefbb\ubf61Ⱪ\n",
			"ENCODING", "looks like UTF-8", "encoding: utf-8"},
		{"UTF-16 as Latin-1", func(f *Format) { f.Encoding = charset.Latin1 }, "¦§ÿþa\x00\n\x00", "ENCODING",
			"begins with the byte order mark of UTF-16LE", "encoding: utf-16le"},
		{"a NUL", nil, "¦a,§\x00b\n", "CSV_NUL", "NUL byte", ""},
		{"NULs everywhere", nil, "¦§" + strings.Repeat("\x00", 40) + "\n", "CSV_NUL", "NUL byte", ""},
		{"no UTF-8", nil, "¦a,stra§\xdfe\n", "UTF8_INVALID", "byte 0xdf is not UTF-8", "encoding: latin-1"},
		{"too many columns", func(f *Format) { f.MaxColumns = 2 }, "¦a,b,§c,d\n", "LIMIT_COLUMNS",
			"4 columns, more than 2", "limits: {columns: 4}"},
		{"too long", func(f *Format) { f.MaxRecord = 4 }, "¦a,b,§c,d\n", "LIMIT_RECORD", "record of more than 4 bytes",
			"limits: {record: 2MiB}"},
		{"a skipped line too long", func(f *Format) { f.MaxRecord, f.SkipLines = 100, 1 },
			"¦" + strings.Repeat("x", 100) + "§" + strings.Repeat("x", 100), "CSV_EMPTY", "no header", ""},
		{"nothing", nil, "¦", "CSV_EMPTY", "no header", ""},
		{"blank lines only", nil, "\n\r\n\n¦", "CSV_EMPTY", "no header", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := plain
			if c.format != nil {
				c.format(&f)
			}
			first := strings.Index(c.in, "¦")
			in := strings.Replace(c.in, "¦", "", 1)
			at := strings.Index(in, "§") - first
			in = strings.Replace(in, "§", "", 1)
			h, bad, _ := f.Start([]byte(in), true)
			if c.code == "CSV_EMPTY" {
				first, at = len(in), -1
			}
			want := schema.RowError{Code: c.code, At: at, Message: c.message, Hint: c.hint}
			if bad == nil || *bad != want || h.First != first || h.Lines != strings.Count(in[:first], "\n") {
				t.Errorf("%+v\nwant %+v; record at %d, line %d", bad, want, h.First, h.Lines)
			}
		})
	}
}

// A file that cannot be CSV in this format is rejected before all of it is in memory.
func TestStartNeedsBoundedMemory(t *testing.T) {
	f := plain
	f.MaxRecord = 1000
	skip := f
	skip.SkipLines = 1
	for _, c := range []struct {
		unit, code string
		format     Format
	}{
		{"abc,", "LIMIT_RECORD", f},
		{"a,b\r", "CSV_LONE_CR", f},
		{"\"abc", "CSV_QUOTE", f},
		{"\"\"", "LIMIT_RECORD", f},
		{"abc,", "LIMIT_RECORD", skip},
	} {
		in := bytes.Repeat([]byte(c.unit), 1000)
		_, bad, more := c.format.Start(in[:f.MaxRecord+sniffed+1], false)
		if more || bad == nil || bad.Code != c.code {
			t.Errorf("%q: %v, more %v; want %s", c.unit, bad, more, c.code)
		}
	}
}

func TestMismatch(t *testing.T) {
	for in, want := range map[string]string{
		"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml … xl/workbook.xml": "looks like an Excel workbook (xlsx), not " +
			"CSV",
		"PK\x03\x04\x14\x00data.csv":  "looks like a zip archive, not CSV",
		"\x1f\x8b\x08\x00":            "looks like gzip, not CSV",
		"\x28\xb5\x2f\xfd\x04":        "looks like zstd, not CSV",
		"BZh91AY&SY":                  "looks like bzip2, not CSV",
		"PAR1\x15":                    "looks like Parquet, not CSV",
		"SQLite format 3\x00\x10\x00": "looks like an SQLite database, not CSV",
		"\x89PNG\r\n\x1a\n":           "looks like a PNG image, not CSV",
		"t.csv" + strings.Repeat("\x00", 252) + "ustar\x00": "looks like a tar archive, not CSV",
		strings.Repeat("x", 256) + ",ustar":                 "",
		"%PDF-1.7":                                          "looks like PDF, not CSV",
		"\n <!DOCTYPE HTML>":                                "looks like HTML, not CSV",
		"<html lang=en>":                                    "looks like HTML, not CSV",
		"<?xml version":                                     "looks like XML, not CSV",
		"\ufeff{\"a\": 1}\n":                                "looks like JSON, not CSV",
		"[\n  {\"a\": 1}]":                                  "looks like JSON, not CSV",
		"[[1, 2]]":                                          "looks like JSON, not CSV",
		"a,b\n":                                             "",
		"":                                                  "",
		"{a},b\n":                                           "",
		"[id],b\n":                                          "",
		"BZh9,b\n":                                          "",
		"<a>,b\n":                                           "",
	} {
		bad := Mismatch([]byte(in))
		switch {
		case bad == nil && want != "":
			t.Errorf("%q may be CSV, want %q", in, want)
		case bad != nil && (bad.Message != want || bad.Code != "FORMAT_MISMATCH"):
			t.Errorf("%q: %v, want %q", in, bad, want)
		}
	}
}
