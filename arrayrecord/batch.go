package arrayrecord

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
)

// A Batch makes chunks in a buffer, one record per chunk and one chunk directly after another. A
// [Layout] then places them:
//
//	buf = batch.Begin(buf)
//	buf = appendPayload(buf)
//	buf = batch.End(buf)     // … and the next records
//	batch.Seal(buf)          // a dozen records later
//
// The bytes depend on the payloads alone. Use a Batch from one goroutine.
type Batch struct {
	compressor *compressor // nil without compression

	open   int   // offset of the chunk that was begun last
	width  int   // bytes of the varint reserved for the size of its record
	starts []int // offsets of the chunks that have ended and are not sealed
}

// NewBatch returns a Batch with this compression.
func NewBatch(c Compression) (*Batch, error) {
	b := &Batch{width: 1}
	var err error
	if c == Zstd {
		b.compressor, err = newCompressor()
	}
	return b, err
}

// prefixSize is the number of bytes before the size of the record in the data of an uncompressed
// chunk of one record: compression, and size of sizes.
const prefixSize = 2

// decodedSizeOffset is the offset of DecodedSize in the header of a chunk.
const decodedSizeOffset = 32

// room is more than the bytes before a payload.
var room [chunkHeaderSize + prefixSize + binary.MaxVarintLen64]byte

// Begin appends space for the bytes before a payload to dst: as many as the last record needed. The
// caller then appends the payload, and calls End.
func (b *Batch) Begin(dst []byte) []byte {
	b.open = len(dst)
	return append(dst, room[:chunkHeaderSize+prefixSize+b.width]...)
}

// End ends the record that was begun last. The record is complete after Seal.
func (b *Batch) End(dst []byte) []byte {
	b.starts = append(b.starts, b.open)
	data := b.open + chunkHeaderSize
	payload := dst[data+prefixSize+b.width:]
	size := uint64(len(payload))
	binary.LittleEndian.PutUint64(dst[b.open+decodedSizeOffset:], size)
	if b.compressor != nil {
		return b.compressor.appendData(dst[:data], payload)
	}
	if width := protowire.SizeVarint(size); width != b.width {
		dst = append(dst, room[:max(0, width-b.width)]...)
		copy(dst[data+prefixSize+width:], payload)
		dst = dst[:data+prefixSize+width+int(size)]
		b.width = width
	}
	dst[data], dst[data+1] = uncompressedData, byte(b.width)
	binary.PutUvarint(dst[data+prefixSize:], size)
	return dst
}

// Cancel removes the record that was begun last and has not ended.
func (b *Batch) Cancel(dst []byte) []byte { return dst[:b.open] }

// Seal completes the records that have ended since the last Seal. buf ends with the last of them.
func (b *Batch) Seal(buf []byte) {
	for i, start := range b.starts {
		end := len(buf) // chunks are adjacent, so each ends where the next one begins
		if i+1 < len(b.starts) {
			end = b.starts[i+1]
		}
		seal(buf[start:end])
	}
	b.Reset()
}

// seal writes the header of a chunk of one record.
func seal(chunk []byte) {
	data := chunk[chunkHeaderSize:]
	h := chunkHeader{
		DataSize: uint64(len(data)), DataHash: hash(data), Type: recordsType, Records: 1,
		DecodedSize: binary.LittleEndian.Uint64(chunk[decodedSizeOffset:]),
	}
	h.append(chunk[:0])
}

// Reset discards the records that are not sealed, if the buffer is discarded.
func (b *Batch) Reset() { b.starts = b.starts[:0] }

// A compressor compresses the data of chunks.
type compressor struct {
	encoder *zstd.Encoder
	sizes   []byte // the size of a record, compressed
	values  []byte // a record, compressed
	size    [binary.MaxVarintLen64]byte
}

// newCompressor returns a compressor. The bytes of datasets depend on its options.
func newCompressor() (*compressor, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<zstdWindow),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
	return &compressor{encoder: encoder}, err
}

// appendData appends the data of a chunk with one record. payload may be in the free capacity of
// dst.
func (p *compressor) appendData(dst, payload []byte) []byte {
	size := p.size[:binary.PutUvarint(p.size[:], uint64(len(payload)))]
	p.values = p.compress(p.values, payload)
	p.sizes = p.compress(p.sizes, size)
	dst = binary.AppendUvarint(append(dst, zstdData), uint64(len(p.sizes)))
	dst = append(dst, p.sizes...)
	return append(dst, p.values...)
}

// compress overwrites buf with the size of src followed by src, compressed.
func (p *compressor) compress(buf, src []byte) []byte {
	return p.encoder.EncodeAll(src, binary.AppendUvarint(buf[:0], uint64(len(src))))
}
