package tfrecord

import (
	"encoding/binary"
	"math"
)

// Size returns how many bytes the record takes that data begins with, its framing
// counted; data may have fewer, or others after it. It is not ok where data does
// not begin with the header of a record.
func (f Framing) Size(data []byte) (size int, ok bool) {
	overhead := headerSize + footerSize
	if f == OFRecord {
		overhead = 8
	}
	if len(data) < min(overhead, headerSize) {
		return 0, false
	}
	length := binary.LittleEndian.Uint64(data)
	if length > uint64(math.MaxInt-overhead) || f == OFRecord && length == 0 || f == TFRecord && !IsRecord(data) {
		return 0, false
	}
	return int(length) + overhead, true
}

// Payload returns the payload of a record, which is all of it, as Size has it. It
// is not ok where the payload's checksum is wrong.
func (f Framing) Payload(record []byte) (payload []byte, ok bool) {
	if f == OFRecord {
		return record[8:], true
	}
	footer := len(record) - footerSize
	payload = record[headerSize:footer:footer]
	return payload, checksum(payload) == binary.LittleEndian.Uint32(record[footer:])
}

// Framed returns the record that Next read last, with its framing; also one whose
// payload's checksum it found wrong. It is valid until the next call.
func (r *Reader) Framed() []byte {
	return r.buf[r.begin-int(r.ended-r.offset) : r.begin]
}
