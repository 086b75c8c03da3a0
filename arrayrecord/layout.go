package arrayrecord

import (
	"encoding/binary"
	"slices"
)

// Sizes in addition to payloads, to estimate the size of a file.
const (
	Overhead  = 56            // approximate bytes per record: its chunk's header, and its entry in the footer
	EmptySize = 2 * blockSize // bytes of a file without records
)

// A Layout assigns offsets to the chunks of one file, one after another, and records them for the
// footer. The bytes of a chunk depend on its offset, because each block begins with a header, even
// in the middle of a chunk. So several goroutines can make chunks, each with its own [Batch]. The
// goroutine that knows the offset of the next chunk has the Layout:
//
//	out := layout.AppendHead(nil)   // at offset 0
//	out = layout.LayOut(chunks, pos) // pos: end of the bytes before, and so on
//	out = layout.AppendTail(nil, pos)
//
// It needs about 14 bytes of memory per record.
type Layout struct {
	compression Compression
	entries     []byte // the records of the footer after the first
	sizes       []byte // their sizes, one byte each
	records     uint64
	headers     []byte // block headers within the chunks that are being placed
}

// NewLayout returns the Layout of a file with this compression.
func NewLayout(c Compression) *Layout { return &Layout{compression: c} }

// AppendHead appends the beginning of the file.
func (l *Layout) AppendHead(dst []byte) []byte { return appendHead(dst) }

// LayOut inserts block headers into chunks of a Batch, which are at offset pos of the file. It works
// in place if the capacity suffices.
func (l *Layout) LayOut(chunks []byte, pos int64) []byte {
	l.headers = l.headers[:0]
	begin := pos
	for at := 0; at < len(chunks); {
		h := chunks[at:]
		size := int64(chunkHeaderSize + binary.LittleEndian.Uint64(h[8:]))
		l.addEntry(begin, binary.LittleEndian.Uint64(h[32:]), binary.LittleEndian.Uint64(h[24:])>>8)
		end := addWithOverhead(begin, size)
		l.headers = appendBlockHeaders(l.headers, begin, end)
		begin, at = end, at+int(size)
	}
	return insertHeaders(chunks, pos, l.headers)
}

// addEntry records a chunk for the footer.
func (l *Layout) addEntry(begin int64, decoded, records uint64) {
	before := len(l.entries)
	l.entries = appendField(l.entries, 1, uint64(begin))
	l.entries = appendField(l.entries, 2, decoded)
	l.entries = appendField(l.entries, 3, records)
	l.sizes = append(l.sizes, byte(len(l.entries)-before))
	l.records += records
}

// appendBlockHeaders appends the headers of the blocks that begin within a chunk.
func appendBlockHeaders(dst []byte, begin, end int64) []byte {
	for at := (begin + blockSize - 1) / blockSize * blockSize; at < end; at += blockSize {
		dst = blockHeader{uint64(at - begin), uint64(end - at)}.append(dst)
	}
	return dst
}

// insertHeaders inserts block headers into chunks at offset pos, from the last to the first.
func insertHeaders(chunks []byte, pos int64, headers []byte) []byte {
	from := len(chunks)
	to := from + len(headers)
	out := slices.Grow(chunks, len(headers))[:to]
	for len(headers) > 0 {
		block := int((pos+int64(to)-1)/blockSize*blockSize - pos) // the last block that begins before to
		n := to - block - blockHeaderSize
		copy(out[to-n:to], out[from-n:from])
		last := len(headers) - blockHeaderSize
		copy(out[block:], headers[last:])
		from, to, headers = from-n, block, headers[:last]
	}
	return out
}
