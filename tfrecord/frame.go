package tfrecord

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/internal/crc32c"
)

const (
	lengthSize = 8              // size of the length, which is the header of an OFRecord
	headerSize = lengthSize + 4 // length and its checksum
	footerSize = 4              // checksum of the payload
)

const maskDelta = 0xa282ead8 // kMaskDelta of TensorFlow's lib/hash/crc32c.h

// headerSize returns the number of bytes before a payload.
func (f Framing) headerSize() int {
	if f == OFRecord {
		return lengthSize
	}
	return headerSize
}

// footerSize returns the number of bytes after a payload.
func (f Framing) footerSize() int {
	if f == OFRecord {
		return 0
	}
	return footerSize
}

// Overhead returns the number of bytes that framing adds to a payload.
func (f Framing) Overhead() int { return f.headerSize() + f.footerSize() }

// Begin appends space for a record's header to dst. The caller then appends the payload, and calls
// End.
func (f Framing) Begin(dst []byte) []byte {
	if f == OFRecord {
		return append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	return append(dst, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// End completes the record that was begun when dst had start bytes. The payload is everything after
// the header, and is not moved. In an OFRecord file it must have at least one byte: readers reject
// empty payloads.
func (f Framing) End(dst []byte, start int) []byte {
	if f == TFRecord {
		dst = append(dst, 0, 0, 0, 0)
	}
	f.seal(dst[start:])
	return dst
}

// seal completes a record in place. The payload is between the space for the header and the space
// for the footer.
func (f Framing) seal(record []byte) {
	if f == OFRecord {
		binary.LittleEndian.PutUint64(record, uint64(len(record)-lengthSize))
		return
	}
	footer := len(record) - footerSize
	payload := record[headerSize:footer]
	binary.LittleEndian.PutUint64(record, uint64(len(payload)))
	binary.LittleEndian.PutUint32(record[lengthSize:], lengthChecksum(uint64(len(payload))))
	binary.LittleEndian.PutUint32(record[footer:], checksum(payload))
}

// Append appends a record with this payload to dst.
func (f Framing) Append(dst, payload []byte) []byte {
	start := len(dst)
	return f.End(append(f.Begin(dst), payload...), start)
}

// appendHeader appends the header of a record with a payload of n bytes.
func (f Framing) appendHeader(dst []byte, n uint64) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, n)
	if f == OFRecord {
		return dst
	}
	return binary.LittleEndian.AppendUint32(dst, lengthChecksum(n))
}

// checksum returns the masked CRC-32C of b.
func checksum(b []byte) uint32 {
	return mask(crc32c.Checksum(b))
}

// lengthChecksum returns the checksum of a length. Most records are short; looking up two table
// entries for them saves a fifth of the time of framing. A CRC is linear, so the effects of two
// bytes can be combined with XOR.
func lengthChecksum(n uint64) uint32 {
	if n < 1<<16 {
		return mask(lengthTable[0][byte(n)] ^ lengthTable[1][byte(n>>8)])
	}
	return mask(lengthCRC(n))
}

// lengthTable has the CRCs of the lengths below 256, and the effect of the second byte of a length
// on its CRC.
var lengthTable = makeLengthTable()

func makeLengthTable() (t [2][256]uint32) {
	for i := range uint64(256) {
		t[0][i] = lengthCRC(i)
		t[1][i] = lengthCRC(i<<8) ^ lengthCRC(0)
	}
	return t
}

func lengthCRC(n uint64) uint32 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	return crc32c.Checksum(b[:])
}

func mask(crc uint32) uint32   { return bits.RotateLeft32(crc, -15) + maskDelta }
func unmask(crc uint32) uint32 { return bits.RotateLeft32(crc-maskDelta, 15) }
