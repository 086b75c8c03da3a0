package csv

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"tfr-build/internal/bytemask"
	"tfr-build/internal/testenv"
)

// randomText is about n bytes of cells; a few of its bytes may be others.
func randomText(r *rand.Rand, n int) []byte {
	const letters = "\"\"\",;\n\ra\x00\xc3\xa9\xac\x1a"
	cells := []string{`"a"`, `""`, `"b, ""c"""`, "\"d\ne\"", "\"\r\n\"", "é", "", "1.5", "text that is long", "\"as long as more than a block of bytes; it is within quotes, \"\"all\"\" of it\""}
	ends := []string{",", ",", ",", "\n", "\r\n", ";"}
	var b []byte
	for len(b) < n {
		b = append(b, cells[r.IntN(len(cells))]...)
		b = append(b, ends[r.IntN(len(ends))]...)
	}
	for range r.IntN(4) * r.IntN(2) {
		b[r.IntN(len(b))] = letters[r.IntN(len(letters))]
	}
	return b[:len(b)-r.IntN(4)]
}

// Blocks of masks note in a chunk what a search notes, wherever chunk and blocks
// begin and end.
func TestMaskedChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 7))
	var blocks [5]bytemask.Block
	semicolons, data := plain, plain
	semicolons.Delimiter, data.Quotes = ";", false
	for range testenv.Times(10_000, 500_000, 5_000_000) {
		f := []Format{plain, plain, semicolons, data}[r.IntN(4)]
		text := randomText(r, 8+r.IntN(400))
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
		want.plain(&f, text, from, to)
		got.masked(&f, text, from, blocks[:n])
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: [%d:%d] of [%d:%d]:\n got %+v\nwant %+v", text, from, to, lo, hi, got, want)
		}
	}
}
