package input

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestBytes takes memory for rows of files of random sizes. Nothing is overwritten, and all rows together take hardly
// more than the largest one.
func TestBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var m Bytes
	for row := range 200 {
		m.Reset()
		var files [][]byte
		for i := range rnd.IntN(60) {
			n := rnd.IntN(300_000)
			data := m.Take(n)
			if len(data) != 0 || cap(data) != n {
				t.Fatalf("%d bytes, and room for %d; expected %d", len(data), cap(data), n)
			}
			files = append(files, append(data, bytes.Repeat([]byte{byte(row + i)}, n)...))
		}
		for i, data := range files {
			if bytes.Count(data, []byte{byte(row + i)}) != len(data) {
				t.Fatalf("row %d: file %d was overwritten", row, i)
			}
		}
	}
	const most = 60 * 300_000 * 5 / 4
	if m.size > most {
		t.Errorf("%d bytes in %d chunks, expected at most %d", m.size, len(m.chunks), most)
	}
}

// TestBytesReplacesChunks takes memory for single files, each larger than the one before.
func TestBytesReplacesChunks(t *testing.T) {
	var m Bytes
	for n := range 100 {
		m.Reset()
		m.Take(n << 16)
	}
	if len(m.chunks) != 1 || m.size > 110<<16 {
		t.Errorf("%d chunks of %d bytes", len(m.chunks), m.size)
	}
}
