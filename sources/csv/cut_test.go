package csv

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/table"
)

// A piece is a result of a cutter, and its kind.
type piece struct {
	text string
	is   string // "" a good record, "blank", "comment", or the code of a bad one
	at   int    // of the error
}

func good(texts ...string) []piece {
	var p []piece
	for _, t := range texts {
		p = append(p, piece{text: t})
	}
	return p
}

var cutCases = []struct {
	name      string
	format    func(*Format)
	oneColumn bool
	pieces    []piece
}{
	{name: "line feeds", pieces: good("a,b\n", "c,d\n", "e,f")},
	{name: "CRLF and LF mixed", pieces: good("a,b\r\n", "c,d\n", "e,f\r\n")},
	{name: "line ends in quotes end nothing", pieces: good("a,\"b\nc\"\n", "\"d\r\ne\",f\r\n", "\"\n\"")},
	{name: "doubled quotes", pieces: good("a,\"\"\"b\"\"\n\"\"\"\n", "\"\",\"\"\"\"\n", "x,y\n")},
	{name: "quoted cells everywhere", pieces: good(`"a","b"`+"\n", `"c",d`+"\n", `e,"f"`)},
	{name: "an empty last cell", pieces: good("a,\n", ",\n", ",")},
	{name: "a lone CR ends nothing", pieces: good("a,b\rc\n", "d\r\r\n")},
	{name: "blank lines", pieces: []piece{{text: "\n", is: "blank"}, {text: "a,b\n"}, {text: "\r\n", is: "blank"},
		{text: "\n", is: "blank"}, {text: "c,d\r\n"}, {text: "\r\n", is: "blank"}}},
	{name: "blank lines in one column", oneColumn: true, pieces: []piece{{text: "\n", is: "MISSING"}, {text: "a\n"},
		{text: "\r\n", is: "MISSING"}, {text: "\n", is: "MISSING"}, {text: "c\r\n"}, {text: "\r\n", is: "blank"},
		{text: "\n", is: "blank"}}},
	{name: "CR at the end of one column", oneColumn: true,
		pieces: []piece{{text: "a\n"}, {text: "\n", is: "MISSING"}, {text: "\r"}}},

	{name: "(a) a quote in an unquoted cell", pieces: []piece{{text: "a,b\n"}, {"5\" pipe,x\n", "CSV_BARE_QUOTE", 1},
		{text: "c,d\n"}}},
	{name: "(a) after a quoted line feed", pieces: []piece{{"\"p\nq\",r\"s\"\n", "CSV_BARE_QUOTE", 7},
		{text: "c,d\n"}}},
	{name: "(a) a space before the quote", pieces: []piece{{"a, \"b\nc\"\n"[:6], "CSV_BARE_QUOTE", 3},
		{"c\"\n", "CSV_BARE_QUOTE", 1}}},
	{name: "(a) at the end of the file", pieces: []piece{{"a,b\"", "CSV_BARE_QUOTE", 3}}},
	{name: "(b) text after a closing quote", pieces: []piece{{"\"a\"b,c\n", "CSV_QUOTE", 3}, {text: "d,e\n"}}},
	{name: "(b) cutting continues after the first line of the cell",
		pieces: []piece{{"x,\"a\n", "CSV_QUOTE", 7}, {"b\"c,d\n", "CSV_BARE_QUOTE", 1}, {text: "e,f\n"}}},
	{name: "(b) a backslash does not escape", pieces: []piece{{"\"a\\\"b\",c\n", "CSV_QUOTE", 4}, {text: "d,e\n"}}},
	{name: "(b) a space after it", pieces: []piece{{"\"a\" ,c\n", "CSV_QUOTE", 3}, {text: "d,e\n"}}},
	{name: "(b) a lone CR after it", pieces: []piece{{"\"a\"\rb,c\n", "CSV_QUOTE", 3}, {text: "d,e\n"}}},
	{name: "(b) CR at the end of the file", pieces: []piece{{text: "d,e\n"}, {"\"a\"\r", "CSV_QUOTE", 3}}},
	{name: "(c) open at the end of the file", pieces: []piece{{text: "a,b\n"}, {"c,\"d\n", "CSV_UNTERMINATED_QUOTE", 2},
		{text: "e,f\n"}, {text: "g,h"}}},
	{name: "(c) after a record of two lines", pieces: []piece{{text: "\"a\nb\",c\n"},
		{"\"p\nq\",\"d\n", "CSV_UNTERMINATED_QUOTE", 6}, {text: "e,f\n"}}},
	{name: "(c) a single quote", pieces: []piece{{"\"", "CSV_UNTERMINATED_QUOTE", 0}}},
	{name: "(d) without quotes", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{text: "1234567\n"}, {"12345678\n", "LIMIT_RECORD", 8}, {text: "12,4\n"},
			{"123456789", "LIMIT_RECORD", 8}}},
	{name: "(d) up to the end of the file it may be", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: good("a\n", "12345678")},
	{name: "(d) in a quoted cell", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{"a,\"b\n", "LIMIT_RECORD", 2}, {text: "c,d\n"}, {"e\"\n", "CSV_BARE_QUOTE", 1},
			{text: "f,g\n"}}},
	{name: "(d) after a quoted cell", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{"\"a\nb\",cdefg\n", "LIMIT_RECORD", 8}, {text: "f,g\n"}}},
	{name: "(d) whether the quote closes is beyond the limit", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{"\"a\n", "LIMIT_RECORD", 0}, {"4567\",c\n", "CSV_BARE_QUOTE", 4}, {text: "f,g\n"}}},
	{name: "(d) a quoted record longer by one", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{text: "\"a\n456\"\n"}, {"\"a\n", "LIMIT_RECORD", 0}, {"4567\"\n", "CSV_BARE_QUOTE", 4},
			{text: "f,g\n"}}},
	{name: "(d) a bad quote before the limit counts", format: func(f *Format) { f.MaxRecord = 8 },
		pieces: []piece{{"a\"34567890\n", "CSV_BARE_QUOTE", 1}, {text: "f,g\n"}}},
	{name: "(d) blank lines at the end of one column", format: func(f *Format) { f.MaxRecord = 2 }, oneColumn: true,
		pieces: []piece{{text: "a\n"}, {text: "\n", is: "MISSING"}, {text: "\r\n", is: "MISSING"},
			{text: "\n", is: "blank"}, {text: "\n", is: "blank"}}},

	{name: "comments", format: func(f *Format) { f.Comment = "#" },
		pieces: []piece{{text: "# \"x\n", is: "comment"}, {text: "a,\"\n#\"\n"}, {text: "b,#\n"},
			{text: "#\r\n", is: "comment"}, {text: "\n", is: "blank"}, {text: "#", is: "comment"}}},
	{name: "comments after a bad line", format: func(f *Format) { f.Comment = "§" },
		pieces: []piece{{"\"a\n", "CSV_QUOTE", 6}, {text: "§\"b\n", is: "comment"}, {text: "c,d\n"}}},
	{name: "quotes are data", format: func(f *Format) { f.Quotes = false },
		pieces: good("a,\"b\n", "\"c\"d,\n", "e\"\r\n")},
	{name: "tabs", format: func(f *Format) { f.Delimiter = "\t" }, pieces: good("a\t\"b\n\"\n", "\"c\"\td")},
	{name: "a delimiter of two bytes", format: func(f *Format) { f.Delimiter = "§" },
		pieces: []piece{{text: "a§\"b\n\"\n"}, {text: "\"c\"§d\n"}, {"\"e\"\xc2x\n", "CSV_QUOTE", 3},
			{text: "f§\"g\"\n"}, {"\"h\"\xc2", "CSV_QUOTE", 3}}},
	{name: "a delimiter of two characters", format: func(f *Format) { f.Delimiter = "::" },
		pieces: []piece{{text: "a::\"b\n\"\n"}, {text: "\"c\"::d\n"}, {"\"e\":x\n", "CSV_QUOTE", 3},
			{"f:\"g\"\n", "CSV_BARE_QUOTE", 2}, {"\"h\":", "CSV_QUOTE", 3}}},
	{name: "blanks", format: whitespace, pieces: []piece{{text: "a  b\n"}, {text: " \t \r\n", is: "blank"},
		{text: "\n", is: "blank"}, {text: "\t\"c\n\" d \n"},
		{"\"e\"f\n", "CSV_QUOTE", 3}, {text: "  \rg\n"}, {text: " \t", is: "blank"}}},
	{name: "blanks in one column", format: whitespace, oneColumn: true,
		pieces: []piece{{text: " \t     \r\n", is: "MISSING"}, {text: "     \n", is: "MISSING"}, {text: "      a\n"},
			{text: "      \r\n", is: "blank"}, {text: "\n", is: "blank"}, {text: "       ", is: "blank"}}},
	{name: "comments between blanks", format: func(f *Format) { f.Comment = "#"; whitespace(f) },
		pieces: []piece{{text: "# x\n", is: "comment"}, {text: "  # x\n"}, {text: "  \n", is: "blank"},
			{text: "#", is: "comment"}}},
	{name: "(d) more blanks than a record has bytes", format: func(f *Format) { f.MaxRecord = 8; whitespace(f) },
		pieces: []piece{{text: "       \n", is: "blank"}, {"        \n", "LIMIT_RECORD", 8},
			{"        a\n", "LIMIT_RECORD", 8}, {text: "      a\n"}, {text: "        ", is: "blank"}}},
	{name: "(d) more blanks than a record has bytes at the end",
		format: func(f *Format) { f.MaxRecord = 8; whitespace(f) }, pieces: []piece{{"          ", "LIMIT_RECORD", 8}}},
	{name: "the rest of a line", format: func(f *Format) { f.Quotes, f.Rest, f.Unquoted = false, true, true },
		pieces: good("a,b,\"c\n", "a,b,\n", "a,b,c,\"d\"\r\n")},
}

func whitespace(f *Format) { f.Delimiter = Whitespace }

func TestRowsOfChunks(t *testing.T) {
	for _, c := range cutCases {
		t.Run(c.name, func(t *testing.T) {
			f := plain
			if c.format != nil {
				c.format(&f)
			}
			var data []byte
			var want []cut
			for _, p := range c.pieces {
				w := cut{at: len(data), n: len(p.text), code: p.is, col: p.at}
				switch p.is {
				case "blank":
					w.kind, w.code = table.Blank, ""
				case "comment":
					w.kind, w.code = table.Comment, ""
				}
				want = append(want, w)
				data = append(data, p.text...)
			}
			if got := cutWhole(f, data, 0, c.oneColumn); !slices.Equal(got, want) {
				t.Fatalf("complete window:\n got %v\nwant %v", got, want)
			}
			sameRows(t, f, data, 0, c.oneColumn, []int{1})
		})
	}
}

// sameRows compares all other ways to cut data with the serial cutter that has all data in its
// window. It also compares the scanner's errors.
func sameRows(t testing.TB, f Format, data []byte, first int, oneColumn bool, sizes []int) {
	t.Helper()
	want := cutWhole(f, data, first, oneColumn)
	for _, step := range []int{1, 3, 1000} {
		if got := cutStream(t, f, data, first, step, oneColumn, nil); !slices.Equal(got, want) {
			t.Fatalf("%q\nwindow + %d:\n got %v\nwant %v", data, step, got, want)
		}
		if got := cutStream(t, f, data, first, step, oneColumn, overwrite); !slices.Equal(got, want) {
			t.Fatalf("%q\nwindow + %d, where what was read is read again:\n got %v\nwant %v", data, step, got, want)
		}
	}
	var rows []int
	blank := 0
	for _, c := range want {
		switch c.kind {
		case table.Row:
			rows = append(rows, c.at)
		case table.Blank:
			blank++
		}
	}
	for _, sizes := range [][]int{sizes, {1}, {2, 5}, {7}, {len(data) + 1}} {
		got, r := cutChunks(f, data, first, oneColumn, sizes...)
		if !slices.Equal(got, rows) || r.Found != len(rows) || r.Blank != blank {
			t.Fatalf("%q\nchunks of %v:\n got %v %+v\nwant %v, %d blank", data, sizes, got, r, rows, blank)
		}
	}
	sameErrors(t, f, data, want, oneColumn)
}

// overwrite changes the bytes that a cutter has read of a window before it asks for a longer
// window. A cutter that reads them again, which takes quadratic time, then has other results. It
// keeps the bytes that a cutter needs: the first, by which it knows blank lines and comments, the
// last, with part of a delimiter or a closing quote, and the LFs at which invalid records end.
func overwrite(window []byte) {
	const begin, end = utf8.UTFMax, utf8.UTFMax + 1
	for i := begin; i < len(window)-end; i++ {
		if window[i] != '\n' {
			window[i] = '"'
		}
	}
}

// sameErrors compares the scanner's errors with the errors of the cutter, which does not parse
// cells.
func sameErrors(t testing.TB, f Format, data []byte, cuts []cut, oneColumn bool) {
	t.Helper()
	s := f.NewScanner()
	columns := 3
	if oneColumn {
		columns = 1
	}
	vals := make([]schema.Value, columns)
	for _, c := range cuts {
		if c.kind != table.Row {
			continue
		}
		n, err := s.Scan(data[c.at:], allCells(columns), vals, 0)
		got := cut{at: c.at, n: n}
		if err != nil {
			bad := err.(*schema.RowError)
			got = newCut(c.at, n, table.Row, bad)
			if bad.Code == "CSV_RAGGED" || bad.Code == "CSV_CTRL_Z" {
				got.code, got.col = "", 0
			}
			if bad.Code == "CSV_BARE_QUOTE" && c.code == "" && (f.Unquoted || f.Delimiter == "::") {
				got.code, got.col = "", 0 // the cutter does not see cells, or that `:::` is a delimiter and a colon
			}
		}
		if got != c {
			t.Fatalf("%q\nscanner: %v, cutter: %v", data, got, c)
		}
	}
}

// One wrong quote costs only its line, in any position.
func TestWrongQuoteCostsOneLine(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("%d,\"a, %d\",x\n", i, i))
	}
	for _, bad := range []string{"7,\"a\n", "7,a\"b,x\n", "7,\"a\"b,x\n", "\"\n"} {
		for _, k := range []int{0, 77, 199} {
			all := slices.Clone(lines)
			all[k] = bad
			data := []byte(strings.Join(all, ""))
			starts, _ := cutChunks(plain, data, 0, false, 97)
			if len(starts) != 200 {
				t.Errorf("%q in line %d: %d rows, want 200", bad, k, len(starts))
			}
			sameRows(t, plain, data, 0, false, []int{64})
		}
	}
}
