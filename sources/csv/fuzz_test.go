package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// seed adds the files of the corpus and some of each rule.
func seed(f *testing.F, add func(data []byte)) {
	for _, data := range archive(f, "go-fuzz-corpus-csv.tar.gz") {
		if len(data) < 4<<10 {
			add(data)
		}
	}
	for _, c := range cutCases {
		data := []byte(lines.BOM)
		for _, p := range c.pieces {
			data = append(data, p.text...)
		}
		add(data)
		add(data[len(lines.BOM):])
	}
}

// fuzzFormat makes a format of an arbitrary number.
func fuzzFormat(x uint16) Format {
	f := plain
	f.Delimiter = []string{",", ";", "\t", "§", "|", "\u2028", "::", Whitespace}[x&7]
	f.Quotes = x&8 == 0
	if x&16 != 0 {
		f.Comment = []string{"#", "é"}[x>>5&1]
	}
	f.Trim = x&64 != 0
	f.MaxRecord = []int{0, 1, 2, 7, 30, 100, 0, 0}[x>>7&7]
	if x&(1<<10) != 0 {
		f.Rest, f.Unquoted, f.Quotes = true, f.Quotes, false
	}
	return f
}

// FuzzCut compares chunks and windows of any size with the serial cutter that has the complete file
// in its window.
func FuzzCut(f *testing.F) {
	f.Add([]byte(" \t"), uint16(1<<7|7), uint8(3), uint8(3), true) // more blanks than a record may have
	i := uint16(0)
	seed(f, func(data []byte) {
		f.Add(data, uint16(0), uint8(1), uint8(3), false)
		f.Add(data, i*64, uint8(i), uint8(i>>3), i&1 == 0)
		i += 13
	})
	f.Fuzz(func(t *testing.T, data []byte, format uint16, a, b uint8, oneColumn bool) {
		if len(data) > 4<<10 {
			return
		}
		first := lines.First(data)
		cost.Within(t, len(data), func() {
			sameRows(t, fuzzFormat(format), data, first, oneColumn, []int{1 + int(a), 1 + int(b)})
		})
	})
}

// FuzzScan scans each record of a file in all ways that must have the same results, and compares
// valid files with encoding/csv.
func FuzzScan(f *testing.F) {
	i := uint16(0)
	seed(f, func(data []byte) {
		f.Add(data, uint16(0))
		f.Add(data, i*64+i)
		f.Add(bytes.ReplaceAll(data, []byte(","), []byte(" \t")), uint16(7)|i&1*8|i&2<<9)
		f.Add(bytes.ReplaceAll(data, []byte(","), []byte("::")), uint16(6)|i&1*8|i&2<<9)
		i += 7
	})
	f.Fuzz(func(t *testing.T, data []byte, x uint16) {
		if len(data) > 64<<10 {
			return
		}
		cost.Within(t, len(data), func() { scanAll(t, fuzzFormat(x), data, 1+int(x>>8)) })
	})
}

// scanAll scans all records of a file, which is cut into chunks.
func scanAll(t *testing.T, format Format, data []byte, chunk int) {
	head, bad, more := format.Start(data, true)
	if bad != nil || more {
		return
	}
	columns := len(head.Names)
	s := format.NewScanner()
	starts, found := cutChunks(format, data, head.First, columns == 1, chunk)
	rows := [][]string{head.Names}
	failed := false
	for _, at := range starts {
		vals := make([]schema.Value, columns)
		n, err := s.Scan(data[at:], allCells(columns), vals, found.Check)
		failed = failed || err != nil
		checkCells(t, format, data[at:at+n], columns, texts(vals), err)
		checkScan(t, format, data[at:], n, err, vals, head.Names)
		rows = append(rows, plainTexts(vals))
	}
	if !failed && format.MaxRecord == 0 && format.Comment == "" && !format.Trim && format.Quotes &&
		len(format.Delimiter) == 1 {
		sameAsStandard(t, format, data, rows)
	}
}

func plainTexts(vals []schema.Value) []string {
	var out []string
	for _, v := range vals {
		out = append(out, string(v.Text))
	}
	return out
}

// checkCells compares a scan with plainCells. Both must accept a record, or both reject it, unless
// the error is about other things than cells.
func checkCells(t *testing.T, f Format, rec []byte, columns int, got []string, err error) {
	t.Helper()
	want, ok := plainCells(f, string(rec), columns)
	ok = ok && len(want) == columns
	if err == nil && (!ok || !slices.Equal(got, want)) {
		t.Fatalf("%+v %q: %q; expected %q", f, rec, got, want)
	}
	if err != nil && ok {
		switch code := err.(*schema.RowError).Code; code {
		case "CSV_RAGGED", "CSV_QUOTE", "CSV_BARE_QUOTE", "CSV_UNTERMINATED_QUOTE":
			t.Fatalf("%+v %q: %v; expected %q", f, rec, err, want)
		}
	}
}

// plainCells splits a record into cells with functions of package strings.
func plainCells(f Format, rec string, columns int) (cells []string, ok bool) {
	if line, ends := strings.CutSuffix(rec, "\n"); ends {
		rec = strings.TrimSuffix(line, "\r")
	}
	const blank = " \t"
	separate := func(s string) (cell, rest string, found bool) {
		if f.Delimiter != Whitespace {
			return strings.Cut(s, f.Delimiter)
		}
		i := strings.IndexAny(s, blank)
		if i < 0 {
			return s, "", false
		}
		return s[:i], strings.TrimLeft(s[i:], blank), true
	}
	if f.Delimiter == Whitespace {
		if rec = strings.Trim(rec, blank); rec == "" {
			return nil, true
		}
	}
	for more := true; more; {
		cell := ""
		switch {
		case f.Rest && len(cells) == columns-1:
			cell, rec, more = rec, "", false
		case f.Quotes && strings.HasPrefix(rec, `"`):
			end := strings.IndexByte(strings.ReplaceAll(rec[1:], `""`, "xx"), '"')
			if end < 0 {
				return nil, false
			}
			cell, rec = strings.ReplaceAll(rec[1:1+end], `""`, `"`), rec[1+end+1:]
			between, rest, found := separate(rec)
			if between != "" {
				return nil, false
			}
			cells, rec, more = append(cells, cell), rest, found
			continue
		default:
			cell, rec, more = separate(rec)
			if strings.Contains(cell, `"`) && (f.Quotes || f.Unquoted) {
				return nil, false
			}
		}
		if f.Trim {
			cell = strings.Trim(cell, blank)
		}
		if cell == "" {
			cell = "<missing>"
		}
		cells = append(cells, cell)
	}
	return cells, true
}

// checkScan compares a scan that uses the file's flags with two scans that check everything, one of
// them on the other path through the scanner. It also checks the offsets of the cells.
func checkScan(t *testing.T, f Format, data []byte, n int, err error, vals []schema.Value, names []string) {
	t.Helper()
	for _, generic := range []bool{false, true} {
		s := f.NewScanner()
		s.useMasks = s.useMasks && !generic
		again := make([]schema.Value, len(vals))
		n2, err2 := s.Scan(data, allCells(len(vals)), again, CheckAll)
		if n != n2 || (err == nil) != (err2 == nil) ||
			err != nil && *err.(*schema.RowError) != *err2.(*schema.RowError) {
			t.Fatalf("%q: %d, %v; generic=%v and all checks: %d, %v", data, n, err, generic, n2, err2)
		}
		if err == nil && !slices.Equal(texts(vals), texts(again)) {
			t.Fatalf("%q: %q; generic=%v: %q", data, texts(vals), generic, texts(again))
		}
	}
	if n <= 0 || n > len(data) {
		t.Fatalf("%q: length %d", data, n)
	}
	if err != nil {
		if at := err.(*schema.RowError).At; at < 0 || at > len(data) {
			t.Fatalf("%q: error at %d", data, at)
		}
		return
	}
	for _, v := range vals {
		at := int(v.At)
		if at > n || v.Kind == schema.Text && !bytes.HasPrefix(data[at:], v.Text) && data[at] != '"' {
			t.Fatalf("%q: %q is not at %d", data, v.Text, at)
		}
	}
}

// sameAsStandard compares the rows of a file without errors with encoding/csv, which must accept
// the file. That package drops CR before LF within quotes and blank lines, and treats a record of
// one empty cell as blank.
func sameAsStandard(t *testing.T, f Format, data []byte, rows [][]string) {
	t.Helper()
	r := stdcsv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte(lines.BOM))))
	r.Comma = rune(f.Delimiter[0])
	r.ReuseRecord = true
	for i := 0; ; i++ {
		want, err := r.Read()
		if err == io.EOF {
			if i != len(rows) {
				t.Fatalf("%q: %d rows, encoding/csv has %d", data, len(rows), i)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: encoding/csv: %v", data, err)
		}
		if i >= len(rows) {
			t.Fatalf("%q: encoding/csv has another row %q", data, want)
		}
		for k := range rows[i] {
			got := rows[i][k]
			if got != want[k] && string(bytes.ReplaceAll([]byte(got), []byte("\r\n"), []byte("\n"))) != want[k] {
				t.Fatalf("%q: row %d: %q, encoding/csv: %q", data, i, rows[i], want)
			}
		}
	}
}
