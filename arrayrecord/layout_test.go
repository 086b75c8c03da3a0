package arrayrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

// naiveLayout goes byte by byte, following the description of the format.
func naiveLayout(chunks []byte, pos int64) (out []byte) {
	for len(chunks) > 0 {
		size := chunkHeaderSize + int(binary.LittleEndian.Uint64(chunks[8:]))
		begin, end := pos, naiveEnd(pos, int64(size))
		for _, b := range chunks[:size] {
			if pos%blockSize == 0 {
				out = blockHeader{uint64(pos - begin), uint64(end - pos)}.append(out)
				pos += blockHeaderSize
			}
			out = append(out, b)
			pos++
		}
		chunks = chunks[size:]
	}
	return out
}

func TestLayOut(t *testing.T) {
	for _, size := range []int{0, 1, 100, 5000, usable, blockSize, 3*blockSize + 17} {
		chunks := batchOf(t, None, bytes.Repeat([]byte{7}, size), []byte("short"), bytes.Repeat([]byte{9}, size))
		for _, pos := range []int64{SignatureSize, blockSize - 41, blockSize - 1, blockSize, blockSize + 25,
			5*blockSize - 100} {
			want := naiveLayout(chunks, pos)
			if got := NewLayout(None).LayOut(bytes.Clone(chunks), pos); !bytes.Equal(got, want) {
				t.Errorf("chunks of %d bytes at %d are not as they should be", size, pos)
			}
		}
	}
}

// TestLayOutInPlace checks that nothing is copied if the capacity suffices.
func TestLayOutInPlace(t *testing.T) {
	chunks := append(make([]byte, 0, 4*blockSize), batchOf(t, None, make([]byte, 3*blockSize))...)
	if out := NewLayout(None).LayOut(chunks, SignatureSize); &out[0] != &chunks[0] {
		t.Error("chunks with room behind them were copied")
	}
}

// batchOf returns the chunks of some records.
func batchOf(t *testing.T, c Compression, records ...[]byte) (buf []byte) {
	t.Helper()
	b, err := NewBatch(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		buf = b.End(append(b.Begin(buf), r...))
	}
	b.Seal(buf)
	return buf
}

// TestPlaceInParts checks that the file does not depend on how many chunks are placed at once.
func TestPlaceInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var records [][]byte
	for range 400 {
		r := make([]byte, rng.IntN(1<<rng.IntN(14)))
		for i := range r {
			r[i] = byte(rng.IntN(5))
		}
		records = append(records, r)
	}
	for _, c := range []Compression{None, Zstd} {
		want := laid(t, c, records, len(records))
		for _, each := range []int{1, 3, 50} {
			if got := laid(t, c, records, each); !bytes.Equal(got, want) {
				t.Errorf("%s: %d records at a time give another file", c, each)
			}
		}
	}
}

// laid returns a file whose records are placed in groups of this size, each from its own Batch.
func laid(t *testing.T, c Compression, records [][]byte, each int) []byte {
	layout := NewLayout(c)
	file := layout.AppendHead(nil)
	for from := 0; from < len(records); from += each {
		chunks := batchOf(t, c, records[from:min(from+each, len(records))]...)
		file = append(file, layout.LayOut(chunks, int64(len(file)))...)
	}
	return layout.AppendTail(file, int64(len(file)))
}

// TestTail checks that a file ends with a separate block for the postscript, for every end of the
// footer.
func TestTail(t *testing.T) {
	for size := blockSize - 400; size < blockSize-100; size++ {
		file := laid(t, None, [][]byte{make([]byte, size)}, 1)
		if len(file)%blockSize != 0 {
			t.Fatalf("with a record of %d bytes the file has %d, which are not complete blocks", size, len(file))
		}
		end := file[len(file)-blockSize:]
		if h, ok := parseBlockHeader(end); !ok || h.since != 0 {
			t.Fatalf("with a record of %d bytes the last block begins within a chunk", size)
		}
		if h, ok := parseChunkHeader(end[blockHeaderSize:]); !ok || h.Type != recordsType || h.Records != 3 {
			t.Fatalf("with a record of %d bytes the last block does not begin with the postscript", size)
		}
	}
}

func TestCancel(t *testing.T) {
	b, err := NewBatch(None)
	if err != nil {
		t.Fatal(err)
	}
	buf := b.End(append(b.Begin(nil), "a"...))
	buf = b.Cancel(append(b.Begin(buf), "dropped"...))
	buf = b.End(append(b.Begin(buf), "bc"...))
	b.Seal(buf)
	if want := batchOf(t, None, []byte("a"), []byte("bc")); !bytes.Equal(buf, want) {
		t.Errorf("got %x, want %x", buf, want)
	}
}

// BenchmarkBatch makes chunks of records between the sizes of rows and of images.
func BenchmarkBatch(b *testing.B) {
	for _, size := range []int{100, 37_000} {
		for _, c := range []Compression{None, Zstd} {
			b.Run(fmt.Sprintf("%s-%d", c, size), func(b *testing.B) {
				batch, err := NewBatch(c)
				if err != nil {
					b.Fatal(err)
				}
				payload := bytes.Repeat([]byte("0123456789"), size/10)
				buf := make([]byte, 0, 1<<20)
				b.SetBytes(12 * int64(size))
				for b.Loop() {
					for range 12 {
						buf = batch.End(append(batch.Begin(buf), payload...))
					}
					batch.Seal(buf)
					buf = buf[:0]
				}
			})
		}
	}
}
