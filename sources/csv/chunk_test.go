package csv

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"tfr-build/sources/lines"
)

// A file without invalid records is never parsed serially, for all sizes of chunks.
func TestValidFilesAvoidSerialParsing(t *testing.T) {
	semicolons := plain
	semicolons.Delimiter = ";"
	wide := plain
	wide.Delimiter = "§"
	mark := lines.BOM + "\"a\",b\n\"1\",2\n"
	for _, c := range []struct {
		format Format
		in     string
		first  int
	}{
		{plain, string(trips(60)), 0},
		{plain, string(quoteAll(trips(60))), 0},
		{plain, string(bytes.ReplaceAll(quoteAll(trips(60)), []byte("\n"), []byte("\r\n"))), 0},
		{plain, "\"\",\"\"\"\",\"\"\"\"\"\"\n\"a\"\"b\",\"\n\"\"\"\r\n\"\"\n\"x\"", 0},
		{semicolons, "\"a\";\"b,\"\"\"\n\"\n\";c\n", 0},
		{wide, "\"a\"§\"b,\"\"\"\n\"\n\"§c§\"\"\r\n", 0},
		{plain, mark, len(lines.BOM)},
		{Format{Delimiter: Whitespace, Quotes: true}, " a \"b\nc\" \n\t\n \"\" d\r\n  ", 0},
		{Format{Delimiter: "::", Quotes: true}, "a::\"b::\n\"\n\"\"\"\"::d\r\n", 0},
		{Format{Delimiter: Whitespace, Rest: true}, "a\"b \"\n \n\"c\"d\n", 0},
		{Format{}, "a\"b,\"\n\"\"\"c\"d\n", 0},
	} {
		data := []byte(c.in)
		for size := 1; size < 200; size++ {
			chunks := make([]Chunk, (len(data)-c.first+size-1)/size)
			for i := range chunks {
				lo := c.first + i*size
				c.format.Scan(data, lo, min(lo+size, len(data)), &chunks[i])
			}
			if from := c.format.selectLists(data, c.first, chunks); from != len(data) {
				t.Fatalf("%.60q in chunks of %d is cut serially from %d on", c.in, size, from)
			}
		}
	}
}

// For each assumption, the first illegal quote is the same as when each quote is checked alone.
func TestIllegalQuotes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const alphabet = "\"\"\",,\n\rab\xac"
	for range 20_000 {
		data := make([]byte, r.IntN(60))
		for i := range data {
			data[i] = alphabet[r.IntN(len(alphabet))]
		}
		lo := r.IntN(len(data) + 1)
		hi := lo + r.IntN(len(data)+1-lo)
		want := [2]int{-1, -1}
		for p := range want {
			open := p == 1
			for i := lo; i < hi && want[p] < 0; i++ {
				if data[i] != '"' {
					continue
				}
				if open && !closes(data[i+1:]) || !open && !opens(data[:i]) {
					want[p] = i
				}
				open = !open
			}
		}
		var c Chunk
		plain.Scan(data, lo, hi, &c)
		if c.illegal != want || c.parity != bytes.Count(data[lo:hi], []byte{'"'})&1 {
			t.Fatalf("%q[%d:%d]: %v, parity %d; want %v", data, lo, hi, c.illegal, c.parity, want)
		}
	}
}

func opens(before []byte) bool {
	return len(before) == 0 || bytes.ContainsRune([]byte("\n,\""), rune(before[len(before)-1]))
}

func closes(after []byte) bool {
	return len(after) == 0 || bytes.ContainsRune([]byte("\n,\""), rune(after[0])) ||
		bytes.HasPrefix(after, []byte("\r\n"))
}

// A reused Chunk has the same results as a new one.
func TestChunkReuse(t *testing.T) {
	var c Chunk
	plain.Scan([]byte("a\"b,\rc\n\n\n\x00\"\n"), 0, 12, &c)
	data := []byte("a,b\nc,d\n")
	chunks := []Chunk{c}
	plain.Scan(data, 0, len(data), &chunks[0])
	r := stitch(plain, data, 0, false, chunks)
	if s := chunks[0].Starts(); r != (stitched{Found: 2}) || len(s) != 2 || s[1] != 4 {
		t.Errorf("%+v, starts %v", r, s)
	}
}

func TestFilesWithoutRecords(t *testing.T) {
	var c Chunk
	plain.Scan([]byte("a\n"), 2, 2, &c)
	for _, chunks := range [][]Chunk{nil, {c}} {
		if r := stitch(plain, []byte("a\n"), 2, true, chunks); r != (stitched{}) {
			t.Errorf("%+v", r)
		}
	}
}
