package spill

import (
	"encoding/binary"
	"io"
	"sync"

	"github.com/zeebo/xxh3"

	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
)

// A Segment is a stretch of a run that one worker gathered and wrote at once:
//
//	entries of bucket 0 | of bucket 1 | … | index: 8 end, 8 digest of each bucket
//
// Ends are relative to the segment.
type Segment struct {
	Offset int64 `json:"offset"`
	Bytes  int64 `json:"bytes"` // of the entries, which the index follows
}

// extentSize is what the index has of a bucket.
const extentSize = 16

// A runWriter is a run that workers write.
type runWriter struct {
	to io.WriterAt
	id uint64

	mu       sync.Mutex
	size     int64
	segments []Segment
}

// take takes room for a segment with so many bytes of entries.
func (w *runWriter) take(bytes int64, buckets int) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.size
	w.segments = append(w.segments, Segment{at, bytes})
	w.size += bytes + int64(buckets*extentSize)
	return at
}

// room takes room for so many bytes that are no segment.
func (w *runWriter) room(bytes int64) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.size
	w.size += bytes
	return at
}

// A gatherer gathers rows by bucket, in blocks of memory, and writes them as a segment
// when no block is left. It belongs to one goroutine.
type gatherer struct {
	entries
	grid *Grid
	run  *runWriter

	memory []byte
	size   int     // of a block
	next   []int32 // by block: the next of its bucket
	used   int     // so many blocks are taken
	list   []gathered
	bytes  int64
	header []byte
	index  []byte
	out    []byte // of a segment, what is to be written
	outAt  int64  // and where
	digest *xxh3.Hasher

	all []Bucket // of all segments
}

// gathered is what is gathered of a bucket.
type gathered struct {
	first, last int32 // of its blocks; -1 for none
	fill        int32 // bytes of the last one
}

// Blocks are small where there are many buckets, as most have one that is half full.
const (
	leastBlock = 4 << 10
	mostBlock  = 16 << 10
)

func newGatherer(e entries, grid *Grid, run *runWriter, memory int64) *gatherer {
	n := grid.buckets
	size := leastBlock
	for size < mostBlock && memory >= int64(8*size*n) {
		size *= 2
	}
	blocks := max(int(memory)/size, 2*n)
	g := &gatherer{
		entries: e, grid: grid, run: run, memory: make([]byte, blocks*size), size: size, next: make([]int32, blocks),
		list: make([]gathered, n), out: make([]byte, 0, mostOut+mostBlock), digest: xxh3.New(), all: make([]Bucket, n),
	}
	g.empty()
	return g
}

func (g *gatherer) empty() {
	for b := range g.list {
		g.list[b] = gathered{-1, -1, int32(g.size)}
	}
	g.used, g.bytes = 0, 0
}

// put adds a row.
func (g *gatherer) put(key uint64, r *rows.Row, bad byte) error {
	n := g.entries.header + len(r.Data)
	if need := n/g.size + 1; g.used+need > len(g.next) {
		if err := g.flush(); err != nil {
			return err
		}
		if need > len(g.next) {
			return g.alone(key, r, bad)
		}
	}
	b := g.grid.bucket(key, r.File, r.Offset)
	g.all[b].add(r.Split, 1, int64(n))
	g.bytes += int64(n)
	of := &g.list[b]
	if at := int(of.fill); at+n <= g.size {
		dst := g.memory[int(of.last)*g.size+at:]
		copy(dst[len(g.appendHeader(dst[:0], key, r, bad)):], r.Data)
		of.fill += int32(n)
		prefetch.Lines(dst[n:], n/prefetch.Line+2) // for the next row of the bucket
		return nil
	}
	g.header = g.appendHeader(g.header[:0], key, r, bad)
	g.add(of, g.header)
	g.add(of, r.Data)
	return nil
}

// add adds bytes to a bucket.
func (g *gatherer) add(of *gathered, data []byte) {
	for len(data) > 0 {
		if int(of.fill) == g.size {
			block := int32(g.used)
			g.used++
			g.next[block] = -1
			if of.last < 0 {
				of.first = block
			} else {
				g.next[of.last] = block
			}
			of.last, of.fill = block, 0
		}
		at := int(of.last) * g.size
		n := copy(g.memory[at+int(of.fill):at+g.size], data)
		of.fill += int32(n)
		data = data[n:]
	}
}

// flush writes what is gathered.
func (g *gatherer) flush() error {
	if g.bytes == 0 {
		return nil
	}
	g.outAt = g.run.take(g.bytes, len(g.list))
	end := int64(0)
	g.index = g.index[:0]
	for b := range g.list {
		of := &g.list[b]
		g.digest.Reset()
		for block := of.first; block >= 0; block = g.next[block] {
			data := g.memory[int(block)*g.size:][:g.size]
			if block == of.last {
				data = data[:of.fill]
			}
			_, _ = g.digest.Write(data) // never fails
			if err := g.write(data); err != nil {
				return err
			}
			end += int64(len(data))
		}
		g.endExtent(end)
	}
	g.empty()
	if err := g.write(g.index); err != nil {
		return err
	}
	return g.writeOut()
}

// mostOut is how much is written at once, about: blocks are small, and many small
// writes cost the system much.
const mostOut = 256 << 10

// write writes data behind what was written of a segment.
func (g *gatherer) write(data []byte) error {
	g.out = append(g.out, data...)
	if len(g.out) < mostOut {
		return nil
	}
	return g.writeOut()
}

// writeOut writes what is to be written.
func (g *gatherer) writeOut() error {
	_, err := g.run.to.WriteAt(g.out, g.outAt)
	g.outAt += int64(len(g.out))
	g.out = g.out[:0]
	return err
}

// endExtent notes the end of a bucket in the index.
func (g *gatherer) endExtent(end int64) {
	g.index = binary.LittleEndian.AppendUint64(g.index, uint64(end))
	g.index = binary.LittleEndian.AppendUint64(g.index, g.digest.Sum64()^g.run.id)
}

// alone writes a segment of one row, which is larger than what is gathered.
func (g *gatherer) alone(key uint64, r *rows.Row, bad byte) error {
	g.header = g.appendHeader(g.header[:0], key, r, bad)
	n := int64(len(g.header) + len(r.Data))
	of := g.grid.bucket(key, r.File, r.Offset)
	g.all[of].add(r.Split, 1, n)
	at := g.run.take(n, len(g.list))
	g.index = g.index[:0]
	end := int64(0)
	for b := range g.list {
		g.digest.Reset()
		if b == of {
			_, _ = g.digest.Write(g.header)
			_, _ = g.digest.Write(r.Data)
			end = n
		}
		g.endExtent(end)
	}
	for _, data := range [][]byte{g.header, r.Data, g.index} {
		if _, err := g.run.to.WriteAt(data, at); err != nil {
			return err
		}
		at += int64(len(data))
	}
	return nil
}
