package records

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tfr-build/internal/prefetch"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// NewChunks finds the records of a mapped file by their headers.
func (in *recordInput) NewChunks(data []byte, _ *table.Head, n, size int) table.Chunks {
	c := &chunks{in: in, data: data, list: make([]chunk, n), reader: in.framedReader(bytes.NewReader(data), tfrecord.None)}
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
	damage walk // of all damaged stretches: Resync looks at so much of a file in vain
}

// A chunk is a stretch of the file. A record that begins in it may reach beyond.
type chunk struct {
	lo, hi int
	starts []uint32 // where records begin, as Find guesses and Finish knows
	end    int      // where the last of those ends that Find guessed
}

func (c *chunks) Starts(i int) []uint32 { return c.list[i].starts }

// Find follows the headers from the first on that has its right checksum. That may
// be one within a payload.
func (c *chunks) Find(i, lo, hi int, s *table.Scratch) {
	chunk := &c.list[i]
	starts := s[0][:0]
	at := lo
	if lo > 0 {
		at = c.search(lo, hi)
	}
	for at < hi {
		size, ok := c.record(at)
		if !ok {
			break
		}
		starts = append(starts, uint32(at-lo))
		at += size
		// Many files have records of one size: then a header that comes later is at hand.
		prefetch.Lines(c.data[min(at+ahead*size, len(c.data)):], 1)
	}
	chunk.end = at
	s[0], chunk.starts = starts, slices.Concat(starts)
}

// record is how long the record at an offset is; ok is false where none begins, or
// one that the file's end cuts off.
func (c *chunks) record(at int) (size int, ok bool) {
	return c.in.record(c.data[at:])
}

// ahead is how many records later a header is that Find asks for.
const ahead = 6

// search looks for the first header from lo on; without one it is hi.
func (c *chunks) search(lo, hi int) int {
	const each = 8
	looked := 0 // at bytes of what was no record; of a file that is made for it this would never end
	for at := lo; at < hi && at+8 <= len(c.data) && looked <= each*(hi-lo); at++ {
		if binary.LittleEndian.Uint64(c.data[at:]) > uint64(len(c.data)) {
			continue // at once: nearly all places are such
		}
		size, ok := c.record(at)
		if ok {
			return at
		}
		looked += min(size, len(c.data)-at)
	}
	return hi
}

// Finish settles where records begin, from the first chunk on.
func (c *chunks) Finish() (rows, blank int, check uint8) {
	at := 0
	for i := range c.list {
		at = c.settle(&c.list[i], at)
		rows += len(c.list[i].starts)
	}
	return rows, 0, 0
}

// settle settles a chunk: the first row that begins in it or after it begins at an
// offset. It gives that of the first row after the chunk.
func (c *chunks) settle(k *chunk, at int) int {
	guess := k.starts
	k.starts = nil
	if at >= k.hi {
		return at
	}
	if n, found := slices.BinarySearch(guess, uint32(at-k.lo)); found {
		k.starts, at = guess[n:], k.end
	}
	for at < k.hi {
		k.starts = append(k.starts, uint32(at-k.lo))
		if size, ok := c.record(at); ok {
			at += size
		} else {
			at = c.resync(at)
		}
	}
	return at
}

// resync is where the row ends that begins at an offset and is damaged.
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
