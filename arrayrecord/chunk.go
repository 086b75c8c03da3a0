package arrayrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// chunkHeaderSize is the size of a chunk's header, in bytes.
const chunkHeaderSize = 40

// A chunkType is the type of a chunk.
type chunkType byte

// The types of chunks.
const (
	signatureType  chunkType = 's' // the first chunk of each file
	metadataType   chunkType = 'm' // metadata of a Riegeli file
	paddingType    chunkType = 'p' // zeros
	recordsType    chunkType = 'r' // records
	transposedType chunkType = 't' // records, stored by the fields of their messages
)

// String returns the name of the type.
func (t chunkType) String() string {
	switch t {
	case signatureType:
		return "signature"
	case metadataType:
		return "metadata"
	case paddingType:
		return "padding"
	case recordsType:
		return "records"
	case transposedType:
		return "transposed records"
	}
	return fmt.Sprintf("%q", byte(t))
}

// A chunkHeader is the header of a chunk.
type chunkHeader struct {
	DataSize    uint64 // size of its data, in bytes
	DataHash    uint64 // hash of its data
	Type        chunkType
	Records     uint64 // number of its records, below 1<<56
	DecodedSize uint64 // sum of the sizes of its records, in bytes
}

// Append appends the header to dst.
func (h *chunkHeader) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, h.DataSize)
	dst = binary.LittleEndian.AppendUint64(dst, h.DataHash)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.Type)|h.Records<<8)
	dst = binary.LittleEndian.AppendUint64(dst, h.DecodedSize)
	binary.LittleEndian.PutUint64(dst[start:], hash(dst[start+8:]))
	return dst
}

// parseChunkHeader decodes the header in b. ok is false if the hash is wrong.
func parseChunkHeader(b []byte) (h chunkHeader, ok bool) {
	h.DataSize = binary.LittleEndian.Uint64(b[8:])
	h.DataHash = binary.LittleEndian.Uint64(b[16:])
	h.Type = chunkType(b[24])
	h.Records = binary.LittleEndian.Uint64(b[24:]) >> 8
	h.DecodedSize = binary.LittleEndian.Uint64(b[32:])
	return h, hash(b[8:chunkHeaderSize]) == binary.LittleEndian.Uint64(b)
}

// SignatureSize is the number of bytes that all files begin with.
const SignatureSize = blockHeaderSize + chunkHeaderSize

// IsFile reports whether a file that begins with head is an ArrayRecord file. One of the two
// headers in it may be damaged.
func IsFile(head []byte) bool {
	want := appendHead(nil)
	return bytes.HasPrefix(head, want[:blockHeaderSize]) || len(head) >= SignatureSize &&
		bytes.Equal(head[blockHeaderSize:SignatureSize], want[blockHeaderSize:])
}

// appendHead appends the bytes that all files begin with: the first block header, and the
// signature.
func appendHead(dst []byte) []byte {
	dst = blockHeader{until: SignatureSize}.append(dst)
	signature := chunkHeader{DataHash: hash(nil), Type: signatureType}
	return signature.append(dst)
}

// maxChunk is the largest size of a chunk's data, and of its records, in bytes. Chunks are read
// into memory completely.
const maxChunk = 1 << 30

// plausible reports whether such a chunk may exist and be read.
func (h *chunkHeader) plausible() bool {
	return h.Type.isKnown() && h.DataSize <= maxChunk && h.DecodedSize <= maxChunk && h.Records <= maxChunk
}

// isKnown reports whether t is a type of chunks.
func (t chunkType) isKnown() bool {
	switch t {
	case signatureType, metadataType, paddingType, recordsType, transposedType:
		return true
	}
	return false
}

// A chunk is a chunk that was read.
type chunk struct {
	chunkHeader
	begin, end   int64
	data         []byte
	dataError    string // error of its data, or empty
	blockError   string // error of a block header or of the padding, or empty; the data is valid
	group               // of a chunk of records
	decompressed []byte // decompressed sizes and values of the group
}

// start resets the chunk, which begins with header h at offset at.
func (c *chunk) start(at int64, h *head) {
	c.chunkHeader = h.chunkHeader
	c.begin = at
	c.end = chunkEnd(at, chunkHeaderSize+int64(h.DataSize), int64(h.Records))
	c.data, c.dataError, c.blockError, c.group = c.data[:0], "", "", group{}
	if h.cut >= 0 {
		c.checkBlock(h.cut, h.block)
	}
}

// checkBlock compares the block header at offset at with the expected one.
func (c *chunk) checkBlock(at int64, text []byte) {
	want := blockHeader{since: uint64(at - c.begin), until: uint64(c.end - at)}
	var b [blockHeaderSize]byte
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
