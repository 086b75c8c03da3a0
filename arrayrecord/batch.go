package arrayrecord

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/protobuf/encoding/protowire"
)

// A Batch makes chunks of records in a buffer, one record a chunk and one chunk
// directly after another, for a [Layout] to place:
//
//	buf = batch.Begin(buf)
//	buf = appendPayload(buf)
//	buf = batch.End(buf)     // … and the next records
//	batch.Seal(buf)          // a dozen records later
//
// Their bytes depend on the payloads alone. A Batch is for one goroutine.
type Batch struct {
	packer *packer // nil without compression

	begun  int   // where the chunk begins that was begun last
	width  int   // of the room for the size of its record
	starts []int // of the chunks that have ended and are not sealed
}

// NewBatch returns a Batch.
func NewBatch(c Compression) (*Batch, error) {
	b := &Batch{width: 1}
	var err error
	if c == Zstd {
		b.packer, err = newPacker()
	}
	return b, err
}

// prefixSize is how many bytes of a chunk's data stand before the size of its one
// record, which is not compressed: compression, and size of sizes.
const prefixSize = 2

// sizeAt is where the header of a chunk has the bytes of its records.
const sizeAt = 32

// room is more than what stands before a payload.
var room [ChunkHeaderSize + prefixSize + binary.MaxVarintLen64]byte

// Begin appends the room for what stands before a payload to dst: as much as the
// record before had. The payload is then appended by the caller, and End ends the
// record.
func (b *Batch) Begin(dst []byte) []byte {
	b.begun = len(dst)
	return append(dst, room[:ChunkHeaderSize+prefixSize+b.width]...)
}

// End ends the record that was begun last. It is complete after Seal.
func (b *Batch) End(dst []byte) []byte {
	b.starts = append(b.starts, b.begun)
	data := b.begun + ChunkHeaderSize
	payload := dst[data+prefixSize+b.width:]
	size := uint64(len(payload))
	binary.LittleEndian.PutUint64(dst[b.begun+sizeAt:], size)
	if b.packer != nil {
		return b.packer.pack(dst[:data], payload)
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

// Cancel takes back the record that was begun last and has not ended.
func (b *Batch) Cancel(dst []byte) []byte { return dst[:b.begun] }

// Seal completes the records that have ended since the last Seal. The last of
// them ends where buf does.
func (b *Batch) Seal(buf []byte) {
	for i, start := range b.starts {
		end := len(buf) // chunks touch, so each ends where the next one begins
		if i+1 < len(b.starts) {
			end = b.starts[i+1]
		}
		seal(buf[start:end])
	}
	b.Reset()
}

// seal fills in the header of a chunk of one record.
func seal(chunk []byte) {
	data := chunk[ChunkHeaderSize:]
	h := ChunkHeader{
		DataSize: uint64(len(data)), DataHash: Hash(data), Type: Records, Records: 1,
		DecodedSize: binary.LittleEndian.Uint64(chunk[sizeAt:]),
	}
	h.Append(chunk[:0])
}

// Reset forgets the records that are not sealed, for a buffer that is dropped.
func (b *Batch) Reset() { b.starts = b.starts[:0] }

// A packer compresses what chunks hold.
type packer struct {
	encoder *zstd.Encoder
	sizes   []byte // of a record, compressed
	values  []byte // a record, compressed
	size    [binary.MaxVarintLen64]byte
}

// newPacker returns a packer. Its options decide bytes of datasets.
func newPacker() (*packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(1<<zstdWindow),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
	return &packer{encoder: encoder}, err
}

// pack appends the data of a chunk that has one record, which may stand in the room
// behind dst.
func (p *packer) pack(dst, payload []byte) []byte {
	size := p.size[:binary.PutUvarint(p.size[:], uint64(len(payload)))]
	p.values = p.compress(p.values, payload)
	p.sizes = p.compress(p.sizes, size)
	dst = binary.AppendUvarint(append(dst, zstdData), uint64(len(p.sizes)))
	dst = append(dst, p.sizes...)
	return append(dst, p.values...)
}

// compress returns src in the place of buf: the size it has, and then compressed.
func (p *packer) compress(buf, src []byte) []byte {
	return p.encoder.EncodeAll(src, binary.AppendUvarint(buf[:0], uint64(len(src))))
}
