// Package varint reads the varints and bytes of compact formats that tfr-build writes and reads
// again.
package varint

import "encoding/binary"

// A Reader reads one value after another. After damage, all values are zero.
type Reader struct {
	rest    []byte
	damaged bool
}

// NewReader returns a Reader of data.
func NewReader(data []byte) Reader { return Reader{rest: data} }

// Fail marks the data as damaged.
func (r *Reader) Fail() { r.rest, r.damaged = nil, true }

// IsDamaged reports whether the data is damaged.
func (r *Reader) IsDamaged() bool { return r.damaged }

// Len returns the number of remaining bytes; 0 after damage.
func (r *Reader) Len() int { return len(r.rest) }

// IsComplete reports whether all bytes have been read, without damage.
func (r *Reader) IsComplete() bool { return !r.damaged && len(r.rest) == 0 }

// Unsigned returns the number of a varint.
func (r *Reader) Unsigned() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.Fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// Signed returns the number of a zigzag-encoded varint.
func (r *Reader) Signed() int64 {
	n := r.Unsigned()
	return int64(n>>1) ^ -int64(n&1)
}

// Int returns the number of a varint. A number beyond the largest int is damage.
func (r *Reader) Int() int {
	n := int(r.Unsigned())
	if n < 0 {
		r.Fail()
		return 0
	}
	return n
}

// Count returns the number of elements that follow. Each takes at least size bytes: a larger
// number is damage, so it cannot make the caller allocate memory.
func (r *Reader) Count(size int) int {
	n := r.Unsigned()
	if n > uint64(len(r.rest)/size) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Take returns the next n bytes, or nil if there are fewer.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.Fail()
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if b := r.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Fixed64 returns the next 8 bytes as a little-endian number.
func (r *Reader) Fixed64() uint64 {
	if b := r.Take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
