package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"io"
	"slices"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/schema"
)

// seed adds the files of the corpus and some of each rule.
func seed(f *testing.F, add func(data []byte)) {
	for _, data := range archive(f, "go-fuzz-corpus-csv.tar.gz") {
		if len(data) < 4<<10 {
			add(data)
		}
	}
	for _, c := range cutCases {
		data := []byte(bom)
		for _, p := range c.pieces {
			data = append(data, p.text...)
		}
		add(data)
		add(data[len(bom):])
	}
}

// fuzzFormat makes a format of an arbitrary number.
func fuzzFormat(x uint16) Format {
	f := plain
	f.Delimiter = []string{",", ";", "\t", "§", "|", "\u2028"}[int(x&7)%6]
	f.Quotes = x&8 == 0
	if x&16 != 0 {
		f.Comment = []string{"#", "é"}[x>>5&1]
	}
	f.Trim = x&64 != 0
	f.MaxRecord = []int{0, 1, 2, 7, 30, 100, 0, 0}[x>>7&7]
	return f
}

// FuzzCut compares chunks and windows of any size with the serial cutter that has the complete file
// in its window.
func FuzzCut(f *testing.F) {
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
		first := 0
		if hasPrefix(data, bom) {
			first = len(bom)
		}
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
		checkScan(t, format, data[at:], n, err, vals, head.Names)
		rows = append(rows, plainTexts(vals))
	}
	if !failed && format.MaxRecord == 0 && format.Comment == "" && !format.Trim && format.Quotes && len(format.Delimiter) == 1 {
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

// checkScan compares a scan that uses the file's flags with two scans that check everything, one of
// them on the other path through the scanner. It also checks the offsets of the cells.
func checkScan(t *testing.T, f Format, data []byte, n int, err error, vals []schema.Value, names []string) {
	t.Helper()
	for _, generic := range []bool{false, true} {
		s := f.NewScanner()
		s.multibyte = s.multibyte || generic
		again := make([]schema.Value, len(vals))
		n2, err2 := s.Scan(data, allCells(len(vals)), again, CheckAll)
		if n != n2 || (err == nil) != (err2 == nil) || err != nil && *err.(*schema.RowError) != *err2.(*schema.RowError) {
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
	r := stdcsv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte(bom))))
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
