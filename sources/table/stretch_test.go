package table_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sources/csv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/sources/text"
)

// A foundRow is a row as a test compares it.
type foundRow struct {
	offset    int64
	text, bad string
}

// cutRows returns the rows of a file as returned by Rows, and the number of blank lines.
func cutRows(t *testing.T, in input.Input) (list []foundRow, blank int) {
	t.Helper()
	rows, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			return list, rows.Blank()
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, foundRow{rec.Offset, string(rec.Raw), rec.BadCode()})
	}
}

type stretcher interface {
	Stretches(file int) (*table.Stretches, error)
	Cuts(file int) bool
}

// stretchRows returns the rows that begin in from … to-1, in stretches of size bytes. known says
// whether a row is known to begin at from.
func stretchRows(t *testing.T, in input.Input, from, to, size int64, known bool) (list []foundRow, blank int) {
	t.Helper()
	s, err := in.(stretcher).Stretches(0)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	defer s.Close()
	next := from
	if !known {
		next = -1
	}
	var st table.Stretch
	for lo := from; lo < to; lo += size {
		if err := st.Find(s, lo, min(lo+size, to)); err != nil {
			t.Fatal(err)
		}
		if next, err = st.FindRows(next); err != nil {
			t.Fatal(err)
		}
		blank += st.Blank
		for i := range st.Rows {
			row := foundRow{offset: st.Offset(i), text: string(st.Text(i))}
			if st.Rows[i].Bad != nil {
				row.bad = st.Rows[i].Bad.Code
			}
			list = append(list, row)
		}
	}
	return list, blank
}

// same compares rows. Blank lines may follow the text of a row, and the text of an invalid row may
// be truncated.
func same(got, want []foundRow) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		w := want[i]
		more, ok := strings.CutPrefix(g.text, w.text)
		if g.offset != w.offset || g.bad != w.bad || g.bad == "" && (!ok || strings.Trim(more, "\r\n \t") != "") {
			return false
		}
	}
	return true
}

// differ describes the first difference.
func differ(got, want []foundRow) string {
	i := 0
	for i < min(len(got), len(want)) && same(got[i:i+1], want[i:i+1]) {
		i++
	}
	return fmt.Sprintf("row %d of %d: %.300q; want %d: %.300q", i, len(got), fmt.Sprint(got[i:]), len(want),
		fmt.Sprint(want[i:]))
}

// tokens are the parts of random files.
var tokens = map[string][]string{
	"csv": {"a", "b", ",", ",", "\n", "\n", "\r\n", "\"", "\"", "\"\"", "\",\"", "\n\n", "\r", "\xff",
		"ä", "wide"},
	"good csv":  {"a,b\n", "\"x\",\"y\"\r\n", "\"p\nq\",\"r\"\"\"\n", "\n", "\r\n", "\"\",ä\n"},
	"no quotes": {"a", "b", ",", "\"", "\n", "\r\n", "\n\n", "ä"},
	"jsonl":     {"{}\n", "{\"a\":1}", "\n", " \n", "\t\r\n", "x", "ä", "\xff"},
	"text":      {"a", "bc", "\n", "\r\n", "\n\n", "ä"},
}

func stretched(kind string) input.Options {
	plain := csvOf("t")
	plain.Quotes = "none"
	return map[string]input.Options{
		"csv": csvOf("t"), "good csv": csvOf("t"), "no quotes": plain, "jsonl": jsonlOf("t"),
		"text": &text.Options{Files: patterns([]string{"t"}), SkipBlank: true},
	}[kind]
}

// TestStretchesMatchRows finds the rows of random files in stretches, with invalid rows and rows
// that are too long.
func TestStretchesMatchRows(t *testing.T) {
	const limit = 20_000
	many := 60
	if testenv.Exhaustive() {
		many = 5000
	}
	dir := t.TempDir()
	for kind, parts := range tokens {
		r := rand.New(rand.NewPCG(uint64(len(kind)), 5))
		for n := range many {
			var b strings.Builder
			if strings.HasSuffix(kind, "csv") || kind == "no quotes" {
				b.WriteString("p,q\n")
			}
			for range r.IntN(400) {
				if b.WriteString(parts[r.IntN(len(parts))]); n%6 == 0 && r.IntN(60) == 0 {
					b.WriteString(strings.Repeat("long ", []int{2000, 3000, 6000}[r.IntN(3)]))
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "t"), []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			in, err := stretched(kind).Open(t.Context(), &input.Env{
				Resolve: func(path string) string { return filepath.Join(dir, path) }, Workers: 1,
				Limits: input.Limits{Record: limit, Columns: 100, Depth: 10},
			})
			if err == nil {
				err = in.ReadHeads(t.Context())
			}
			if err != nil {
				continue // what is not a table at all
			}
			checkStretches(t, r, kind, in)
		}
	}
}

func checkStretches(t *testing.T, r *rand.Rand, kind string, in input.Input) {
	t.Helper()
	s, err := in.(stretcher).Stretches(0)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	from, to := s.Bounds()
	s.Close()
	want, blank := cutRows(t, in)
	for _, size := range []int64{1 + r.Int64N(20), 64 + r.Int64N(200), 5000 + r.Int64N(30_000)} {
		if size < 100 && to > 10_000 {
			continue
		}
		got, b := stretchRows(t, in, from, to, size, true)
		if !same(got, want) || b != blank {
			t.Fatalf("%s in stretches of %d: %d blank, want %d; %s", kind, size, b, blank, differ(got, want))
		}
		if !in.(stretcher).Cuts(0) || to <= from {
			continue
		}
		cut := from + r.Int64N(to-from)
		got, _ = stretchRows(t, in, from, cut, size, true)
		more, _ := stretchRows(t, in, cut, to, size, cut == from)
		if got = append(got, more...); !same(got, want) {
			t.Fatalf("%s cut at %d: %s", kind, cut, differ(got, want))
		}
	}
}

// TestFilesWithoutStretches has files whose rows can only be read serially.
func TestFilesWithoutStretches(t *testing.T) {
	comments := csvOf("t")
	comments.Comment = "#"
	utf16 := csvOf("u")
	utf16.Encoding = "utf-16le"
	dir := testenv.Directory(t, map[string]string{"t": "a,b\n1,2\n", "one": "a\n1\n",
		"u": "a\x00,\x00b\x00\n\x001\x00,\x002\x00"})
	for name, o := range map[string]*csv.Options{"comments": comments, "one column": csvOf("one"), "utf-16": utf16} {
		if s, err := mustOpen(t, dir, o).(stretcher).Stretches(0); s != nil || err != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// A stretch of a file that changed is an error.
func TestStretchOfChangedFile(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"t": "{}\n{}\n{}\n"})
	in := mustOpen(t, dir, jsonlOf("t"))
	s, err := in.(stretcher).Stretches(0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Truncate(filepath.Join(dir, "t"), 3); err != nil {
		t.Fatal(err)
	}
	var st table.Stretch
	if err := st.Find(s, 0, 9); !errors.Is(err, files.ErrChanged) {
		t.Errorf("while it is read: %v", err)
	}
	if _, err := in.(stretcher).Stretches(0); !errors.Is(err, files.ErrChanged) {
		t.Errorf("before it is opened: %v", err)
	}
}
