package csv

import (
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/lines"
)

func TestScan(t *testing.T) {
	for _, c := range []struct {
		name   string
		format func(*Format)
		in     string // what follows the record begins at ¦
		want   []string
	}{
		{"three cells", nil, "a,b,c\n¦d", []string{"a", "b", "c"}},
		{"CRLF is no data", nil, "a,b,\r\n¦d", []string{"a", "b", "<missing>"}},
		{"the end of the file", nil, "a,b,c¦", []string{"a", "b", "c"}},
		{"the end of the file after a delimiter", nil, "a,,¦", []string{"a", "<missing>", "<missing>"}},
		{"empty cells", nil, ",,\n¦,", []string{"<missing>", "<missing>", "<missing>"}},
		{"quoted and empty is text", nil, `"",a,""` + "\n¦", []string{"", "a", ""}},
		{"quoted at the end of the file", nil, `a,"b","c"¦`, []string{"a", "b", "c"}},
		{"quoted delimiters and line ends", nil, "\"a,b\",\"c\nd\",\"e\r\nf\"\r\n¦", []string{"a,b", "c\nd", "e\r\nf"}},
		{"doubled quotes", nil, `"""a""","b""""c",""""` + "\n¦", []string{`"a"`, `b""c`, `"`}},
		{"longer than eight bytes", nil, "abcdefghij,klmnopqrstuvwxyz0123456789,z\n¦",
			[]string{"abcdefghij", "klmnopqrstuvwxyz0123456789", "z"}},
		{"a lone CR is data here", nil, "a\rb,c\r,d\r\r\n¦", []string{"a\rb", "c\r", "d\r"}},
		{"a lone CR at the end of the file", nil, "a,b,c\r¦", []string{"a", "b", "c\r"}},
		{"bytes like the delimiter's with the highest bit", nil, "\xac\x8a\xa2,ä,€\n¦",
			[]string{"\xac\x8a\xa2", "ä", "€"}},
		{"spaces stay", nil, " a,b ,\t\n¦", []string{" a", "b ", "\t"}},
		{"trim", func(f *Format) { f.Trim = true }, " a\t,\" b \",  \r\n¦", []string{"a", " b ", "<missing>"}},
		{"trim inside stays", func(f *Format) {
			f.Trim = true
		}, "a b,\u00a0c,\td d\t\n¦", []string{"a b", "\u00a0c", "d d"}},
		{"quotes are data", func(f *Format) { f.Quotes = false }, "\"a,b\"c,\"\"\n¦", []string{`"a`, `b"c`, `""`}},
		{"tab", func(f *Format) { f.Delimiter = "\t" }, "a,b\t\"c\t\"\t\n¦", []string{"a,b", "c\t", "<missing>"}},
		{"two bytes", func(f *Format) { f.Delimiter = "§" }, "a\xc2b§\"c§\"\"\"§\r\n¦",
			[]string{"a\xc2b", "c§\"", "<missing>"}},
		{"two colons", func(f *Format) { f.Delimiter = "::" }, "a:b::\"c::\"\"\"::\r\n¦",
			[]string{"a:b", "c::\"", "<missing>"}},
		{"three colons are two and one", func(f *Format) { f.Delimiter = "::" }, "a:::b::c:\n¦",
			[]string{"a", ":b", "c:"}},
		{"runs of blanks", whitespace, " \ta  b\t \tc \t\r\n¦", []string{"a", "b", "c"}},
		{"blanks at the end of the file", whitespace, "a b c  ¦", []string{"a", "b", "c"}},
		{"quotes between blanks", whitespace, "  \"a b\" \"\"\t\"c\n\"\"\" \n¦", []string{"a b", "", "c\n\""}},
		{"other white space is data", whitespace, "a\u00a0b \v \f\n¦", []string{"a\u00a0b", "\v", "\f"}},
		{"the rest of the line", rest, "a,b,c,,\"d\", e \r\n¦", []string{"a", "b", "c,,\"d\", e "}},
		{"the rest is trimmed", func(f *Format) {
			rest(f)
			f.Trim = true
		}, " a ,b, c, d \n¦", []string{"a", "b", "c, d"}},
		{"the rest is missing", rest, "a,b,\n¦", []string{"a", "b", "<missing>"}},
		{"the rest after blanks", func(f *Format) { rest(f); whitespace(f) }, " a b  \"c\"  d\te \r\n¦",
			[]string{"a", "b", "\"c\"  d\te"}},
		{"the rest after two colons", func(f *Format) { rest(f); f.Delimiter = "::" }, "a::b:::c::d¦",
			[]string{"a", "b", ":c::d"}},
		{"the rest after quotes as data", func(f *Format) { rest(f); f.Unquoted = false }, "\"a,b\",\"c,d\n¦",
			[]string{"\"a", "b\"", "\"c,d"}},
		{"two bytes and quotes are data", func(f *Format) { f.Delimiter, f.Quotes = "§", false }, "\"a§b\"§c¦",
			[]string{"\"a", "b\"", "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := plain
			if c.format != nil {
				c.format(&f)
			}
			rec, rest, _ := strings.Cut(c.in, "¦")
			vals := make([]schema.Value, 3)
			n, err := f.NewScanner().Scan([]byte(rec+rest), allCells(3), vals, 0)
			if err != nil || n != len(rec) {
				t.Fatalf("length %d, %v; want %d", n, err, len(rec))
			}
			if got := texts(vals); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func rest(f *Format) { f.Quotes, f.Rest, f.Unquoted = false, true, true }

// The mark § is before the byte that is the offset of an error or of a value.
func TestScanOffsets(t *testing.T) {
	tiny := plain
	tiny.MaxRecord = 12
	spaced, colons, last := plain, plain, plain
	spaced.Delimiter, colons.Delimiter = Whitespace, "::"
	rest(&last)
	for _, c := range []struct {
		in, code, message string
		cell              int
		format            Format
	}{
		{"a,b,c,§d\n", "CSV_RAGGED", "4 cells, but the header has 3", -1, plain},
		{"\"x,\ny\",b,c,§d,e\r\n", "CSV_RAGGED", "5 cells, but the header has 3", -1, plain},
		{"a,b§\r\n", "CSV_RAGGED", "2 cells, but the header has 3", -1, plain},
		{" a  b \tc  §d e\n", "CSV_RAGGED", "5 cells, but the header has 3", -1, spaced},
		{" a  b \t§\n", "CSV_RAGGED", "2 cells, but the header has 3", -1, spaced},
		{" a  \"b\"§c\n", "CSV_QUOTE", "text after a closing quote; within quotes a quote is written twice", 1, spaced},
		{" a  b§\"\n", "CSV_BARE_QUOTE", "quote in a cell that does not begin with one", 1, spaced},
		{" a b \x01§\x00 \n", "CSV_NUL", "NUL byte", 2, spaced},
		{"a::b::c::§d\n", "CSV_RAGGED", "4 cells, but the header has 3", -1, colons},
		{"a:::§\"b\"::c::d\n", "CSV_BARE_QUOTE", "quote in a cell that does not begin with one", 1, colons},
		{"a,b§\n", "CSV_RAGGED", "2 cells, but the header has 3", -1, last},
		{"a,§\"b\",c,d\n", "CSV_BARE_QUOTE", "quote in a cell before the rest of the line", 1, last},
		{"a,b,c,d,§\x00\n", "CSV_NUL", "NUL byte", 2, last},
		{"abc§", "CSV_RAGGED", "1 cell, but the header has 3", -1, plain},
		{"a,b§\n", "CSV_RAGGED", "2 cells, but there are names for 3", -1, Format{Quotes: true}},
		{"a,b§\"c,d\n", "CSV_BARE_QUOTE", "quote in a cell that does not begin with one", 1, plain},
		{"\"a\n\", §\"b\",c\n", "CSV_BARE_QUOTE", "quote in a cell that does not begin with one", 1, plain},
		{"a,b,\"c\"§d\n", "CSV_QUOTE", "text after a closing quote; within quotes a quote is written twice", 2, plain},
		{"a,b,c,\"d\"§e\n", "CSV_QUOTE", "text after a closing quote; within quotes a quote is written twice", -1,
			plain},
		{"a,§\"b,c\nd", "CSV_UNTERMINATED_QUOTE", "no quote closes the cell that this one opens", 1, plain},
		{"a,b,12345678§9\nx", "LIMIT_RECORD", "record of more than 12 bytes", -1, tiny},
		{"a,§\"bcdefghijklm\",c\n", "LIMIT_RECORD", "record of more than 12 bytes; no quote closes this cell before", 1,
			tiny},
		{"a,\"\n§\x00\",c\n", "CSV_NUL", "NUL byte", 1, plain},
		{"a,b§\rc,d\n", "CSV_LONE_CR", "CR without LF; records end with LF or CRLF", 1, plain},
		{"§\x1a", "CSV_CTRL_Z", "Ctrl-Z (byte 0x1a), which ends a text file in old programs and is not a cell", -1,
			plain},
		{"§\x1a\r\n", "CSV_CTRL_Z", "Ctrl-Z (byte 0x1a), which ends a text file in old programs and is not a cell", -1,
			plain},
		{"a,b\x1a§", "CSV_RAGGED", "2 cells, but the header has 3", -1, plain},
		{"a,\"\r\",d§\r", "CSV_LONE_CR", lines.CRAlone, 2, plain},
		{"a,b,c§\rd,e,f\rg", "CSV_LONE_CR", lines.CRAlone, 2, plain},
		{"a,\"b\",\"c\"§\r\"d\",e,f", "CSV_QUOTE", "text after a closing quote; within quotes a quote is written " +
			"twice; " + lines.CRAlone, 2, plain},
		{"a,b,\"c\"§\rd\n", "CSV_QUOTE", "text after a closing quote; within quotes a quote is written twice", 2,
			plain},
		{"a,b§\rc,d", "CSV_LONE_CR", lines.CRAlone, 1, plain},
		{"a,b§\rc,d,e", "CSV_LONE_CR", "CR without LF; records end with LF or CRLF", 1, plain},
		{"ä,b,caf§\xe9\n", "UTF8_INVALID", "byte 0xe9 is not UTF-8", 2, plain},
		{"a,b,§\xff\n", "ENCODING", "half of a surrogate pair; this is not UTF-16LE", 2,
			Format{Quotes: true, Encoding: charset.UTF16LE}},
		{"a,b,c§\xfe", "ENCODING", "the last character is cut in half; this is not UTF-16BE", 2,
			Format{Quotes: true, Encoding: charset.UTF16BE}},
	} {
		before, after, _ := strings.Cut(c.in, "§")
		s := c.format.NewScanner()
		_, err := s.Scan([]byte(before+after), allCells(3), make([]schema.Value, 3), CheckAll)
		bad, _ := err.(*schema.RowError)
		if bad == nil || bad.Code != c.code || bad.At != len(before) || bad.Message != c.message || s.Cell != c.cell {
			t.Errorf("%q: %+v, cell %d; want %s at %d, %q, cell %d", c.in, bad, s.Cell, c.code, len(before),
				c.message, c.cell)
		}
	}
}

func TestScanHints(t *testing.T) {
	small := plain
	small.MaxRecord = 3 << 20
	for _, c := range []struct {
		in, hint string
		format   Format
	}{
		{"caf\xe9,b\n", "encoding: latin-1", plain},
		{"\x83\x65\x83\x58,b\n", "", plain},
		{"5\",b\n", "quotes: none", plain},
		{"a,b\rc,d\r", lines.CRToLF, plain},
		{"a,\"b\"\rc,d\r", lines.CRToLF, plain},
		{"a,b\rc,d\r", lines.CRToLF, Format{Quotes: true, Encoding: charset.Latin1}},
		{"a,b\rc,d\r", "", Format{Quotes: true, Encoding: charset.UTF16BE}},
		{strings.Repeat("x", 4<<20) + ",b\n", "limits: {record: 6MiB}", small},
		{"a,\"" + strings.Repeat("x", 4<<20) + "\"\n", "", small},
	} {
		_, err := c.format.NewScanner().Scan([]byte(c.in), allCells(2), make([]schema.Value, 2), CheckAll)
		if bad := err.(*schema.RowError); bad.Hint != c.hint {
			t.Errorf("%.20q: hint %q, want %q", c.in, bad.Hint, c.hint)
		}
	}
}

func TestScanBlankLineOfOneColumn(t *testing.T) {
	for _, in := range []string{"\n", "\r\na\n"} {
		_, err := plain.NewScanner().Scan([]byte(in), []int32{-1}, nil, 0)
		if bad, _ := err.(*schema.RowError); bad == nil || bad.Code != "MISSING" {
			t.Errorf("%q: %v, want MISSING", in, err)
		}
	}
}

// Values are at the offset At and share memory with the input if possible.
func TestScanPointsIntoTheInput(t *testing.T) {
	data := []byte("ab, cd ,\"ef\",\"g\"\"h\",\n")
	f := plain
	f.Trim = true
	vals := make([]schema.Value, 5)
	if _, err := f.NewScanner().Scan(data, allCells(5), vals, 0); err != nil {
		t.Fatal(err)
	}
	for i, at := range []uint32{0, 4, 8, 13, 20} {
		if vals[i].At != at {
			t.Errorf("cell %d at %d, want %d", i, vals[i].At, at)
		}
	}
	for i, at := range []int{0, 4, 9} {
		if &vals[i].Text[0] != &data[at] {
			t.Errorf("cell %d is a copy", i)
		}
	}
	if string(vals[3].Text) != `g"h` {
		t.Errorf("%q", vals[3].Text)
	}
}

// Only the requested slots are written, in any order.
func TestScanWritesRequestedSlotsOnly(t *testing.T) {
	constant := schema.Value{Kind: schema.Text, Text: []byte("constant"), At: 9}
	vals := []schema.Value{{}, constant, {}}
	s := plain.NewScanner()
	if _, err := s.Scan([]byte("a,\"b\"\"\",c,\"d\"\"\"\n"), []int32{2, -1, -1, 0}, vals, CheckAll); err != nil {
		t.Fatal(err)
	}
	if got, want := texts(vals), []string{`d"`, "constant", "a"}; !slices.Equal(got, want) || vals[1].At != 9 {
		t.Errorf("%q, want %q", got, want)
	}
}

// The unescaped cells of a record stay valid when the scratch memory grows.
func TestUnescapedCellsStayValid(t *testing.T) {
	var rec []string
	for i := range 50 {
		rec = append(rec, `"`+strings.Repeat("x", i)+`""y"`)
	}
	vals := make([]schema.Value, 50)
	if _, err := plain.NewScanner().Scan([]byte(strings.Join(rec, ",")), allCells(50), vals, 0); err != nil {
		t.Fatal(err)
	}
	for i, v := range vals {
		if want := strings.Repeat("x", i) + `"y`; string(v.Text) != want {
			t.Fatalf("cell %d: %q, want %q", i, v.Text, want)
		}
	}
}

// Chunks set exactly the flags that a file needs: a file without errors sets none.
func TestChecks(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Check
	}{
		{"a,b\r\nc,ä\r\n", 0},
		{"a,\"b\r\n\"\n", 0},
		{"a\rb,c\n", CheckCR},
		{"a,b\r", CheckCR},
		{"a,b\r\r\n", CheckCR},
		{"a,b\n\x00,c\n", CheckNUL},
		{"a,\xe4\n", CheckUTF8},
		{"a,€", 0},
		{"a,\xe2\x82", CheckUTF8},
		{"\x80a,b\n", CheckUTF8},
		{"a\x80\x80\x80\x80\x80\x80\x80\x80,b\n", CheckUTF8},
		{"日本語,テスト,\U0001f600\r\n\"日本,\r\n\",x,\r\n", 0},
	} {
		for _, f := range []Format{plain, {Comment: "#"}, {}} {
			for size := 1; size <= len(c.in); size++ {
				if _, r := cutChunks(f, []byte(c.in), 0, false, size); r.Check != c.want {
					t.Fatalf("%q in chunks of %d: %b, want %b", c.in, size, r.Check, c.want)
				}
			}
		}
		if got := inspect([]byte(c.in), 0, len(c.in), CheckAll); got != c.want {
			t.Errorf("inspect(%q): %b, want %b", c.in, got, c.want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	data := trips(2000)
	h, _, _ := plain.Start(data, true)
	chunks := make([]Chunk, 4)
	cells, vals := allCells(len(h.Names)), make([]schema.Value, len(h.Names))
	s := plain.NewScanner()
	c := plain.NewCutter(false)
	for name, run := range map[string]func(){
		"Scan and Stitch": func() {
			quarter := (len(data)-h.First)/4 + 1
			for i := range chunks {
				lo := h.First + i*quarter
				plain.Scan(data, lo, min(lo+quarter, len(data)), &chunks[i])
			}
			if found, _, _ := plain.Stitch(data, h.First, false, chunks); found != 2000 {
				t.Fatalf("%d rows", found)
			}
		},
		"Scanner": func() {
			for at := h.First; at < len(data); {
				n, err := s.Scan(data[at:], cells, vals, CheckAll)
				if err != nil {
					t.Fatal(err)
				}
				at += n
			}
		},
		"Cutter": func() {
			for at := h.First; at < len(data); {
				n, _, _, _ := c.Next(data[at:], true)
				at += n
			}
		},
	} {
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s: %v allocations for 2,000 rows", name, n)
		}
	}
}
