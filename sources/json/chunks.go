package json

import (
	"slices"
	"unicode/utf8"

	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// chunks are the chunks of a mapped document. Find checks them for UTF-8, in parallel. Finish finds
// the rows, from the first chunk on.
type chunks struct {
	*table.Serial
	data  []byte
	valid []bool // by chunk: it is UTF-8
}

// NewChunks returns chunks that find the rows of a mapped document.
func (in *documentInput) NewChunks(data []byte, h *table.Head, n, size int) table.Chunks {
	return &chunks{table.NewSerial(in.newCutter(), data, h, n, size), data, make([]bool, n)}
}

// Find checks whether chunk i is UTF-8.
func (c *chunks) Find(i, lo, hi int, _ *table.Scratch) {
	c.valid[i] = utf8.Valid(c.data[lines.RuneEdge(c.data, lo):lines.RuneEdge(c.data, hi)])
}

// Finish finds the rows, one after another. The flags in check are set if a chunk is not UTF-8.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	rows, _, _ = c.Serial.Finish()
	if slices.Contains(c.valid, false) {
		check = table.CheckAll
	}
	return rows, 0, check
}
