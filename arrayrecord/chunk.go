package arrayrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// ChunkHeaderSize is how many bytes stand before the data of a chunk.
const ChunkHeaderSize = 40

// A ChunkType says what a chunk is for.
type ChunkType byte

// The types of chunks.
const (
	Signature  ChunkType = 's' // the first of each file
	Metadata   ChunkType = 'm' // what a Riegeli file says of itself
	Padding    ChunkType = 'p' // zeros
	Records    ChunkType = 'r' // records
	Transposed ChunkType = 't' // records, messages whose fields are apart
)

// String names the type.
func (t ChunkType) String() string {
	switch t {
	case Signature:
		return "signature"
	case Metadata:
		return "metadata"
	case Padding:
		return "padding"
	case Records:
		return "records"
	case Transposed:
		return "transposed records"
	}
	return fmt.Sprintf("%q", byte(t))
}

// A ChunkHeader stands where a chunk begins.
type ChunkHeader struct {
	DataSize    uint64 // bytes of its data
	DataHash    uint64 // hash of its data
	Type        ChunkType
	Records     uint64 // how many records it holds, below 1<<56
	DecodedSize uint64 // bytes of its records, one directly after another
}

// Append appends the header to dst.
func (h *ChunkHeader) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, h.DataSize)
	dst = binary.LittleEndian.AppendUint64(dst, h.DataHash)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Type)|h.Records<<8)
	dst = binary.LittleEndian.AppendUint64(dst, h.DecodedSize)
	binary.LittleEndian.PutUint64(dst[start:], Hash(dst[start+8:]))
	return dst
}

// parseChunkHeader returns the header that b is; it is not ok where the hash is
// wrong.
func parseChunkHeader(b []byte) (h ChunkHeader, ok bool) {
	h.DataSize = binary.LittleEndian.Uint64(b[8:])
	h.DataHash = binary.LittleEndian.Uint64(b[16:])
	h.Type = ChunkType(b[24])
	h.Records = binary.LittleEndian.Uint64(b[24:]) >> 8
	h.DecodedSize = binary.LittleEndian.Uint64(b[32:])
	return h, Hash(b[8:ChunkHeaderSize]) == binary.LittleEndian.Uint64(b)
}

// HeadSize is how many bytes all files begin with.
const HeadSize = BlockHeaderSize + ChunkHeaderSize

// IsFile reports whether a file that begins with head is an ArrayRecord file. One of
// the two headers there may be damaged.
func IsFile(head []byte) bool {
	want := AppendHead(nil)
	return bytes.HasPrefix(head, want[:BlockHeaderSize]) || len(head) >= HeadSize && bytes.Equal(head[BlockHeaderSize:HeadSize], want[BlockHeaderSize:])
}

// AppendHead appends what all files begin with: the header of the first block, and
// the signature.
func AppendHead(dst []byte) []byte {
	dst = blockHeader{until: HeadSize}.append(dst)
	signature := ChunkHeader{DataHash: Hash(nil), Type: Signature}
	return signature.Append(dst)
}

// maxChunk is how many bytes the data of a chunk may have, and its records: one is
// held as a whole.
const maxChunk = 1 << 30

// plausible reports whether there is such a chunk, of those that are read.
func (h *ChunkHeader) plausible() bool {
	return h.Type.isKnown() && h.DataSize <= maxChunk && h.DecodedSize <= maxChunk && h.Records <= maxChunk
}

// isKnown reports whether there is such a type.
func (t ChunkType) isKnown() bool {
	switch t {
	case Signature, Metadata, Padding, Records, Transposed:
		return true
	}
	return false
}

// A chunk is one that was read.
type chunk struct {
	ChunkHeader
	begin, end int64
	data       []byte
	bad        string // what is wrong with it; or empty
	flaw       string // what is wrong around it, though its data is right; or empty
	group             // of a chunk of records
	unpacked   []byte // what the group stands in, where it was compressed
}

// start begins a chunk with its header.
func (c *chunk) start(at int64, h *head) {
	c.ChunkHeader = h.ChunkHeader
	c.begin = at
	c.end = End(at, ChunkHeaderSize+int64(h.DataSize), int64(h.Records))
	c.data, c.bad, c.flaw, c.group = c.data[:0], "", "", group{}
	if h.cut >= 0 {
		c.checkBlock(h.cut, h.block)
	}
}

// checkBlock holds the header of the block that begins at an offset against what it
// should be.
func (c *chunk) checkBlock(at int64, text []byte) {
	want := blockHeader{since: uint64(at - c.begin), until: uint64(c.end - at)}
	var b [BlockHeaderSize]byte
	if !bytes.Equal(want.append(b[:0]), text) {
		c.flaw = fmt.Sprintf("the header of the block at byte %d is damaged", at)
	}
}

// checkZeros looks at what follows the data.
func (c *chunk) checkZeros(at int64, text []byte) {
	for i, b := range text {
		if b != 0 {
			c.flaw = fmt.Sprintf("byte %d, which follows its chunk, is %d and not 0", at+int64(i), b)
			return
		}
	}
}
