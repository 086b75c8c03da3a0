package arrayrecord

import "encoding/binary"

const (
	// BlockSize is how many bytes of a file a block has, its header counted.
	BlockSize = 1 << 16

	// BlockHeaderSize is how many bytes stand at the beginning of each block.
	BlockHeaderSize = 24

	usable = BlockSize - BlockHeaderSize // bytes of a block that are a chunk's
)

// AddWithOverhead returns where n bytes of a chunk end that begin at pos: as many
// bytes further, and the headers of the blocks that begin there.
func AddWithOverhead(pos, n int64) int64 {
	blocks := (n + (pos+usable-1)%BlockSize) / usable
	return pos + n + blocks*BlockHeaderSize
}

// RoundUp returns the first offset, no lower than pos, where a chunk may begin:
// not within the header of a block, nor directly after it.
func RoundUp(pos int64) int64 {
	return pos + max(0, (BlockSize-pos%BlockSize)%BlockSize-(usable-1))
}

// End returns where a chunk ends that begins at an offset, with the size of its
// header and its data together. Each of its records has an offset of its own
// within it, so that a chunk of many empty records is longer than its data.
func End(begin, size, records int64) int64 {
	return max(AddWithOverhead(begin, size), RoundUp(begin+records))
}

// A blockHeader stands where a block begins.
type blockHeader struct {
	since uint64 // bytes since the chunk began that is cut here
	until uint64 // bytes until it ends
}

// append appends the header to dst.
func (h blockHeader) append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, h.since)
	dst = binary.LittleEndian.AppendUint64(dst, h.until)
	binary.LittleEndian.PutUint64(dst[start:], Hash(dst[start+8:]))
	return dst
}

// parseBlockHeader returns the header that b begins with; it is not ok where the
// hash is wrong.
func parseBlockHeader(b []byte) (h blockHeader, ok bool) {
	h.since = binary.LittleEndian.Uint64(b[8:])
	h.until = binary.LittleEndian.Uint64(b[16:])
	return h, Hash(b[8:BlockHeaderSize]) == binary.LittleEndian.Uint64(b)
}
