package csv

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
)

// TestSpectrum reads the twelve files of csv-spectrum and compares them with their JSON. One file
// has quotes in an unquoted cell, which is an error unless quotes are data. Its JSON is not in a
// list and has another telephone number. In the archive the files with CRLF have lost their CRs.
func TestSpectrum(t *testing.T) {
	files := archive(t, "csv-spectrum.tar.gz")
	seen := 0
	for name, data := range files {
		if path.Ext(name) != ".csv" {
			continue
		}
		seen++
		base := strings.TrimSuffix(path.Base(name), ".csv")
		t.Run(base, func(t *testing.T) {
			text := string(files["csv-spectrum/json/"+base+".json"])
			f := plain
			if strings.HasSuffix(base, "_crlf") {
				data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
			}
			if base == "location_coordinates" {
				if _, _, bad := readFile(t, f, data); len(bad) != 1 || bad[0].Code != "CSV_BARE_QUOTE" ||
					bad[0].Hint != "quotes: none" {
					t.Errorf("%v, want CSV_BARE_QUOTE with the hint", bad)
				}
				f.Quotes = false
				text = "[" + strings.Replace(text, "1234567890", "2095257564", 1) + "]"
			}
			var want []map[string]string
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			names, rows, bad := readFile(t, f, data)
			if len(bad) > 0 || len(rows) != len(want) {
				t.Fatalf("%d rows, bad ones %v; want %d", len(rows), bad, len(want))
			}
			for i, row := range rows {
				for k, cell := range row {
					if cell != want[i][names[k]] {
						t.Errorf("row %d, %s: %q, want %q", i, names[k], cell, want[i][names[k]])
					}
				}
			}
		})
	}
	if seen != 12 {
		t.Errorf("%d files, want 12", seen)
	}
}

// TestNaughtyStrings writes strings as cells, quoted, and reads them back.
func TestNaughtyStrings(t *testing.T) {
	var naughty []string
	if err := json.Unmarshal(archive(t, "big-list-of-naughty-strings.tar.gz")["big-list-of-naughty-strings/blns.json"],
		&naughty); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"\n", "\r\n"} {
		var b bytes.Buffer
		b.WriteString("n,text,x" + end)
		for _, s := range naughty {
			b.WriteString("1,\"" + strings.ReplaceAll(s, `"`, `""`) + "\"," + end)
		}
		_, rows, bad := readFile(t, plain, b.Bytes())
		if len(bad) > 0 || len(rows) != len(naughty) {
			t.Fatalf("%d rows, bad ones %v; want %d", len(rows), bad, len(naughty))
		}
		for i, s := range naughty {
			if rows[i][1] != s {
				t.Errorf("%q, want %q", rows[i][1], s)
			}
		}
	}
}

// TestUTF8 has a row for each line of utf8tests. Exactly the lines that utf8tests calls invalid are
// invalid rows, for all sizes of chunks.
func TestUTF8(t *testing.T) {
	var in bytes.Buffer
	var invalid []string
	in.WriteString("text,x\n")
	lines := 0
	for line := range bytes.Lines(archive(t, "utf8tests.tar.gz")["utf8tests/utf8tests.bin"]) {
		number, rest, _ := bytes.Cut(bytes.TrimRight(line, "\n"), []byte(":"))
		kind, text, _ := bytes.Cut(rest, []byte(":"))
		if len(text) == 0 || bytes.ContainsAny(text, "\",\r") || bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		lines++
		in.Write(text)
		in.WriteString("," + string(number) + "\n")
		if string(kind) != "valid" {
			invalid = append(invalid, string(number))
		}
	}
	data := in.Bytes()
	if lines < 100 || len(invalid) < 50 {
		t.Fatalf("%d lines, %d invalid ones", lines, len(invalid))
	}
	for _, size := range []int{1, 2, 3, 5, len(data)} {
		starts, found := cutChunks(plain, data, len("text,x\n"), false, size)
		if len(starts) != lines || found.Check != CheckUTF8 {
			t.Fatalf("chunks of %d: %d rows, want %d; flags %b", size, len(starts), lines, found.Check)
		}
		s := plain.NewScanner()
		var got []string
		vals := make([]schema.Value, 2)
		for _, at := range starts {
			_, err := s.Scan(data[at:], allCells(2), vals, found.Check)
			if err == nil {
				continue
			}
			if code := err.(*schema.RowError).Code; code != "UTF8_INVALID" || s.Cell != 0 {
				t.Errorf("%v in cell %d", err, s.Cell)
			}
			got = append(got, string(vals[1].Text))
		}
		if !slices.Equal(got, invalid) {
			t.Errorf("chunks of %d: invalid %v\nwant %v", size, got, invalid)
		}
	}
}

// TestUTF8AcrossChunks finds a cut character wherever a chunk ends in it.
func TestUTF8AcrossChunks(t *testing.T) {
	for in, want := range map[string]Check{
		"aé€\U0001f600b,ß\n":         0,
		"\U0001f600\U0001f600,x\n":   0,
		"a\xf0\x9f\x98,b\n":          CheckUTF8,
		"a\xf0\x9f\x98\x80\x80,b\n":  CheckUTF8,
		"\x80\x80\x80\x80\x80,b\n":   CheckUTF8,
		"a,b\n\xbf,c\n":              CheckUTF8,
		"a,\xf0\x9f\x98\x80\xe2\x82": CheckUTF8,
	} {
		for a := 1; a <= len(in); a++ {
			for b := 1; b <= len(in); b++ {
				if _, r := cutChunks(plain, []byte(in), 0, false, a, b); r.Check != want {
					t.Fatalf("%q in chunks of %d, %d: %b, want %b", in, a, b, r.Check, want)
				}
			}
		}
	}
}
