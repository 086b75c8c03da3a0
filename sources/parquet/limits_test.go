package parquet

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
)

// readLimited reads a file with both readers and a limit for rows. It returns the error code of
// each row, or "" for a valid row, and the bytes that the sequential reader allocated.
func readLimited(t *testing.T, limit int, data []byte) (codes []string, allocations uint64) {
	t.Helper()
	in, err := openLimited(t, t.TempDir(), limit, data)
	if err != nil {
		t.Fatal(err)
	}
	names := in.Columns().Names()
	before := allocated()
	rows, err := sequential(t, in, names...)
	if err != nil {
		t.Fatal(err)
	}
	allocations = allocated() - before
	decoded, err := randomAccess(t, in, names...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(rows, decoded, func(a, b []any) bool { return asJSON(a) == asJSON(b) }) {
		t.Fatal("the sequential reader and the decoder return different rows")
	}
	for _, row := range rows {
		text, _ := row[0].(string)
		if !strings.HasPrefix(text, "LIMIT") {
			text = ""
		}
		codes = append(codes, text)
	}
	return codes, allocations
}

// allocated returns the total bytes that the process has allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// run returns a run of count equal levels.
func run(level byte, count int) parquettest.Run { return parquettest.Run{Level: level, Count: count} }

// TestLongLists reads a row with more elements than limits.record between short rows, stored in a
// few bytes. The row is rejected, the others are read, and no memory is allocated for it. One
// case has strings.
func TestLongLists(t *testing.T) {
	const limit, many = 1000, 10_000_000
	text := binary.LittleEndian.AppendUint32(nil, 3)
	text = append(text, "abc"...)
	pages := func(typ format.Type, e format.Encoding, level byte, values []byte,
		dictionary ...parquettest.Page) []parquettest.Page {
		return append(dictionary, parquettest.Page{Type: typ, Encoding: e, Values: values,
			Repeats: []parquettest.Run{run(0, 1), run(1, 2), run(0, 1), run(1, many-1), run(0, 3), run(1, 1)},
			Levels:  []parquettest.Run{run(2, 3), run(level, many), run(1, 1), run(0, 1), run(2, 2)}})
	}
	positions := append([]byte{1}, binary.AppendUvarint(nil, many<<1)...)
	for name, list := range map[string][]parquettest.Page{
		"nulls":            pages(format.Int64, format.Plain, 2, nil),
		"nulls of strings": pages(format.ByteArray, format.Plain, 2, nil),
		"bools": pages(format.Boolean, format.RLE, 3,
			append(append(binary.LittleEndian.AppendUint32(nil, 5), binary.AppendUvarint(nil, many<<1)...), 1)),
		"one number": pages(format.Int64, format.RLEDictionary, 3, append(positions, 0),
			parquettest.Page{Type: format.Int64, Dictionary: 1, Values: make([]byte, 8)}),
		"one string": pages(format.ByteArray, format.RLEDictionary, 3, append(positions, 0),
			parquettest.Page{Type: format.ByteArray, Dictionary: 1, Values: text}),
	} {
		if !testenv.Exhaustive() && !strings.Contains(name, "string") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			codes, allocations := readLimited(t, limit, parquettest.File(5, parquettest.Column{Name: "x", Pages: list}))
			if want := []string{"", "LIMIT_RECORD", "", "", ""}; !slices.Equal(codes, want) {
				t.Errorf("%q, want %q", codes, want)
			}
			if allocations > 12<<20 {
				t.Errorf("%d bytes were allocated for rows of at most %d", allocations, limit)
			}
		})
	}
}

// TestListsOfListsCount checks that each element of a nested list counts.
func TestListsOfListsCount(t *testing.T) {
	l := &leaf{lists: []level{{1, 2}, {2, 4}, {3, 6}}, max: level{3, 7}}
	for _, c := range []struct{ rep, def, want int }{{0, 7, 3}, {1, 7, 3}, {2, 7, 2}, {3, 7, 1}, {3, 6, 1}, {0, 5, 2},
		{0, 3, 1}, {0, 0, 1}} {
		if got := l.countStarted(byte(c.rep), byte(c.def)); got != c.want {
			t.Errorf("levels %d and %d begin %d elements, want %d", c.rep, c.def, got, c.want)
		}
	}
}

// TestLimitIsExact accepts rows of exactly the limit, and rejects rows of one byte more.
func TestLimitIsExact(t *testing.T) {
	for name, c := range map[string]struct {
		columns []parquettest.Column
		size    int
		column  string
	}{
		"a string": {[]parquettest.Column{{Name: "x", Values: []string{strings.Repeat("a", 5000)}}}, 5000, "x"},
		"together": {[]parquettest.Column{{Name: "x", Values: []string{strings.Repeat("a", 400)}},
			{Name: "y", Values: []int64{1}}}, 408, ""},
		"nulls": {[]parquettest.Column{{Name: "x", Pages: []parquettest.Page{{Type: format.Int64,
			Repeats: []parquettest.Run{run(0, 1), run(1, 99_999)}, Levels: []parquettest.Run{run(2, 100_000)}}}}},
			6_400_000, "x"},
		"numbers and nulls": {[]parquettest.Column{{Name: "x",
			Pages: []parquettest.Page{{Type: format.Int64, Values: make([]byte, 80_000),
				Repeats: []parquettest.Run{run(0, 1), run(1, 10_999)},
				Levels:  []parquettest.Run{run(2, 1000), run(3, 10_000)}}}}},
			784_000, "x"},
		"numbers": {[]parquettest.Column{{Name: "x",
			Pages: []parquettest.Page{{Type: format.Int64, Values: make([]byte, 80_000),
				Repeats: []parquettest.Run{run(0, 1), run(1, 9_999)}, Levels: []parquettest.Run{run(3, 10_000)}}}}},
			80_000, "x"},
		"empty strings": {[]parquettest.Column{{Name: "x",
			Pages: []parquettest.Page{{Type: format.ByteArray, Values: make([]byte, 40_000),
				Repeats: []parquettest.Run{run(0, 1), run(1, 9_999)}, Levels: []parquettest.Run{run(3, 10_000)}}}}},
			640_000, "x"},
	} {
		data := parquettest.File(1, c.columns...)
		if codes, _ := readLimited(t, c.size, data); !slices.Equal(codes, []string{""}) {
			t.Errorf("%s: %q of %d bytes", name, codes, c.size)
		}
		if codes, _ := readLimited(t, c.size-1, data); !slices.Equal(codes, []string{"LIMIT_RECORD"}) {
			t.Errorf("%s: %q of %d bytes, with a limit of %d", name, codes, c.size, c.size-1)
		}
	}
}

// TestLongValues reads a value that exceeds limits.record, alone in its page or dictionary. The
// page header shows its size, so the page is not decompressed.
func TestLongValues(t *testing.T) {
	const limit = 1000
	size := testenv.Times(40, 100, 100) << 20
	text := append(binary.LittleEndian.AppendUint32(nil, uint32(size)), bytes.Repeat([]byte{'a'}, size)...)
	flat := parquettest.File(1, parquettest.Column{Name: "x", Values: []string{"short", string(text[4:]), "also"},
		Missing: make([]bool, 3)})
	one := []parquettest.Run{run(0, 1)}
	shared := parquettest.File(3, parquettest.Column{Name: "x", Pages: []parquettest.Page{
		{Type: format.ByteArray, Dictionary: 1, Values: text},
		{Type: format.ByteArray, Encoding: format.RLEDictionary, Repeats: one, Levels: []parquettest.Run{run(2, 1)},
			Values: []byte{1, 2, 0}},
		{Type: format.ByteArray, Encoding: format.RLEDictionary, Repeats: one, Levels: []parquettest.Run{run(3, 1)},
			Values: []byte{1, 2, 0}},
		{Type: format.ByteArray, Encoding: format.Plain, Repeats: one, Levels: []parquettest.Run{run(3, 1)},
			Values: []byte("\x04\x00\x00\x00last")},
	}})
	alone := parquettest.File(3, parquettest.Column{Name: "x", Pages: []parquettest.Page{
		{Type: format.ByteArray, Repeats: one, Levels: []parquettest.Run{run(3, 1)},
			Values: []byte("\x05\x00\x00\x00first")},
		{Type: format.ByteArray, Repeats: one, Levels: []parquettest.Run{run(2, 1)}},
		{Type: format.ByteArray, Repeats: []parquettest.Run{run(1, 1)}, Levels: []parquettest.Run{run(3, 1)},
			Values: text},
		{Type: format.ByteArray, Repeats: []parquettest.Run{run(1, 1)}, Levels: []parquettest.Run{run(3, 1)},
			Values: text},
		{Type: format.ByteArray, Repeats: one, Levels: []parquettest.Run{run(3, 1)},
			Values: []byte("\x04\x00\x00\x00last")},
	}})
	for name, data := range map[string][]byte{"a value": flat, "a dictionary": shared, "an element": alone} {
		codes, allocations := readLimited(t, limit, data)
		if want := []string{"", "LIMIT_RECORD", ""}; !slices.Equal(codes, want) {
			t.Errorf("%s: %q, want %q", name, codes, want)
		}
		if allocations > 16<<20 { // mostly the window of zstd
			t.Errorf("%s: %d bytes were allocated for a row of %d, with a limit of %d", name, allocations, size, limit)
		}
	}
}

// TestRowsOverPages reads rows whose lists continue over many pages. Some rows exceed the limit.
func TestRowsOverPages(t *testing.T) {
	value := func(n int) (b []byte) {
		for range n {
			b = append(b, "\x02\x00\x00\x00ab"...)
		}
		return b
	}
	var pages []parquettest.Page
	want := []string{}
	for row := range 40 {
		elements := 1 + row*row*7%300
		if want = append(want, ""); 66*elements > 200*66 {
			want[row] = "LIMIT_RECORD"
		}
		for first := byte(0); elements > 0; first = 1 {
			n := min(elements, 1+row%50)
			repeats := []parquettest.Run{run(first, 1)}
			if n > 1 {
				repeats = append(repeats, run(1, n-1))
			}
			pages = append(pages, parquettest.Page{Type: format.ByteArray, Values: value(n), Repeats: repeats,
				Levels: []parquettest.Run{run(3, n)}})
			elements -= n
		}
	}
	if codes, _ := readLimited(t, 200*66, parquettest.File(40,
		parquettest.Column{Name: "x", Pages: pages})); !slices.Equal(codes, want) {
		t.Errorf("%q, want %q", codes, want)
	}
}
