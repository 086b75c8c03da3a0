package tar

import (
	"tfr-build/internal/tarfile"
	"tfr-build/sources/table"
)

// NewChunks finds the rows of a mapped archive, from header to header. The position of a header
// depends on all headers before it.
func (in *tarInput) NewChunks(data []byte, _ *table.Head, n, size int) table.Chunks {
	return &chunks{table.NewListed(n, size), in, data}
}

// A chunks has the rows of one archive.
type chunks struct {
	table.Listed
	in   *tarInput
	data []byte
}

// Finish finds all rows, from header to header.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	g := newGrouper(c.in.limits)
	g.Start(&tarfile.Mapped{Data: c.data})
	for {
		r, err := g.Next()
		if err != nil { // io.EOF: reading memory has no other error
			return rows, g.Skipped, 0
		}
		c.Add(int(r.Offset))
		rows++
	}
}
