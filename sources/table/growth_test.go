package table_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/cost"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/sources/text"
)

// A longRow is a row whose length the tests change.
type longRow struct {
	name, column string
	options      func(file string) input.Options
	before, unit string
	after        string
	encodes      bool // the kind reads other encodings
	bad          bool // the row cannot be used
}

// longRows returns long cells, and rows that look long at first.
func longRows() []longRow {
	table := func(f string) input.Options { return csvOf(f) }
	return []longRow{
		{"quoted", "b", table, "a,b\n1,\"", "some \"\"text\"\", \nof é\n", "\"\n2,x\n", true, false},
		{"unquoted", "b", table, "a,b\n1,", "some text of é ", "\n2,x\n", true, false},
		{"many cells", "a", table, "a\n1", ",\"x\"", "\n2\n", true, true},
		{"a quote that nothing closes", "b", table, "a,b\n1,\"x\n", "some text,of é\n", "2,x\n", true, true},
		{"jsonl", "b", func(f string) input.Options { return jsonlOf(f) }, "{\"b\": \"", "some \\\"text\\\", \\nof é",
			"\"}\n{}\n", false, false},
		{"text", "text", func(f string) input.Options { return &text.Options{Files: patterns([]string{f})} }, "x\n",
			"some text of é ", "\ny\n", false, false},
	}
}

// of returns a file with a row of about n bytes.
func (l *longRow) of(n int) string {
	return l.before + strings.Repeat(l.unit, n/len(l.unit)) + l.after
}

// A packing is a way to write text into a file.
type packing struct {
	name, encoding string
	pack           func(t *testing.T, text string) string
}

var packings = []packing{
	{"plain", "utf-8", func(_ *testing.T, text string) string { return text }},
	{"gzip", "utf-8", func(_ *testing.T, text string) string { return filetest.Gzip(text) }},
	{"zstd", "utf-8", func(_ *testing.T, text string) string { return filetest.Zstd(text) }},
	{"bzip2", "utf-8", func(t *testing.T, text string) string {
		cmd := exec.Command("bzip2", "-1c")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("bzip2: %v", err)
		}
		return string(out)
	}},
	{"utf-16le", "utf-16le", func(_ *testing.T, text string) string { return utf16le(text) }},
	{"utf-16be", "utf-16be", func(_ *testing.T, text string) string { return swapped(utf16le(text)) }},
	{"latin-1", "latin-1", func(_ *testing.T, text string) string { return strings.ReplaceAll(text, "é", "\xe9") }},
}

// swapped returns UTF-16 in the other byte order.
func swapped(s string) string {
	b := []byte(s)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// lay writes a file with a row of about n bytes.
func (p *packing) lay(t *testing.T, l *longRow, n int) input.Input {
	t.Helper()
	dir := testenv.Directory(t, map[string]string{"t": p.pack(t, l.of(n))})
	o := l.options(filepath.Join(dir, "t"))
	if c, ok := o.(*csv.Options); ok {
		c.Encoding = p.encoding
	}
	in, err := o.Open(t.Context(), &input.Env{
		Resolve: func(path string) string { return path }, Workers: 1,
		Limits: input.Limits{Record: 64 << 20, Columns: 1000, Depth: 100},
	})
	if err == nil {
		err = in.ReadHeads(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestLongRowsTakeLinearTime reads rows of n and of 4n bytes, as a stream and in place. The steps
// of the stream are small, so that quadratic time shows. A sample has every third pair of a row and
// a packing.
func TestLongRowsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures processor time, which the race detector takes as it likes")
	}
	n := testenv.Times(200<<10, 2<<20, 15<<20)
	for i, l := range longRows() {
		for k, p := range packings {
			slow := p.name == "bzip2" && l.name != "quoted" && !testenv.Exhaustive()
			if (i+k)%testenv.Times(3, 1, 1) != 0 || slow || p.encoding != "utf-8" && !l.encodes {
				continue
			}
			t.Run(l.name+"/"+p.name, func(t *testing.T) {
				small, large := p.lay(t, &l, n), p.lay(t, &l, 4*n)
				wantLong(t, &l, large, 3*n)
				cost.Linear(t, func() { cutAndScan(t, small, l.column) }, func() { cutAndScan(t, large, l.column) })
				if !large.Footprint().Streamed {
					cost.Linear(t, func() { findAndScan(t, small, l.column) }, func() {
						findAndScan(t, large, l.column)
					})
				}
			})
		}
	}
}

// wantLong expects a table to have a row of more than n bytes.
func wantLong(t *testing.T, l *longRow, in input.Input, n int) {
	t.Helper()
	long, bad := 0, false
	for _, row := range tableOf(t, in, l.column) {
		long = max(long, len(row))
		bad = bad || strings.HasPrefix(row, "CSV_")
	}
	if bad != l.bad || !bad && long < n {
		t.Fatalf("the longest row has %d bytes, a bad one: %t", long, bad)
	}
}

// scan returns a function that scans the rows of a table, invalid rows too.
func scan(t *testing.T, in input.Input, column string) func(row []byte) {
	t.Helper()
	layout, err := in.Bind([]input.Bound{{Name: column, Slot: 0}})
	if err != nil {
		t.Fatal(err)
	}
	scanner, vals := layout(input.NewObservations(), false), make([]schema.Value, 1)
	return func(row []byte) { _, _ = scanner.Scan(0, 0, row, vals) }
}

// cutAndScan reads a table as a stream.
func cutAndScan(t *testing.T, in input.Input, column string) {
	t.Helper()
	row := scan(t, in, column)
	rows, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	table.ReadInSteps(rows, 1<<10)
	for {
		rec, err := rows.Next()
		if err != nil {
			return
		}
		row(rec.Raw)
	}
}

// findAndScan finds all rows and scans them in place.
func findAndScan(t *testing.T, in input.Input, column string) {
	t.Helper()
	row := scan(t, in, column)
	s, err := in.Find(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	for i := range s.Steps() {
		s.Step(i)
	}
	s.Finish(0)
	for _, c := range s.Chunks() {
		for _, start := range c.Starts {
			row(in.(input.Texter).Contents()[0][c.Offset+int64(start):])
		}
	}
}

// TestWindowHoldsOneRow compares the memory of a window with the length of a row, which must not be
// on the heap.
func TestWindowHoldsOneRow(t *testing.T) {
	l, p := longRows()[0], packings[1]
	in := p.lay(t, &l, 32<<20)
	rows, err := in.Rows(0)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rec, err := rows.Next()
	if err != nil || len(rec.Raw) < 31<<20 {
		t.Fatalf("%v, %v", rec, err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 4<<20 {
		t.Errorf("a row of %d bytes took %d bytes of the heap", len(rec.Raw), taken)
	}
	if _, mapped := table.Window(rows); !mapped {
		t.Error("the row is not in a mapping")
	}
	for ; err == nil; _, err = rows.Next() {
	}
	rows.Close()
	if heap, mapped := table.Window(rows); heap > 1<<20 || mapped {
		t.Errorf("at the end: %d bytes on the heap, mapped: %t", heap, mapped)
	}
}

// TestWindowMoves reads rows of many lengths one after another, at all positions in the window.
func TestWindowMoves(t *testing.T) {
	const mib = 1 << 20
	var want []string
	for i, n := range []int{1, 3 * mib, 7, mib, mib - 1, mib/2 + 1, mib / 2, 2*mib + 5, 16 << 10, 100, 5 * mib, 5 * mib,
		2} {
		want = append(want, strings.Repeat(string(rune('a'+i)), n))
	}
	for i, p := range packings {
		if p.name == "bzip2" || i%testenv.Times(4, 1, 1) != 0 {
			continue
		}
		l := longRow{options: func(f string) input.Options {
			return csvOf(f)
		}, before: "x\n", unit: strings.Join(want, "\n")}
		in := p.lay(t, &l, len(l.unit))
		if got := tableOf(t, in, "x"); !slices.Equal(got, want) {
			t.Errorf("%s: other rows", p.name)
		}
		rows, err := in.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		table.ReadInSteps(rows, 300_001)
		for i := range want {
			if rec, err := rows.Next(); err != nil || strings.TrimSuffix(string(rec.Raw), "\n") != want[i] ||
				rec.Line != int64(i+2) {
				t.Fatalf("%s, in steps: row %d: %v", p.name, i, err)
			}
		}
		rows.Close()
	}
}

// TestManyFilesTakeLinearTime reads the heads and the rows of n and of 4n files.
func TestManyFilesTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures processor time, which the race detector takes as it likes")
	}
	n := testenv.Times(250, 1000, 25_000)
	read := func(dir string) func() {
		return func() {
			in := mustOpen(t, dir, csvOf("*.csv"))
			tableOf(t, in, "b")
			if _, err := in.Find(1 << 20); err != nil {
				t.Fatal(err)
			}
			in.Release()
		}
	}
	directory := func(n int) string {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("%06d.csv", i)] = "a,b\n1,x\n"
		}
		return testenv.Directory(t, files)
	}
	cost.Linear(t, read(directory(n)), read(directory(4*n)))
}
