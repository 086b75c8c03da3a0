package tfrecord

import (
	"encoding/binary"
	"math"
)

// Size returns how many bytes the record takes that data begins with, its framing
// counted; data may have fewer, or others after it. It is not ok where data does
// not begin with the header of a record.
func (f Framing) Size(data []byte) (size int, ok bool) {
	if len(data) < f.header() || f == TFRecord && !IsRecord(data) {
		return 0, false
	}
	length := binary.LittleEndian.Uint64(data)
	if length > uint64(math.MaxInt-f.Overhead()) || f == OFRecord && length == 0 {
		return 0, false
	}
	return int(length) + f.Overhead(), true
}

// Payload returns the payload of a record, which is all of it, as Size has it. It
// is not ok where the payload's checksum is wrong.
func (f Framing) Payload(record []byte) (payload []byte, ok bool) {
	end := len(record) - f.footer()
	payload = record[f.header():end:end]
	return payload, f == OFRecord || checksum(payload) == binary.LittleEndian.Uint32(record[end:])
}

// Framed returns the record that Next read last, with its framing; also one whose
// payload's checksum it found wrong. It is valid until the next call.
func (r *Reader) Framed() []byte {
	return r.buf[r.begin-int(r.ended-r.offset) : r.begin]
}
