package arrayrecord

import "encoding/binary"

const (
	// blockSize is the size of a block, including its header, in bytes.
	blockSize = 1 << 16

	// blockHeaderSize is the size of the header at the beginning of each block, in bytes.
	blockHeaderSize = 24

	usable = blockSize - blockHeaderSize // bytes of a block for chunks
)

// addWithOverhead returns the end of n bytes of a chunk that begin at pos. It adds n and the sizes
// of the block headers between them.
func addWithOverhead(pos, n int64) int64 {
	blocks := (n + (pos+usable-1)%blockSize) / usable
	return pos + n + blocks*blockHeaderSize
}

// roundUp returns the first offset from pos on where a chunk may begin: not within a block header,
// and not directly after it.
func roundUp(pos int64) int64 {
	return pos + max(0, (blockSize-pos%blockSize)%blockSize-(usable-1))
}

// chunkEnd returns the end of a chunk. size is the size of its header and its data together. Each record
// has its own offset within the chunk, so a chunk of many empty records is longer than its data.
func chunkEnd(begin, size, records int64) int64 {
	return max(addWithOverhead(begin, size), roundUp(begin+records))
}

// A blockHeader is the header of a block.
type blockHeader struct {
	since uint64 // bytes since the start of the interrupted chunk
	until uint64 // bytes until its end
}

// append appends the header to dst.
func (h blockHeader) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, h.since)
	dst = binary.LittleEndian.AppendUint64(dst, h.until)
	binary.LittleEndian.PutUint64(dst[start:], hash(dst[start+8:]))
	return dst
}

// parseBlockHeader decodes the header at the beginning of b. ok is false if the hash is wrong.
func parseBlockHeader(b []byte) (h blockHeader, ok bool) {
	h.since = binary.LittleEndian.Uint64(b[8:])
	h.until = binary.LittleEndian.Uint64(b[16:])
	return h, hash(b[8:blockHeaderSize]) == binary.LittleEndian.Uint64(b)
}
