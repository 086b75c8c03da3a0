package tfrecord

import (
	"encoding/binary"
	"math"
)

// Size returns the size of the first record in data, including its framing. data may be shorter
// than the record, or have bytes after it. ok is false if data does not begin with the header of a
// record.
func (f Framing) Size(data []byte) (size int, ok bool) {
	if len(data) < f.headerSize() || f == TFRecord && !IsRecord(data) {
		return 0, false
	}
	length := binary.LittleEndian.Uint64(data)
	if length > uint64(math.MaxInt-f.Overhead()) || f == OFRecord && length == 0 {
		return 0, false
	}
	return int(length) + f.Overhead(), true
}

// Payload returns the payload of a complete record, whose size [Framing.Size] returns. ok is false
// if the checksum of the payload is wrong.
func (f Framing) Payload(record []byte) (payload []byte, ok bool) {
	end := len(record) - f.footerSize()
	payload = record[f.headerSize():end:end]
	return payload, f == OFRecord || checksum(payload) == binary.LittleEndian.Uint32(record[end:])
}

// Framed returns the record that Next read last, with its framing, even if the checksum of its
// payload was wrong. It is valid until the next call.
func (r *Reader) Framed() []byte {
	return r.buf[r.begin-int(r.ended-r.offset) : r.begin]
}
