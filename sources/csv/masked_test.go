package csv

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/bytemask"
	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

// randomText returns about n bytes of records with that many cells. A few of the bytes are random.
func randomText(r *rand.Rand, n, columns int) []byte {
	const letters = "\"\"\",;\n\ra\x00\xc3\xa9\xac\x1a"
	cells := []string{`"a"`, "c\r", `""`, `"b, ""c"""`, "\"d\ne\"", "\"\r\n\"", "é", "", "1.5", "text that is long",
		"\"as long as more than a block of bytes; it is within quotes, \"\"all\"\" of it\""}
	ends := []string{"\n", "\r\n", "\n\n", ";\n"}
	var b []byte
	for i := 1; len(b) < n; i++ {
		b = append(b, cells[r.IntN(len(cells))]...)
		if i%columns != 0 {
			b = append(b, ',')
		} else {
			b = append(b, ends[r.IntN(len(ends)-r.IntN(3))]...)
		}
	}
	for range r.IntN(6) * r.IntN(2) {
		b[r.IntN(len(b))] = letters[r.IntN(len(letters))]
	}
	if k := r.IntN(8 * len(b)); k < len(b) {
		b = append(b[:k], bytes.Replace(b[k:], []byte("\r\n"), []byte("\r"), 1)...)
	}
	return b[:len(b)-r.IntN(4)]
}

// Masks have the same results in a chunk as a search, for all begins and ends of chunk and blocks.
func TestMaskedChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 7))
	var blocks [5]bytemask.Block
	semicolons, data := plain, plain
	semicolons.Delimiter, data.Quotes = ";", false
	for range testenv.Times(10_000, 100_000, 5_000_000) {
		f := []Format{plain, plain, semicolons, data}[r.IntN(4)]
		text := randomText(r, 8+r.IntN(400), 1+r.IntN(4))
		lo := r.IntN(len(text))
		hi := lo + 1 + r.IntN(len(text)-lo)
		if r.IntN(3) == 0 {
			hi = len(text)
		}
		n := min(r.IntN(6), (hi-lo)/bytemask.Size)
		if n == 0 {
			continue
		}
		from := hi - n*bytemask.Size
		if r.IntN(3) == 0 {
			from = lo + r.IntN(from-lo+1)
		}
		to := from + n*bytemask.Size
		var want, got Chunk
		want.reset(lo, hi)
		if f.Quotes {
			want.parity = r.IntN(2)
		}
		if r.IntN(2) == 0 {
			want.illegal[r.IntN(2)] = from
		}
		got.reset(lo, hi)
		got.parity, got.illegal = want.parity, want.illegal
		want.scanPlain(&f, text, from, to)
		got.scanMasked(&f, text, from, blocks[:n])
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: [%d:%d] of [%d:%d]:\n got %+v\nwant %+v", text, from, to, lo, hi, got, want)
		}
	}
}

// A record is either scanned with masks as without them, or not scanned with masks at all.
func TestMaskedRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 7))
	semicolons, literal, short := plain, plain, plain
	semicolons.Delimiter, literal.Quotes, short.MaxRecord = ";", false, 150
	taken, tried := 0, 0
	for range testenv.Times(4_000, 30_000, 1_000_000) {
		f := []Format{plain, plain, plain, semicolons, literal, short}[r.IntN(6)]
		columns := 1 + r.IntN(12)
		text := randomText(r, 8+r.IntN(600), columns)
		cells := allCells(columns)
		if r.IntN(4) == 0 {
			cells[r.IntN(columns)] = -1
		}
		for at := 0; at < len(text); tried++ {
			n, masked := sameScan(t, f, text[at:], cells)
			if at += n; masked {
				taken++
			}
		}
	}
	if taken < tried/4 {
		t.Errorf("%d of %d records are scanned by masks", taken, tried)
	}
}

// A record at the end of data is scanned as if nothing followed it, though blocks reach beyond it.
// Masks are used if the memory is large enough.
func TestMaskedRecordsWithoutNextRecord(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 7))
	for range testenv.Times(1_000, 30_000, 1_000_000) {
		columns := 1 + r.IntN(12)
		text, cells := randomText(r, 8+r.IntN(600), columns), allCells(columns)
		for at := 0; at < len(text); {
			n, masked := sameScan(t, plain, text[at:], cells)
			if _, cut := sameScan(t, plain, text[at:at+n], cells); cut != masked {
				t.Fatalf("%q before %q: by masks: %t, cut out: %t", text[at:at+n], text[at+n:], masked, cut)
			}
			sameScan(t, plain, text[at:at+r.IntN(n+1)], cells)
			sameScan(t, plain, slices.Clip(text[at:at+n]), cells)
			at += n
		}
	}
}

// sameScan compares a scan with masks with a scan without. It returns the record's length, and
// whether masks were used.
func sameScan(t *testing.T, f Format, data []byte, cells []int32) (n int, masked bool) {
	t.Helper()
	quick, fast := f.NewScanner(), f.NewScanner()
	quick.useMasks, fast.useMasks = true, false
	got, want := make([]schema.Value, len(cells)), make([]schema.Value, len(cells))
	n, err := fast.Scan(data, cells, want, 0)
	k, bad := quick.Scan(data, cells, got, 0)
	if n != k || !reflect.DeepEqual(err, bad) || fast.Cell != quick.Cell ||
		err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: %d, %v, %q; want %d, %v, %q", data, k, bad, texts(got), n, err, texts(want))
	}
	k, _ = quick.scanMasked(data, cells, got)
	return n, k > 0
}

// Blocks end at every position within quotes and line ends.
func TestMaskedRecordsAtBlockEdges(t *testing.T) {
	for _, piece := range []string{`"`, `x"y`, `x"y"`, `x,"a"`, `x,"a"y`, "x,\"a\"\r\n", "x,\"a\"\ry", "x,\"a\"\r,",
		"x,a\r,", "x,\r\n", "\r\n",
		`x,"a""b"`, `x,"a"""`, `x,""`, `x,"""`, `x,"" "`, "x,\"\n,\"", "x,\"\"\"\n\"", ",,", "\n"} {
		for pad := range 2*bytemask.Size + 2 {
			for _, open := range []string{"", `"`} {
				text := open + strings.Repeat("z", pad) + open + piece + ",w\n" + strings.Repeat("v", bytemask.Size)
				for columns := 1; columns <= 4; columns++ {
					sameScan(t, plain, []byte(text), allCells(columns))
				}
			}
		}
	}
}

// A block may have many cells, even more than the file has columns.
func TestMaskedRecordsWithManyCells(t *testing.T) {
	for cells := 1; cells < 300; cells++ {
		text := []byte(strings.Repeat(",", cells-1) + "\n" + strings.Repeat("v", bytemask.Size))
		for _, columns := range []int{1, 2, 63, 64, 65, 100, cells, cells + 1} {
			if _, masked := sameScan(t, plain, text, allCells(columns)); masked != (cells == columns) {
				t.Fatalf("%d cells, %d columns: by masks: %t", cells, columns, masked)
			}
		}
	}
}
