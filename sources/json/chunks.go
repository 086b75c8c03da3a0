package document

import (
	"slices"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// chunks are the chunks of a mapped document. Find checks them for UTF-8, in parallel. Finish finds
// the rows, from the first chunk on.
type chunks struct {
	data   []byte
	first  int // offset of the first chunk
	size   int
	cutter *cutter
	starts [][]uint32 // by chunk
	valid  []bool     // by chunk: it is UTF-8
	bad    *schema.RowError
}

// NewChunks returns chunks that find the rows of a mapped document.
func (in *documentInput) NewChunks(data []byte, h *table.Head, n, size int) table.Chunks {
	return &chunks{
		data: data, first: min(h.First, len(data)), size: size, cutter: in.newCutter(),
		starts: make([][]uint32, n), valid: make([]bool, n),
	}
}

// Starts returns where rows begin in chunk i, from its beginning.
func (c *chunks) Starts(i int) []uint32 { return c.starts[i] }

// Find checks whether chunk i is UTF-8.
func (c *chunks) Find(i, lo, hi int, _ *table.Scratch) {
	c.valid[i] = utf8.Valid(c.data[lines.RuneEdge(c.data, lo):lines.RuneEdge(c.data, hi)])
}

// Finish finds the rows, one after another. The flags in check are set if a chunk is not UTF-8.
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
	if c.bad = c.cutter.FileError(); c.bad != nil && c.bad.At >= 0 {
		c.bad.At += at
	}
	if slices.Contains(c.valid, false) {
		check = table.CheckAll
	}
	return rows, 0, check
}

// FileError returns why the file is not a valid document, after Finish. Its At is an offset in the
// file.
func (c *chunks) FileError() *schema.RowError { return c.bad }
