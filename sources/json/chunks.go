package document

import (
	"slices"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// chunks are the chunks of a mapped document. Find checks them; where rows begin
// Finish tells, from the first chunk on.
type chunks struct {
	data   []byte
	first  int // where the first chunk begins
	size   int
	cutter *cutter
	starts [][]uint32 // by chunk
	valid  []bool     // by chunk: it is UTF-8
	fault  *schema.RowError
}

// NewChunks finds the rows of a mapped document.
func (in *documentInput) NewChunks(data []byte, h *table.Head, n, size int) table.Chunks {
	return &chunks{
		data: data, first: min(h.First, len(data)), size: size, cutter: in.newCutter(),
		starts: make([][]uint32, n), valid: make([]bool, n),
	}
}

// Starts are where rows begin in a chunk.
func (c *chunks) Starts(i int) []uint32 { return c.starts[i] }

// Find checks that a chunk is UTF-8.
func (c *chunks) Find(i, lo, hi int, _ *table.Scratch) {
	c.valid[i] = utf8.Valid(c.data[lines.RuneEdge(c.data, lo):lines.RuneEdge(c.data, hi)])
}

// Finish finds the rows, one after another.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	at := c.first
	for {
		from := at
		n, kind, _, _ := c.cutter.Next(c.data[at:], true)
		if n == 0 {
			break
		}
		if at += n; kind != table.Row {
			continue
		}
		i := (from - c.first) / c.size
		c.starts[i] = append(c.starts[i], uint32(from-c.first-i*c.size))
		rows++
	}
	if c.fault = c.cutter.Fault(); c.fault != nil && c.fault.At >= 0 {
		c.fault.At += at
	}
	if slices.Contains(c.valid, false) {
		check = table.CheckAll
	}
	return rows, 0, check
}

// Fault is why the file is no document, after Finish; At is in the file.
func (c *chunks) Fault() *schema.RowError { return c.fault }
