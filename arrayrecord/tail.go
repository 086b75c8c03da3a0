package arrayrecord

import (
	"bytes"
	"encoding/binary"
)

// What the messages at the end hold, whatever the file holds.
const (
	formatVersion   = 1
	postscriptMagic = 0x71930e704fdae05e
	postscripts     = 3 // one message, several times
)

// AppendTail appends what the file ends with: footer and postscript, each with the
// padding after it. The last chunk ends at pos, and that is where it stands.
func (l *Layout) AppendTail(dst []byte, pos int64) []byte {
	start, footer := len(dst), pos
	add := func(chunk []byte) {
		dst = append(dst, placeChunk(chunk, pos)...)
		pos = footer + int64(len(dst)-start)
	}
	add(l.footer())
	add(padding(pos))
	add(postscript(footer))
	add(padding(pos))
	return dst
}

// placeChunk returns one chunk as it is in the file from pos on.
func placeChunk(chunk []byte, pos int64) []byte {
	return insertHeaders(chunk, pos, appendBlockHeaders(nil, pos, AddWithOverhead(pos, int64(len(chunk)))))
}

// footer is the chunk that says where the others begin.
func (l *Layout) footer() []byte {
	var about []byte
	about = appendField(about, 1, formatVersion)
	about = appendField(about, 2, uint64(len(l.sizes)))
	about = appendField(about, 3, l.records)
	about = appendBytes(about, 4, l.compression.options())
	first := appendBytes(nil, 1, string(about))
	sizes := binary.AppendUvarint(nil, uint64(len(first)))
	return recordsChunk(append(sizes, l.sizes...), first, l.entries)
}

// postscript is the chunk that says where the footer begins.
func postscript(footer int64) []byte {
	message := appendField(nil, 1, uint64(footer))
	message = appendField(message, 2, postscriptMagic)
	sizes := bytes.Repeat([]byte{byte(len(message))}, postscripts)
	return recordsChunk(sizes, bytes.Repeat(message, postscripts))
}

// padding is the chunk of zeros that ends where a block does; nothing where pos does.
// If no chunk fits there, it ends with the block after it.
func padding(pos int64) []byte {
	room := -pos & (BlockSize - 1)
	switch {
	case room == 0:
		return nil
	case room < ChunkHeaderSize:
		room += BlockSize - BlockHeaderSize // but for the header in between
	}
	zeros := make([]byte, room-ChunkHeaderSize)
	h := ChunkHeader{DataSize: uint64(len(zeros)), DataHash: Hash(zeros), Type: Padding}
	return append(h.Append(nil), zeros...)
}

// recordsChunk is a chunk of records that are not compressed. sizes has a varint for
// each, and values are all of them. It is made in one piece, as the footer is long.
func recordsChunk(sizes []byte, values ...[]byte) []byte {
	decoded := 0
	for _, v := range values {
		decoded += len(v)
	}
	chunk := make([]byte, ChunkHeaderSize, ChunkHeaderSize+prefixSize+binary.MaxVarintLen64+len(sizes)+decoded)
	chunk = binary.AppendUvarint(append(chunk, uncompressedData), uint64(len(sizes)))
	chunk = append(chunk, sizes...)
	for _, v := range values {
		chunk = append(chunk, v...)
	}
	data := chunk[ChunkHeaderSize:]
	h := ChunkHeader{DataSize: uint64(len(data)), DataHash: Hash(data), Type: Records, Records: countVarints(sizes), DecodedSize: uint64(decoded)}
	h.Append(chunk[:0])
	return chunk
}

// countVarints counts the numbers in b: all but their last bytes have the high bit.
func countVarints(b []byte) (n uint64) {
	for _, c := range b {
		n += uint64(^c >> 7)
	}
	return n
}

// appendField appends a number of a message; its tag takes one byte.
func appendField(dst []byte, field byte, n uint64) []byte {
	return binary.AppendUvarint(append(dst, field<<3), n)
}

// appendBytes appends a string or a message within a message.
func appendBytes(dst []byte, field byte, value string) []byte {
	dst = binary.AppendUvarint(append(dst, field<<3|2), uint64(len(value)))
	return append(dst, value...)
}
