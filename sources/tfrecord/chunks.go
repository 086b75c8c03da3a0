package tfrecord

import (
	"bytes"

	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// NewChunks finds the records of a mapped file by their headers. The file is nothing but frames: others are streamed.
func (in *recordInput) NewChunks(data []byte, _ *table.Head, n, size int) table.Chunks {
	reader := in.newReader(bytes.NewReader(data), tfrecord.None).(*tfrecord.Reader)
	return &chunks{table.NewListed(n, size), data, reader, walk{in: in, reader: reader}}
}

// chunks has the rows of one file.
type chunks struct {
	table.Listed
	data   []byte
	reader *tfrecord.Reader
	damage walk // for all damaged ranges: it limits the bytes that Resync searches
}

// Finish finds all rows, from header to header.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	for at := 0; at < len(c.data); rows++ {
		c.Add(at)
		if size, ok := c.damage.in.recordSize(c.data[at:]); ok {
			at += size
		} else {
			at = c.resync(at)
		}
	}
	return rows, 0, 0
}

// resync returns where the damaged row at the offset ends.
func (c *chunks) resync(at int) int {
	w := &c.damage
	if c.reader.SkipTo(int64(at)) != nil {
		return len(c.data)
	}
	if _, err := w.next(); err != nil || w.ended {
		return len(c.data)
	}
	if _, err := w.reader.Length(); err != nil {
		return len(c.data)
	}
	return int(w.reader.Offset())
}
