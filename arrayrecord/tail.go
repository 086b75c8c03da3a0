package arrayrecord

import (
	"bytes"
	"encoding/binary"
)

// Constants of the messages at the end of all files.
const (
	formatVersion   = 1
	postscriptMagic = 0x71930e704fdae05e
	postscripts     = 3 // copies of the message
)

// AppendTail appends the end of the file: footer and postscript, each with the padding after it.
// pos is the end of the last chunk, and the offset of the tail.
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

// placeChunk inserts block headers into one chunk at offset pos.
func placeChunk(chunk []byte, pos int64) []byte {
	return insertHeaders(chunk, pos, appendBlockHeaders(nil, pos, addWithOverhead(pos, int64(len(chunk)))))
}

// footer returns the chunk with the offsets of the other chunks.
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

// postscript returns the chunk with the offset of the footer.
func postscript(footer int64) []byte {
	message := appendField(nil, 1, uint64(footer))
	message = appendField(message, 2, postscriptMagic)
	sizes := bytes.Repeat([]byte{byte(len(message))}, postscripts)
	return recordsChunk(sizes, bytes.Repeat(message, postscripts))
}

// padding returns a chunk of zeros that ends at the end of a block; nil if pos is at the end of a
// block. If the rest of the block is too small for a chunk, it ends with the block after it.
func padding(pos int64) []byte {
	room := -pos & (blockSize - 1)
	switch {
	case room == 0:
		return nil
	case room < chunkHeaderSize:
		room += blockSize - blockHeaderSize // except the block header in between
	}
	zeros := make([]byte, room-chunkHeaderSize)
	h := chunkHeader{DataSize: uint64(len(zeros)), DataHash: hash(zeros), Type: paddingType}
	return append(h.append(nil), zeros...)
}

// recordsChunk returns a chunk of uncompressed records. sizes has a varint per record, and values
// together are the records. It allocates the chunk once, because a footer is long.
func recordsChunk(sizes []byte, values ...[]byte) []byte {
	decoded := 0
	for _, v := range values {
		decoded += len(v)
	}
	chunk := make([]byte, chunkHeaderSize, chunkHeaderSize+prefixSize+binary.MaxVarintLen64+len(sizes)+decoded)
	chunk = binary.AppendUvarint(append(chunk, uncompressedData), uint64(len(sizes)))
	chunk = append(chunk, sizes...)
	for _, v := range values {
		chunk = append(chunk, v...)
	}
	data := chunk[chunkHeaderSize:]
	h := chunkHeader{DataSize: uint64(len(data)), DataHash: hash(data), Type: recordsType, Records: countVarints(sizes),
		DecodedSize: uint64(decoded)}
	h.append(chunk[:0])
	return chunk
}

// countVarints returns the number of varints in b. All bytes except the last of each have the high
// bit set.
func countVarints(b []byte) (n uint64) {
	for _, c := range b {
		n += uint64(^c >> 7)
	}
	return n
}

// appendField appends a varint field of a message. Its tag takes one byte.
func appendField(dst []byte, field byte, n uint64) []byte {
	return binary.AppendUvarint(append(dst, field<<3), n)
}

// appendBytes appends a string or a nested message.
func appendBytes(dst []byte, field byte, value string) []byte {
	dst = binary.AppendUvarint(append(dst, field<<3|2), uint64(len(value)))
	return append(dst, value...)
}
