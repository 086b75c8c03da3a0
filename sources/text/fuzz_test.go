package text_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// oracle returns the rows of data by bufio.ScanLines, without error messages: an invalid row is its
// code.
func oracle(data []byte, skipBlank bool) (rows []string, blank int) {
	s := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	long := false
	s.Split(func(rest []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(rest, atEOF)
		end := bytes.IndexByte(rest[:n], '\n') // of the line with its CR, which counts for the limit
		if end < 0 {
			end = n
		}
		long = end > limit
		return n, line, err
	})
	for s.Scan() {
		line := s.Text()
		switch {
		case long:
			rows = append(rows, "LIMIT_RECORD")
		case skipBlank && strings.Trim(line, "\r") == "":
			blank++
		case !utf8.ValidString(line):
			rows = append(rows, "UTF8_INVALID")
		default:
			rows = append(rows, fmt.Sprintf("%q", line))
		}
	}
	return rows, blank
}

// found returns the rows of the first file, found in steps and read in place.
func found(t *testing.T, in input.Input, step int) (rows []string, blank int) {
	search, err := in.Find(step)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	for i := range search.Steps() {
		search.Step(i)
	}
	n := search.Finish(0)
	layout, err := in.Bind([]input.Bound{{Name: "text"}})
	if err != nil {
		t.Fatal(err)
	}
	s, vals := layout(input.NewObservations(), false), make([]schema.Value, 1)
	for _, c := range search.Chunks() {
		for i := range c.Starts {
			_, err := s.Scan(0, 0, in.(input.Texter).Contents()[0][c.Offset+int64(c.Start(i)):], vals)
			if bad, ok := err.(*schema.RowError); ok {
				rows = append(rows, bad.Code)
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, fmt.Sprintf("%q", vals[0].Text))
		}
	}
	if len(rows) != n.Rows {
		t.Errorf("%d rows, counted as %d", len(rows), n.Rows)
	}
	return rows, n.Blank
}

// FuzzText compares rows, found in both ways, with bufio.Scanner.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "a\nb", "\xef\xbb\xbfa\r\n\n\r\nb\r\r\n", "é\xff\n\r",
		"0123456789abcdef\n0123456789abcdef\r\n0123456789abcdefg"} {
		f.Add([]byte(text), uint8(0), false)
		f.Add([]byte(text), uint8(3), true)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, step uint8, skipBlank bool) {
		if err := os.WriteFile(filepath.Join(dir, "t.txt"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := open(t, dir, options(skipBlank))
		if err != nil {
			isUTF16 := bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\xff\xfe"))
			if bytes.IndexByte(data, 0) < 0 && !isUTF16 && !compressed(data) {
				t.Errorf("refused: %v", err)
			}
			return
		}
		if compressed(data) {
			return
		}
		want, wantBlank := oracle(data, skipBlank)
		got, blank := lines(t, in)
		for i, row := range got { // without the place
			if _, code, bad := strings.Cut(row, " "); bad && row[0] != '"' {
				got[i] = code
			}
		}
		if !slices.Equal(got, want) || blank != wantBlank {
			t.Errorf("rows %q, %d blank; want %q, %d", got, blank, want, wantBlank)
		}
		if in, err = open(t, dir, options(skipBlank)); err != nil {
			t.Fatal(err)
		}
		if got, blank := found(t, in, int(step)+1); !slices.Equal(got, want) || blank != wantBlank {
			t.Errorf("found in steps of %d: %q, %d blank; want %q, %d", int(step)+1, got, blank, want, wantBlank)
		}
	})
}

// compressed reports whether data begins as a compressed file does.
func compressed(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		bytes.HasPrefix(data, []byte("BZh"))
}
