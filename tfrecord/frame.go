package tfrecord

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/internal/crc32c"
)

const (
	lengthSize = 8              // of the length, which is the whole header of an OFRecord
	headerSize = lengthSize + 4 // length and its checksum
	footerSize = 4              // checksum of the payload
)

const maskDelta = 0xa282ead8

// header is how many bytes stand before a payload.
func (f Framing) header() int {
	if f == OFRecord {
		return lengthSize
	}
	return headerSize
}

// footer is how many bytes stand after a payload.
func (f Framing) footer() int {
	if f == OFRecord {
		return 0
	}
	return footerSize
}

// Overhead is what framing adds to a payload, in bytes.
func (f Framing) Overhead() int { return f.header() + f.footer() }

// Begin appends the room for a record's header to dst. The payload is then
// appended by the caller, and End completes the record.
func (f Framing) Begin(dst []byte) []byte {
	if f == OFRecord {
		return append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	return append(dst, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// End completes the record that was begun when dst had start bytes: all that
// follows the header's room is its payload, which stays where it is. A payload
// of an OFRecord file has at least one byte: no reader takes an empty one.
func (f Framing) End(dst []byte, start int) []byte {
	if f == TFRecord {
		dst = append(dst, 0, 0, 0, 0)
	}
	f.seal(dst[start:])
	return dst
}

// seal completes a record in place: the payload is between the room for its
// header and that for its footer.
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

// Append appends payload as one record to dst.
func (f Framing) Append(dst, payload []byte) []byte {
	start := len(dst)
	return f.End(append(f.Begin(dst), payload...), start)
}

// appendHeader appends the header of a record whose payload has n bytes.
func (f Framing) appendHeader(dst []byte, n uint64) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, n)
	if f == OFRecord {
		return dst
	}
	return binary.LittleEndian.AppendUint32(dst, lengthChecksum(n))
}

// checksum returns the masked CRC32C of b, as the file has it.
func checksum(b []byte) uint32 {
	return mask(crc32c.Checksum(b))
}

// lengthChecksum returns the checksum of a header's length. Most records are
// short: then two entries of a table save a fifth of the time that framing takes.
// A CRC is linear, so what two bytes change in it is what each of them changes.
func lengthChecksum(n uint64) uint32 {
	if n < 1<<16 {
		return mask(lengthTable[0][byte(n)] ^ lengthTable[1][byte(n>>8)])
	}
	return mask(lengthCRC(n))
}

// lengthTable holds the CRCs of the lengths below 256, and what the second
// byte of a length changes in them.
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
