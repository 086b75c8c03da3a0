package tar

import (
	"tfr-build/internal/tarfile"
	"tfr-build/sources/table"
)

// NewChunks finds the rows of a mapped archive, from header to header. The position of a header
// depends on all headers before it.
func (in *tarInput) NewChunks(data []byte, _ *table.Head, n, size int) table.Chunks {
	return &chunks{in: in, data: data, size: size, first: make([]int, n+1)}
}

// A chunks has the rows of one archive.
type chunks struct {
	in     *tarInput
	data   []byte
	size   int // of a chunk
	starts []uint32
	first  []int // by chunk: index of its first row in starts; then len(starts)
}

// Find does nothing: the bytes of a chunk alone do not show where a header is.
func (c *chunks) Find(int, int, int, *table.Scratch) {}

// Finish finds all rows, from header to header.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	g := newGrouper(c.in.limits)
	g.Start(&tarfile.Mapped{Data: c.data})
	chunk := 0
	for {
		r, err := g.Next()
		if err != nil { // io.EOF: reading memory has no other error
			break
		}
		for at := int(r.Offset) / c.size; chunk < at && chunk+1 < len(c.first)-1; {
			chunk++
			c.first[chunk] = len(c.starts)
		}
		c.starts = append(c.starts, uint32(int(r.Offset)-chunk*c.size))
	}
	for chunk++; chunk < len(c.first); chunk++ {
		c.first[chunk] = len(c.starts)
	}
	return len(c.starts), g.Skipped, 0
}

// Starts returns the offsets of rows in a chunk.
func (c *chunks) Starts(i int) []uint32 { return c.starts[c.first[i]:c.first[i+1]] }
