package arrayrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// ChunkHeaderSize is the size of a chunk's header, in bytes.
const ChunkHeaderSize = 40

// A ChunkType is the type of a chunk.
type ChunkType byte

// The types of chunks.
const (
	Signature  ChunkType = 's' // the first chunk of each file
	Metadata   ChunkType = 'm' // metadata of a Riegeli file
	Padding    ChunkType = 'p' // zeros
	Records    ChunkType = 'r' // records
	Transposed ChunkType = 't' // records, stored by the fields of their messages
)

// String returns the name of the type.
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

// A ChunkHeader is the header of a chunk.
type ChunkHeader struct {
	DataSize    uint64 // size of its data, in bytes
	DataHash    uint64 // hash of its data
	Type        ChunkType
	Records     uint64 // number of its records, below 1<<56
	DecodedSize uint64 // sum of the sizes of its records, in bytes
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

// parseChunkHeader decodes the header in b. ok is false if the hash is wrong.
func parseChunkHeader(b []byte) (h ChunkHeader, ok bool) {
	h.DataSize = binary.LittleEndian.Uint64(b[8:])
	h.DataHash = binary.LittleEndian.Uint64(b[16:])
	h.Type = ChunkType(b[24])
	h.Records = binary.LittleEndian.Uint64(b[24:]) >> 8
	h.DecodedSize = binary.LittleEndian.Uint64(b[32:])
	return h, Hash(b[8:ChunkHeaderSize]) == binary.LittleEndian.Uint64(b)
}

// HeadSize is the number of bytes that all files begin with.
const HeadSize = BlockHeaderSize + ChunkHeaderSize

// IsFile reports whether a file that begins with head is an ArrayRecord file. One of the two
// headers in it may be damaged.
func IsFile(head []byte) bool {
	want := AppendHead(nil)
	return bytes.HasPrefix(head, want[:BlockHeaderSize]) || len(head) >= HeadSize && bytes.Equal(head[BlockHeaderSize:HeadSize], want[BlockHeaderSize:])
}

// AppendHead appends the bytes that all files begin with: the first block header, and the
// signature.
func AppendHead(dst []byte) []byte {
	dst = blockHeader{until: HeadSize}.append(dst)
	signature := ChunkHeader{DataHash: Hash(nil), Type: Signature}
	return signature.Append(dst)
}

// maxChunk is the largest size of a chunk's data, and of its records, in bytes. Chunks are read
// into memory completely.
const maxChunk = 1 << 30

// plausible reports whether such a chunk may exist and be read.
func (h *ChunkHeader) plausible() bool {
	return h.Type.isKnown() && h.DataSize <= maxChunk && h.DecodedSize <= maxChunk && h.Records <= maxChunk
}

// isKnown reports whether t is a type of chunks.
func (t ChunkType) isKnown() bool {
	switch t {
	case Signature, Metadata, Padding, Records, Transposed:
		return true
	}
	return false
}

// A chunk is a chunk that was read.
type chunk struct {
	ChunkHeader
	begin, end   int64
	data         []byte
	dataError    string // error of its data, or empty
	blockError   string // error of a block header or of the padding, or empty; the data is valid
	group               // of a chunk of records
	decompressed []byte // decompressed sizes and values of the group
}

// start resets the chunk, which begins with header h at offset at.
func (c *chunk) start(at int64, h *head) {
	c.ChunkHeader = h.ChunkHeader
	c.begin = at
	c.end = End(at, ChunkHeaderSize+int64(h.DataSize), int64(h.Records))
	c.data, c.dataError, c.blockError, c.group = c.data[:0], "", "", group{}
	if h.cut >= 0 {
		c.checkBlock(h.cut, h.block)
	}
}

// checkBlock compares the block header at offset at with the expected one.
func (c *chunk) checkBlock(at int64, text []byte) {
	want := blockHeader{since: uint64(at - c.begin), until: uint64(c.end - at)}
	var b [BlockHeaderSize]byte
	if !bytes.Equal(want.append(b[:0]), text) {
		c.blockError = fmt.Sprintf("the header of the block at byte %d is damaged", at)
	}
}

// checkZeros checks that the bytes after the data are zeros.
func (c *chunk) checkZeros(at int64, text []byte) {
	for i, b := range text {
		if b != 0 {
			c.blockError = fmt.Sprintf("byte %d, which follows its chunk, is %d and not 0", at+int64(i), b)
			return
		}
	}
}
