package csv

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/table"
)

// plain is the format of most tests.
var plain = Format{Delimiter: ",", Quotes: true, Header: true}

// A cut is a record, or another range that a cutter returned.
type cut struct {
	at, n int
	kind  table.Kind
	code  string
	col   int // At of the error
}

func newCut(at, n int, kind table.Kind, bad *schema.RowError) cut {
	if bad == nil {
		return cut{at: at, n: n, kind: kind}
	}
	return cut{at, n, kind, bad.Code, bad.At}
}

// cutWhole cuts data with all of it in the window.
func cutWhole(f Format, data []byte, first int, oneColumn bool) []cut {
	var cuts []cut
	c := f.NewCutter(oneColumn)
	for at := first; at < len(data); {
		n, kind, bad, _ := c.Next(data[at:], true)
		cuts = append(cuts, newCut(at, n, kind, bad))
		at += n
	}
	return cuts
}

// cutStream cuts data with a window that grows by step bytes on request. Before it grows, cutStream
// calls overwrite with the window, unless overwrite is nil.
func cutStream(t testing.TB, f Format, data []byte, first, step int, oneColumn bool,
	overwrite func(window []byte)) []cut {
	var cuts []cut
	whole := data
	if overwrite != nil {
		data = bytes.Clone(data)
	}
	c := f.NewCutter(oneColumn)
	size := step
	for at := first; at < len(data); {
		end := min(at+size, len(data))
		n, kind, bad, more := c.Next(data[at:end], end == len(data))
		switch {
		case more:
			if n != 0 || end == len(data) || f.MaxRecord > 0 && end-at > f.MaxRecord+4 {
				t.Fatalf("at %d Next wants more than %d of %d bytes (n=%d)", at, end-at, len(data)-at, n)
			}
			size = end - at + step
			if overwrite != nil {
				overwrite(data[at:end])
			}
			continue
		case kind == table.Rest:
			last := &cuts[len(cuts)-1]
			if last.kind == table.Row && (f.MaxRecord == 0 || last.n <= f.MaxRecord) {
				t.Fatalf("at %d a record comes in pieces after %d bytes", last.at, last.n)
			}
			last.n += n
		default:
			cuts = append(cuts, newCut(at, n, kind, bad))
		}
		if overwrite != nil {
			copy(data[at:end], whole[at:])
		}
		at += n
		size = step
	}
	return cuts
}

// A stitched is what Stitch finds in a file.
type stitched struct {
	Found, Blank int
	Check        Check
}

func stitch(f Format, data []byte, first int, oneColumn bool, chunks []Chunk) (s stitched) {
	s.Found, s.Blank, s.Check = f.Stitch(data, first, oneColumn, chunks)
	return s
}

// cutChunks cuts data in chunks of the given sizes, repeated.
func cutChunks(f Format, data []byte, first int, oneColumn bool, sizes ...int) ([]int, stitched) {
	var chunks []Chunk
	for lo := first; lo < len(data); {
		hi := min(lo+sizes[len(chunks)%len(sizes)], len(data))
		var c Chunk
		f.Scan(data, lo, hi, &c)
		chunks = append(chunks, c)
		lo = hi
	}
	rows := stitch(f, data, first, oneColumn, chunks)
	var starts []int
	for i := range chunks {
		for _, s := range chunks[i].Starts() {
			starts = append(starts, chunks[i].lo+int(s))
		}
	}
	return starts, rows
}

// allCells asks for every cell of a file with n columns.
func allCells(n int) []int32 {
	cells := make([]int32, n)
	for i := range cells {
		cells[i] = int32(i)
	}
	return cells
}

// texts are the texts of values; a missing one is "<missing>".
func texts(vals []schema.Value) []string {
	out := make([]string, len(vals))
	for i, v := range vals {
		out[i] = string(v.Text)
		if v.Kind == schema.Missing {
			out[i] = "<missing>"
		}
	}
	return out
}

// readFile reads a file as a build does: head, chunks, records.
func readFile(t testing.TB, f Format, data []byte) (names []string, rows [][]string, bad []*schema.RowError) {
	t.Helper()
	h, e, more := f.Start(data, true)
	if e != nil || more {
		t.Fatalf("Start: %v, more %v", e, more)
	}
	columns := len(h.Names)
	starts, found := cutChunks(f, data, h.First, columns == 1, 5, 11)
	s := f.NewScanner()
	for _, at := range starts {
		vals := make([]schema.Value, columns)
		if _, err := s.Scan(data[at:], allCells(columns), vals, found.Check); err != nil {
			bad = append(bad, err.(*schema.RowError))
			continue
		}
		rows = append(rows, texts(vals))
	}
	return h.Names, rows, bad
}

// archive reads a .tar.gz of testdata.
func archive(t testing.TB, name string) map[string][]byte {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, r); err != nil {
			t.Fatal(err)
		}
		files[h.Name] = b.Bytes()
	}
}
