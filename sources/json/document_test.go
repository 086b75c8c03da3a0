package json

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestErrorPositions checks line and column of errors in rows.
func TestErrorPositions(t *testing.T) {
	in := of(t, "{\"n\": 1, \"rows\": [{\"a\": 1}, {\"a\": 2, \"a\": 3},\n {\"a\":\n4, \"a\": 5}]}",
		Options{Rows: "rows"})
	layout, err := in.Bind([]input.Bound{{Name: "a"}})
	if err != nil {
		t.Fatal(err)
	}
	s, vals := layout(input.NewObservations(), false), make([]schema.Value, 1)
	var got []string
	_, err = each(in, func(rec *input.Record) error {
		_, err := s.Scan(0, rec.Offset, rec.Raw, vals)
		bad, _ := errors.AsType[*schema.RowError](err)
		if bad == nil {
			bad = &schema.RowError{At: int(vals[0].At)}
		}
		at := rec.Position("t", bad)
		got = append(got, at.String())
		return nil
	})
	if want := []string{"t:1:25", "t:1:38", "t:3:4"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// TestNames reads the columns of the first rows, of the keys, and of rows that are not objects.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		text string
		o    Options
		want string
	}{
		{`[{"b": 1, "a": 2}, {"c": 3}]`, Options{Rows: "."}, "a b c"},
		{`{"x": {"b": 1}, "y": {"a": 2}}`, Options{Rows: ".", Keys: "k"}, "k b a"},
		{`[1, [2]]`, Options{Rows: "."}, "value"},
		{`{"x": [1], "y": 2}`, Options{Rows: ".", Keys: "k"}, "k value"},
		{`[]`, Options{Rows: ".", Keys: ""}, ""},
	} {
		names, all, err := of(t, tt.text, tt.o).(*documentInput).Names(t.Context(), -1)
		if got := strings.Join(names, " "); got != tt.want || !all || err != nil {
			t.Errorf("%s: %q, %t, %v; want %q", tt.text, got, all, err, tt.want)
		}
	}
}

// TestTruncatedFile truncates a document at each byte.
func TestTruncatedFile(t *testing.T) {
	const text = `{"info": {"a": [1, "x\u00e9"]}, "rows": [{"a": 1.5}, {"b": [true, null]}], "n": -1e3}`
	for n := range text {
		in := of(t, text[:n], Options{Rows: "rows"})
		_, err := each(in, func(*input.Record) error { return nil })
		fit, ok := errors.AsType[*input.MismatchError](err)
		const word = 3 // of true as much may be left
		if !ok || fit.Code != "JSON_SYNTAX" || fit.Line != 1 || fit.Col > n+1 || fit.Col < n+1-word {
			t.Errorf("%q: %v", text[:n], err)
		}
	}
}

// write makes a document of that many bytes, with an array of rows between others. It returns the
// number of rows.
func write(t testing.TB, path string, size int) (rows int) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(z)
	block := []byte(strings.Repeat(annotation+",\n", 500))
	fmt.Fprintf(w, `{"before": [`)
	for at := 0; at < size/4; at += len(block) {
		w.Write(block)
	}
	fmt.Fprintf(w, `0], "rows": [`)
	for at := 0; at < size/2; at += len(block) {
		w.Write(block)
		rows += 500
	}
	fmt.Fprintf(w, `0], "after": [`)
	for at := 0; at < size/4; at += len(block) {
		w.Write(block)
	}
	fmt.Fprintf(w, `0]}`)
	if err := errors.Join(w.Flush(), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return rows + 1
}

const annotation = `{"segmentation": [[239.97, 260.24, 222.04, 270.49, 199.84, 253.41, 213.5, 227.79, 259.62, ` +
	`200.46, 274.13, 202.17, 277.55, 210.71]], "area": 2765.15, "iscrowd": 0, "image_id": 558840, ` +
	`"bbox": [199.84, 200.46, 77.71, 70.88], "category_id": 58, "id": 156}`

// TestMemory reads a document that is much larger than the memory it takes.
func TestMemory(t *testing.T) {
	size := testenv.Times(24<<20, 256<<20, 5<<30)
	dir := t.TempDir()
	want := write(t, filepath.Join(dir, "t.json.gz"), size)
	o := Options{Rows: "rows"}
	o.Files.Patterns = []string{"t.json.gz"}
	in := open(t, dir, &o)
	var m runtime.MemStats
	peak, n := uint64(0), 0
	rows, err := each(in, func(*input.Record) error {
		if n++; n%2000 == 0 {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || rows != want {
		t.Errorf("%d rows of %d: %v", rows, want, err)
	}
	if peak > 16<<20 {
		t.Errorf("%d MiB are held of a document of %d MiB", peak>>20, size>>20)
	}
}

// TestLongRowIsNotBuffered skips a row that is longer than the limit.
func TestLongRowIsNotBuffered(t *testing.T) {
	text := `{"rows": [{"a": 1}, {"b": [` + strings.Repeat("1, ", 3<<20) + `1]}, {"a": 2}]}`
	in := of(t, text, Options{Rows: "rows"})
	var got []string
	rows, err := each(in, func(rec *input.Record) error {
		got = append(got, rec.BadCode())
		return nil
	})
	if want := []string{"", "LIMIT_RECORD", ""}; err != nil || rows != 3 || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	search, err := in.Find(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	for i := range search.Steps() {
		search.Step(i)
	}
	if found := search.Finish(0); found.Rows != 3 || found.Err != nil {
		t.Errorf("%+v", found)
	}
}

// BenchmarkDocument finds the rows of a document, and reads some of their columns.
func BenchmarkDocument(b *testing.B) {
	text := `{"info": {"year": 2017}, "rows": [` + strings.Repeat(annotation+", ", 40000) + annotation + `], "n": 1}`
	in := of(b, text, Options{Rows: "rows"})
	find := func() input.Search {
		search, err := in.Find(1 << 20)
		if err != nil {
			b.Fatal(err)
		}
		for i := range search.Steps() {
			search.Step(i)
		}
		if found := search.Finish(0); found.Rows != 40001 {
			b.Fatal(found)
		}
		return search
	}
	b.Run("found", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			find()
			in.Release()
		}
	})
	b.Run("found and read", func(b *testing.B) {
		layout, err := in.Bind([]input.Bound{{Name: "bbox", Slot: 0}, {Name: "image_id", Slot: 1},
			{Name: "segmentation", Slot: 2}})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
		s, vals := layout(input.NewObservations(), false), make([]schema.Value, 3)
		for b.Loop() {
			for _, c := range find().Chunks() {
				for i := range c.Starts {
					text := in.(input.Texter).Contents()[0][c.Offset+int64(c.Start(i)):]
					if _, err := s.Scan(0, 0, text, vals); err != nil {
						b.Fatal(err)
					}
				}
			}
			in.Release()
		}
	})
	b.Run("one after another", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := each(in, func(*input.Record) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
