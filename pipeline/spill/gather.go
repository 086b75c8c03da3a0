package spill

import (
	"encoding/binary"
	"io"
	"sync"

	"github.com/zeebo/xxh3"

	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
)

// A Segment is a range of a spill file that one worker gathered and wrote at once:
//
//	entries of bucket 0 | of bucket 1 | … | index: 8 end, 8 digest of each bucket
//
// Ends are relative to the start of the segment.
type Segment struct {
	Offset int64
	Bytes  int64 // of the entries; the index follows
}

// indexEntrySize is the size of a bucket's entry in the index, in bytes.
const indexEntrySize = 16

// A runWriter assigns ranges of a spill file to the workers that write it.
type runWriter struct {
	to     io.WriterAt
	id     uint64
	within *runWriter // that assigns the ranges of the file; nil if this one does

	mu       sync.Mutex
	size     int64
	segments []Segment
}

// reserveSegment returns the offset of a new segment with so many bytes of entries.
func (w *runWriter) reserveSegment(bytes int64, buckets int) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := bytes + int64(buckets*indexEntrySize)
	at := w.size
	if w.within != nil {
		at = w.within.reserve(n)
	}
	w.segments = append(w.segments, Segment{at, bytes})
	w.size += n
	return at
}

// ofOtherKind returns a writer of segments of another kind in the same file.
func (w *runWriter) ofOtherKind() *runWriter { return &runWriter{to: w.to, id: w.id, within: w} }

// reserve returns the offset of a new range that is not a segment.
func (w *runWriter) reserve(bytes int64) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.size
	w.size += bytes
	return at
}

// A gatherer gathers rows by bucket, in blocks of memory. When no block is free, it writes them as
// a segment. One goroutine may use it at a time.
type gatherer struct {
	entries
	ranges *rangeTable
	run    *runWriter

	blocks [][]byte       // allocated when they are first used
	size   int            // bytes per block
	next   []int32        // by block: the next block of the same bucket, or -1
	used   int            // number of blocks in use
	most   int            // largest number of blocks
	list   []bucketBlocks // by bucket
	bytes  int64
	header []byte
	index  []byte
	out    []byte // pending output
	outAt  int64  // its offset in the file
	digest *xxh3.Hasher

	totals []Bucket // by bucket, of all segments
}

// bucketBlocks has the blocks of one bucket.
type bucketBlocks struct {
	first, last int32 // numbers of blocks; -1 for none
	fill        int32 // bytes in the last block
}

// Blocks are small if there are many buckets, because the last block of each is half full on
// average.
const (
	minBlock = 4 << 10
	maxBlock = 16 << 10
)

func newGatherer(e entries, ranges *rangeTable, run *runWriter, memory int64) *gatherer {
	n := ranges.buckets
	size := minBlock
	for size < maxBlock && memory >= int64(8*size*n) {
		size *= 2
	}
	g := &gatherer{
		entries: e, ranges: ranges, run: run, size: size, most: max(int(memory)/size, 2*n),
		list: make([]bucketBlocks, n), out: make([]byte, 0, writeSize), digest: xxh3.New(),
		totals: make([]Bucket, n),
	}
	g.reset()
	return g
}

func (g *gatherer) reset() {
	for b := range g.list {
		g.list[b] = bucketBlocks{-1, -1, int32(g.size)} // full: the first row takes a block
	}
	g.used, g.bytes = 0, 0
}

// put adds a row to its bucket, with what decides about it together with other rows. For mark see marks.
func (g *gatherer) put(key uint64, r *rows.Row, of *rows.Pending, mark byte) error {
	n := g.entries.header + len(r.Data)
	b := g.ranges.bucket(key, r.File, r.Offset)
	g.totals[b].add(r.Split, g.ranks(r.Data), int64(n))
	if need := n/g.size + 1; g.used+need > g.most {
		if need > g.most { // no memory has room for it
			g.header = g.appendHeader(g.header[:0], key, r, of, mark)
			return g.writeSegment(b, g.header, r.Data)
		}
		if err := g.flush(); err != nil {
			return err
		}
	}
	g.bytes += int64(n)
	blocks := &g.list[b]
	if at := int(blocks.fill); at+n <= g.size {
		dst := g.blocks[blocks.last][at:]
		copy(dst[len(g.appendHeader(dst[:0], key, r, of, mark)):], r.Data)
		blocks.fill += int32(n)
		prefetch.Lines(dst[n:], n/prefetch.Line+2) // for the next row of the bucket
		return nil
	}
	g.header = g.appendHeader(g.header[:0], key, r, of, mark)
	g.add(blocks, g.header)
	g.add(blocks, r.Data)
	return nil
}

// add appends bytes to a bucket.
func (g *gatherer) add(of *bucketBlocks, data []byte) {
	for len(data) > 0 {
		if int(of.fill) == g.size {
			block := int32(g.used)
			if g.used++; g.used > len(g.blocks) {
				g.blocks, g.next = append(g.blocks, make([]byte, g.size)), append(g.next, -1)
			}
			g.next[block] = -1
			if of.last < 0 {
				of.first = block
			} else {
				g.next[of.last] = block
			}
			of.last, of.fill = block, 0
		}
		n := copy(g.blocks[of.last][of.fill:], data)
		of.fill += int32(n)
		data = data[n:]
	}
}

// flush writes all gathered rows as a segment.
func (g *gatherer) flush() error {
	if g.bytes == 0 {
		return nil
	}
	return g.writeSegment(0)
}

// writeSegment writes all gathered rows as a segment, with one more entry of a bucket, in parts.
func (g *gatherer) writeSegment(bucket int, more ...[]byte) error {
	for _, data := range more {
		g.bytes += int64(len(data))
	}
	g.outAt = g.run.reserveSegment(g.bytes, len(g.list))
	end := int64(0)
	g.index = g.index[:0]
	for b := range g.list {
		of := &g.list[b]
		g.digest.Reset()
		for block := of.first; block >= 0; block = g.next[block] {
			if err := g.writeEntries(g.filled(of, block), &end); err != nil {
				return err
			}
		}
		for i := 0; b == bucket && i < len(more); i++ {
			if err := g.writeEntries(more[i], &end); err != nil {
				return err
			}
		}
		g.index = binary.LittleEndian.AppendUint64(g.index, uint64(end))
		g.index = binary.LittleEndian.AppendUint64(g.index, g.digest.Sum64()^g.run.id)
	}
	g.reset()
	if err := g.write(g.index); err != nil {
		return err
	}
	return g.writeOut()
}

// writeEntries appends entries of a bucket to the segment being written, whose entries end at end.
func (g *gatherer) writeEntries(data []byte, end *int64) error {
	_, _ = g.digest.Write(data) // never fails
	*end += int64(len(data))
	return g.write(data)
}

// writeSize is the number of bytes per write: blocks are small, and many small writes cost much
// system time.
const writeSize = 256 << 10

// write appends data to the segment being written.
func (g *gatherer) write(data []byte) error {
	for len(data) > 0 {
		n := min(len(data), writeSize-len(g.out))
		g.out, data = append(g.out, data[:n]...), data[n:]
		if len(g.out) == writeSize {
			if err := g.writeOut(); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeOut writes the pending output.
func (g *gatherer) writeOut() error {
	_, err := g.run.to.WriteAt(g.out, g.outAt)
	g.outAt += int64(len(g.out))
	g.out = g.out[:0]
	return err
}

// filled returns the used bytes of a block of a bucket.
func (g *gatherer) filled(of *bucketBlocks, block int32) []byte {
	if block == of.last {
		return g.blocks[block][:of.fill]
	}
	return g.blocks[block]
}

// appendBucket appends the entries of a bucket that are in memory.
func (g *gatherer) appendBucket(dst []byte, b int) []byte {
	of := &g.list[b]
	for block := of.first; block >= 0; block = g.next[block] {
		dst = append(dst, g.filled(of, block)...)
	}
	return dst
}
