package tfrecord

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tfr-build/internal/prefetch"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// NewChunks returns chunks that find the records of a mapped file by their headers. The file is
// nothing but frames: others are streamed.
func (in *recordInput) NewChunks(data []byte, _ *table.Head, n, size int) table.Chunks {
	c := &chunks{in: in, data: data, list: make([]chunk, n),
		reader: in.newReader(bytes.NewReader(data), tfrecord.None).(*tfrecord.Reader)}
	c.damage = walk{in: in, reader: c.reader}
	for i := range c.list {
		c.list[i].lo, c.list[i].hi = i*size, min((i+1)*size, len(data))
	}
	return c
}

// chunks are the chunks of one file.
type chunks struct {
	in     *recordInput
	data   []byte
	list   []chunk
	reader *tfrecord.Reader
	damage walk // for all damaged ranges: it limits the bytes that Resync searches
}

// A chunk is a range of the file. A record that begins in it may reach beyond it.
type chunk struct {
	lo, hi int
	starts []uint32 // where records begin: a guess after Find, final after Finish
	end    int      // where the last record that Find guessed ends
}

func (c *chunks) Starts(i int) []uint32 { return c.list[i].starts }

// Find follows the headers from the first header with a right checksum. That header may be part of
// a payload.
func (c *chunks) Find(i, lo, hi int, s *table.Scratch) {
	chunk := &c.list[i]
	starts := s[0][:0]
	at := lo
	if lo > 0 {
		at = c.search(lo, hi)
	}
	for at < hi {
		size, ok := c.recordSize(at)
		if !ok {
			break
		}
		starts = append(starts, uint32(at-lo))
		at += size
		// In many files all records have the same size: then this is the address of a header.
		prefetch.Lines(c.data[min(at+prefetchDistance*size, len(c.data)):], 1)
	}
	chunk.end = at
	s[0], chunk.starts = starts, slices.Concat(starts)
}

// recordSize returns the length of the record at the offset. If the record is not complete, or the
// bytes are not a record, ok is false.
func (c *chunks) recordSize(at int) (size int, ok bool) {
	return c.in.recordSize(c.data[at:])
}

// prefetchDistance is how many records ahead Find prefetches a header.
const prefetchDistance = 6

// search returns the offset of the first header from lo on, or hi.
func (c *chunks) search(lo, hi int) int {
	const each = 8
	// looked is the number of bytes read of wrong records. It is limited, because a malicious file
	// could take quadratic time.
	looked := 0
	for at := lo; at < hi && at+8 <= len(c.data) && looked <= each*(hi-lo); at++ {
		if binary.LittleEndian.Uint64(c.data[at:]) > uint64(len(c.data)) {
			continue // the fast path: nearly all offsets
		}
		size, ok := c.recordSize(at)
		if ok {
			return at
		}
		looked += min(size, len(c.data)-at)
	}
	return hi
}

// Finish decides where records begin, from the first chunk on.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	at := 0
	for i := range c.list {
		at = c.settle(&c.list[i], at)
		rows += len(c.list[i].starts)
	}
	return rows, 0, 0
}

// settle decides where the records of a chunk begin. The first row that begins in or after the
// chunk is at the offset at. It returns the offset of the first row after the chunk.
func (c *chunks) settle(k *chunk, at int) int {
	guess := k.starts
	k.starts = nil
	if at >= k.hi {
		return at
	}
	// From a start that was guessed right, all others are: each record says where the next one begins.
	if n, found := slices.BinarySearch(guess, uint32(at-k.lo)); found {
		k.starts, at = guess[n:], k.end
	}
	for at < k.hi {
		k.starts = append(k.starts, uint32(at-k.lo))
		if size, ok := c.recordSize(at); ok {
			at += size
		} else {
			at = c.resync(at)
		}
	}
	return at
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
