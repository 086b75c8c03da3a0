package arrayrecord

import (
	"encoding/binary"
	"slices"
)

// What a file has beside its payloads, for who foresees its size.
const (
	Overhead  = 56            // about, for each record: its chunk's header, and its entry in the footer
	EmptySize = 2 * BlockSize // of a file without records
)

// A Layout gives the chunks of one file their places, one after another, and
// remembers these for the footer. The bytes of a chunk depend on where it stands,
// since each block has a header wherever in a chunk it begins. So records become
// chunks by several goroutines, in a [Batch] each, and one that knows where the next
// chunk begins has the Layout:
//
//	out := layout.AppendHead(nil)  // stands at 0
//	out = layout.Place(chunks, pos) // where what was before it ends, and so on
//	out = layout.AppendTail(nil, pos)
//
// It holds about 14 bytes for each record.
type Layout struct {
	compression Compression
	entries     []byte // the records of the footer after the first
	sizes       []byte // of these, a byte each
	records     uint64
	headers     []byte // of the blocks that begin within what is placed
}

// NewLayout returns the Layout of a file whose records are compressed so.
func NewLayout(c Compression) *Layout { return &Layout{compression: c} }

// AppendHead appends what the file begins with.
func (l *Layout) AppendHead(dst []byte) []byte { return AppendHead(dst) }

// Place returns chunks that a Batch made as they are in the file from pos on. They
// move apart in place where their capacity has the room.
func (l *Layout) Place(chunks []byte, pos int64) []byte {
	l.headers = l.headers[:0]
	begin := pos
	for at := 0; at < len(chunks); {
		h := chunks[at:]
		size := int64(ChunkHeaderSize + binary.LittleEndian.Uint64(h[8:]))
		l.enter(begin, binary.LittleEndian.Uint64(h[32:]), binary.LittleEndian.Uint64(h[24:])>>8)
		end := AddWithOverhead(begin, size)
		l.headers = appendBlockHeaders(l.headers, begin, end)
		begin, at = end, at+int(size)
	}
	return insertHeaders(chunks, pos, l.headers)
}

// enter remembers a chunk for the footer.
func (l *Layout) enter(begin int64, decoded, records uint64) {
	before := len(l.entries)
	l.entries = appendField(l.entries, 1, uint64(begin))
	l.entries = appendField(l.entries, 2, decoded)
	l.entries = appendField(l.entries, 3, records)
	l.sizes = append(l.sizes, byte(len(l.entries)-before))
	l.records += records
}

// appendBlockHeaders appends the headers of the blocks that begin within a chunk.
func appendBlockHeaders(dst []byte, begin, end int64) []byte {
	for at := (begin + BlockSize - 1) / BlockSize * BlockSize; at < end; at += BlockSize {
		dst = blockHeader{uint64(at - begin), uint64(end - at)}.append(dst)
	}
	return dst
}

// insertHeaders moves chunks that stand at pos apart, and puts the headers of blocks
// between, from the last to the first.
func insertHeaders(chunks []byte, pos int64, headers []byte) []byte {
	from := len(chunks)
	to := from + len(headers)
	out := slices.Grow(chunks, len(headers))[:to]
	for len(headers) > 0 {
		block := int((pos+int64(to)-1)/BlockSize*BlockSize - pos) // the last one that begins before to
		n := to - block - BlockHeaderSize
		copy(out[to-n:to], out[from-n:from])
		last := len(headers) - BlockHeaderSize
		copy(out[block:], headers[last:])
		from, to, headers = from-n, block, headers[:last]
	}
	return out
}
