package sources

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/sources/csv"
)

func TestTableFiles(t *testing.T) {
	dir := files(t, map[string]string{"in/b.csv": "x\n1\n", "in/a.csv.gz": "x\n2\n", "in/sub/c.csv": "x\n3\n", "d.csv": "x\n"})
	for _, tt := range []struct {
		spec Spec
		want string
	}{
		{csvSpec(dir, "in/*.csv*"), "a.csv.gz b.csv"},
		{csvSpec(dir, "in/**/*.csv*"), "a.csv.gz b.csv sub/c.csv"},
		{csvSpec(dir, "in/b.csv"), "b.csv"},
		{csvSpec(dir, "in/b.csv", "d.csv"), "d.csv in/b.csv"},
	} {
		s, err := Open(context.Background(), tt.spec, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(names(s.Files), " "); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.spec.Table.Files, got, tt.want)
		}
	}
	s, err := Open(context.Background(), csvSpec(dir, "in/*.gz"), 1)
	if err != nil || s.AddressName(0) != "a.csv" {
		t.Errorf("a compressed file's name in addresses: %v, %v", s, err)
	}
	outside := csvSpec(dir, "d.csv")
	outside.Table.Root = filepath.Join(dir, "in")
	for _, tt := range []struct {
		spec Spec
		want string
	}{
		{csvSpec(dir, "none.csv"), "none.csv: no such file or directory"},
		{csvSpec(dir, "none*.csv"), "none*.csv: no file fits the pattern"},
		{csvSpec(dir, "in"), "in: not a regular file"},
		{csvSpec(dir, "in/b.csv", "in/*.csv"), "b.csv: the same file stands twice in one source"},
		{outside, "d.csv: lies outside of "},
	} {
		_, err := Open(context.Background(), tt.spec, 1)
		wantError(t, err, tt.want)
	}
}

func TestHeads(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		column     string
		want       string
	}{
		{"columns by name", "x,y\n1,2\n", "y,x\n3,4\n", "y", "2 3"},
		{"one file lacks it", "x,y\n1,2\n", "x\n3\n", "y", `b.csv:1:1: no column "y"; found: x`},
		{"a near miss", "x,colour\n1,2\n", "x,colour\n", "color", `no column "color"; did you mean "colour"?; found: x, colour [SCHEMA_MISSING_COLUMN]`},
		{"nobody has it", "x,yy\n1,2\n", "x,yy\n", "y", `no column "y"; found: x, yy [SCHEMA_MISSING_COLUMN]`},
		{"doubled and wanted", "x,x\n1,2\n", "x\n3\n", "x", `a.csv:1:1: column "x" stands twice in the header, as cell 1 and 2 [CSV_DUP_HEADER]`},
		{"doubled and not wanted", "x,x,y\n1,2,3\n", "y\n4\n", "y", "3 4"},
		{"an empty name", "x,,\n1,2,3\n", "x\n4\n", "x", "1 4"},
		{"BOM", "\ufeffx\n1\n", "x\n2\n", "x", "1 2"},
		{"another delimiter", "x;y\n1;2\n", "x;y\n", "x", "looks `;`-separated"},
		{"another encoding", "x\x00\n\x001\x00\n\x00", "x\n", "x", "UTF-16LE"},
		{"JSON", `{"x": 1}`, "x\n", "x", "JSON"},
		{"CR alone", "x\r1\r", "x\n", "x", "a.csv:1:2: "},
		{"empty among others", "", "x\n1\n", "x", "1"},
		{"all empty", "", "\n\n", "x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := files(t, map[string]string{"a.csv": tt.a, "b.csv": tt.b})
			s, l, err := bind(csvSpec(dir, "*.csv"), tt.column)
			if err != nil {
				wantError(t, err, tt.want)
				return
			}
			if got := strings.Join(table(t, s, l, 1), " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestColumnsOfTheConfig(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "1,2\n"})
	spec := csvSpec(dir, "a.csv")
	spec.Table.Columns, spec.Table.Format.Header = []string{"x", "y"}, false
	s, l := mustBind(t, spec, "y", "x")
	wantRows(t, table(t, s, l, 2), "2|1")
	spec.Table.Format.Header = true // then they replace the header
	s, l = mustBind(t, spec, "y")
	wantRows(t, table(t, s, l, 1))
	spec.Table.Columns = []string{"x"}
	_, _, err := bind(spec, "x")
	wantError(t, err, "the header has 2 columns, but `columns` names 1")
}

// found lists where the rows of a file begin, with their first bytes.
func found(t *testing.T, s *Source, file int) (rows []string) {
	t.Helper()
	err := s.eachRow(file, func(rec *Record) error {
		rows = append(rows, fmt.Sprintf("%d:%d:%.4q", rec.Offset, rec.Line, rec.Raw))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestFinderFindsWhatRowsCuts(t *testing.T) {
	table := "\ufeffx,y\r\n1,\"a\nb\"\n\n2,b\n\"3,c\nd\"e,f\n4,\"\"\"\"\n\n5,e"
	lines := "{\"a\":1}\n \n{\"a\":\"x\"}\n\n{}"
	for _, spec := range []Spec{
		csvSpec(files(t, map[string]string{"t": table}), "t"),
		jsonlSpec(files(t, map[string]string{"t": lines}), "t"),
	} {
		s, _, err := bind(spec)
		if err != nil {
			t.Fatal(err)
		}
		data, err := s.Map(0)
		if err != nil {
			t.Fatal(err)
		}
		want, blank := []int(nil), 0
		rows, err := s.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := rows.Next(); err == nil; rec, err = rows.Next() {
			want = append(want, int(rec.Offset))
		}
		blank = rows.Blank
		rows.Close()
		for size := 1; size < len(data)+2; size++ {
			f := s.NewFinder(0, size)
			for i := range f.Chunks() {
				f.Find(i)
			}
			stats := f.Finish()
			var got []int
			for i := range f.Chunks() {
				for _, start := range f.Starts(i) {
					got = append(got, f.Offset(i)+int(start))
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || stats.Rows != len(want) || stats.Blank != blank {
				t.Fatalf("%v, chunks of %d: rows at %v, %+v; want %v, %d blank", spec.Kind, size, got, stats, want, blank)
			}
		}
		if err := s.Unmap(0); err != nil || s.Data(0) != nil {
			t.Errorf("Unmap: %v", err)
		}
	}
}

func TestCompressedAndEncodedTables(t *testing.T) {
	text := "x,y\n1,ä€\n2,😀b\n3,c\n"
	dir := files(t, map[string]string{"plain.csv": text})
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(text))
	w.Close()
	put(t, filepath.Join(dir, "gz.csv"), z.String()) // by content, whatever the name
	for _, tool := range []string{"bzip2", "zstd"} {
		cmd := exec.Command(tool, "-c", filepath.Join(dir, "plain.csv"))
		if out, err := cmd.Output(); err == nil {
			put(t, filepath.Join(dir, tool+".csv"), string(out))
		} else {
			t.Logf("%s is not on this machine: %v", tool, err)
		}
	}
	s, l := mustBind(t, csvSpec(dir, "plain.csv"), "x", "y")
	want, places := table(t, s, l, 2), found(t, s, 0)
	matches, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
	for _, m := range matches {
		s, l := mustBind(t, csvSpec(dir, filepath.Base(m)), "x", "y")
		wantRows(t, table(t, s, l, 2), want...)
		wantRows(t, found(t, s, 0), places...)
		if s.MustPart(0) != (filepath.Base(m) != "plain.csv") {
			t.Errorf("%s: MustPart is %t", m, s.MustPart(0))
		}
	}
	for e, encode := range map[csv.Encoding]func(string) string{csv.UTF16LE: utf16le, csv.Latin1: func(s string) string { return "x,y\n1,\xe4\n" }} {
		put(t, filepath.Join(dir, "enc"), encode(text))
		spec := csvSpec(dir, "enc")
		spec.Table.Format.Encoding = e
		s, l := mustBind(t, spec, "x", "y")
		rows := table(t, s, l, 2)
		if e == csv.UTF16LE {
			wantRows(t, rows, want...)
			wantRows(t, found(t, s, 0), `10:2:"1,ä€"`, `20:3:"2,😀b"`, `32:4:"3,c\n"`)
		} else {
			wantRows(t, rows, "1|ä")
		}
	}
}

func utf16le(s string) string {
	b := []byte{0xff, 0xfe}
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			for _, u := range []rune{0xd800 + r>>10, 0xdc00 + r&0x3ff} {
				b = append(b, byte(u), byte(u>>8))
			}
			continue
		}
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

func TestCutShortGzip(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	fmt.Fprint(w, "x\n", strings.Repeat("1234567\n", 100_000))
	w.Close()
	dir := files(t, map[string]string{"t.gz": z.String()[:z.Len()-9]})
	s, _ := mustBind(t, csvSpec(dir, "t.gz"), "x")
	err := s.eachRow(0, func(*Record) error { return nil })
	var input *InputError
	if !errors.As(err, &input) {
		t.Fatalf("got %v", err)
	}
	wantError(t, err, "t.gz: decompressing gzip: the file is cut short")
}

func TestLongRecordsAreNotHeld(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	for name, spec := range map[string]Spec{
		"csv":   csvSpec(files(t, map[string]string{"t": "a\n" + long + "\n1\n"}), "t"),
		"jsonl": jsonlSpec(files(t, map[string]string{"t": `{"a":"` + long + "\"}\n{\"a\":1}\n"}), "t"),
	} {
		s, l := mustBind(t, spec, "a")
		wantRows(t, table(t, s, l, 1), "LIMIT_RECORD", "1")
		rows, err := s.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, err = rows.Next(); err == nil; _, err = rows.Next() {
		}
		if cap(rows.buf) > 4<<20 {
			t.Errorf("%s: the window grew to %d bytes", name, cap(rows.buf))
		}
		rows.Close()
	}
}

func TestSeek(t *testing.T) {
	dir := files(t, map[string]string{"t": "a\n1\n\"x\ny\"\n3\n"})
	s, _ := mustBind(t, csvSpec(dir, "t"), "a")
	rows, err := s.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := rows.Seek(context.Background(), 10)
	if err != nil || string(rec.Raw) != "3\n" || rec.Line != 5 {
		t.Errorf("%+v, %v", rec, err)
	}
	if _, err := rows.Seek(context.Background(), 100); !errors.Is(err, ErrChanged) {
		t.Errorf("a row that is not there: %v", err)
	}
	rows.Close()
	if err := os.Truncate(filepath.Join(dir, "t"), 3); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Map(0); !errors.Is(err, ErrChanged) {
		t.Errorf("a file cut short: %v", err)
	}
}
