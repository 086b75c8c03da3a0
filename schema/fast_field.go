package schema

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/schema/date"
)

// headerSize is the number of bytes that are copied for the header of an entry. It is a constant,
// so that the copy is a few instructions. Longer keys take the slow path.
const headerSize = 48

// maxFastString is the size of the longest string that copyString copies, in bytes.
const maxFastString = 128

// fastRoom is the space that the fast path needs for an entry. The entry is shorter than 128 bytes,
// but copies of its header and of its string write more. A string may start at any offset that a
// byte can hold, so the compiler omits bounds checks.
const fastRoom = 256 + maxFastString

// A fastField encodes a feature with one value, as long as the kind of the value is common and its
// entry is shorter than 128 bytes:
//
//	0a ENTRY  0a n key  12 FEATURE  tag LIST  0a VALUE  …
//	├── header, with the sizes for a value of 0 bytes ────┤
//
// All sizes take one byte then, and a value of n bytes adds n to each. If appendFast cannot encode
// a value, the slow path encodes it, to the same bytes.
type fastField struct {
	header      [headerSize]byte
	sizes       uint64 // the six bytes 12 FEATURE tag LIST 0a VALUE, the first in the lowest bits
	lowest      int64  // limits of an integer type
	highest     int64
	classes     *classTable
	dates       *date.Parser
	marks       *marks
	nulls       []string // strings that mean missing
	slot        uint32
	kinds       uint16     // bit k: values of Kind k may take the fast path
	to          conversion // toNothing: the feature always takes the slow path
	sizesOffset uint8      // offset of sizes: the end of the header
	maxSize     uint8      // a value of up to this many bytes leaves ENTRY below 128
}

// fastKinds has the kinds that may take the fast path, as bits, by conversion.
var fastKinds = [...]uint16{
	toInt:    1<<Text | 1<<Number | 1<<Array,
	toBool:   1<<Text | 1<<Number | 1<<Bool,
	toDate:   1<<Text | 1<<String,
	toClass:  1<<Text | 1<<String | 1<<Number | 1<<Bool,
	toFloat:  1<<Text | 1<<Number | 1<<Array,
	toDouble: 1<<Text | 1<<Number | 1<<Array,
	toBytes:  1<<Text | 1<<String | 1<<Bytes,
	toString: 1<<Text | 1<<String | 1<<Number,
	toMarked: 1<<Text | 1<<String,
}

// eachSize times n adds n to FEATURE, LIST, and VALUE.
const eachSize = 1<<8 | 1<<24 | 1<<40

func newFastField(x *field) fastField {
	if x.form != formOne {
		return fastField{}
	}
	head := append([]byte{tag1, 0}, x.key...)
	head = append(head, tag2, 4, x.tag, 2, tag1, 0)
	s := x.fastPath(head)
	s.slot = uint32(x.slots[0])
	return s
}

// newFastStep returns the fast path of the steps of a feature list with one value each. A step is an
// entry without a key:
//
//	0a FEATURE  tag LIST  0a VALUE  …
//
// Its column has index 0.
func newFastStep(x *field) fastField {
	if len(x.Shape) > 0 || x.labels != nil || x.collects {
		return fastField{}
	}
	return x.fastPath([]byte{tag1, 4, x.tag, 2, tag1, 0})
}

// fastPath returns the fast path of a field whose entries begin with head.
func (x *field) fastPath(head []byte) fastField {
	s := fastField{nulls: x.NullValues, lowest: x.lowest, highest: x.highest, classes: x.classes, dates: x.dates}
	if len(head) > headerSize || x.Encoding.isOfText() || x.Tensor || x.Raw || x.Map != nil {
		return s
	}
	head[1] = byte(len(head) - 2)
	s.sizesOffset = uint8(len(head) - 6)
	s.maxSize = 127 - head[1]
	copy(s.header[:], head)
	var sizes [8]byte // putHeader writes eight bytes; the value then overwrites two
	copy(sizes[:], head[len(head)-6:])
	s.sizes = binary.LittleEndian.Uint64(sizes[:])
	if s.to = x.to; x.marks != nil {
		s.to, s.marks = toMarked, x.marks
	}
	s.kinds = fastKinds[s.to]
	return s
}

// takes reports whether the kind of v may take the fast path and v is not missing.
func (s *fastField) takes(v *Value) bool {
	// With the mask, the compiler omits the check for shifts of 16 and more.
	return s.kinds>>(v.Kind&15)&1 != 0 && (len(s.nulls) == 0 || !IsNull(s.nulls, v))
}

// put writes the entry of v for the conversions that appendFast does not inline, and returns its
// size. It returns 0 if the slow path must encode v.
func (s *fastField) put(p *[fastRoom]byte, v *Value) (int, uint64) {
	if v.Kind == Array {
		return s.putSingle(p, v)
	}
	text := v.Text
	switch s.to {
	case toDouble:
		if bits, result := parseDouble(text); result == numberOK {
			return s.putDouble(p, bits), bits
		}
	case toClass:
		if x, ok := s.classes.number(text); ok && len(text) > 0 {
			return s.putInt(p, uint64(x)), uint64(x)
		}
	case toMarked:
		return s.putMarked(p, text)
	case toDate:
		if x, problem := s.dates.Parse(text); problem.Reason == date.Fine && len(text) > 0 {
			return s.putInt(p, uint64(x)), uint64(x)
		}
	}
	return 0, 0
}

// putHeader writes the header of a value of size bytes, and returns the offset of the value.
func (s *fastField) putHeader(p *[fastRoom]byte, size uint64) int {
	*(*[headerSize]byte)(p[:]) = s.header
	p[1] = s.header[1] + byte(size)
	at := int(s.sizesOffset)
	binary.LittleEndian.PutUint64(p[at:], s.sizes+size*eachSize)
	return at + 6
}

func (s *fastField) putInt(p *[fastRoom]byte, x uint64) int {
	// The size of a varint is ceil(bits/7); this avoids the division.
	size := uint64(9*bits.Len64(x|1)+64) / 64
	at := s.putHeader(p, size)
	if size <= 4 { // write all bytes at once: a branch on their number would be mispredicted
		more := uint64(0x80808080) & (1<<(8*(size-1)&63) - 1)
		binary.LittleEndian.PutUint32(p[at:], uint32(x&0x7f|x<<1&0x7f00|x<<2&0x7f0000|x<<3&0x7f000000|more))
		return at + int(size)
	}
	for x >= 0x80 {
		p[at] = byte(x) | 0x80
		x >>= 7
		at++
	}
	p[at] = byte(x)
	return at + 1
}

func (s *fastField) putFloat(p *[fastRoom]byte, float uint32) int {
	at := s.putHeader(p, 4)
	binary.LittleEndian.PutUint32(p[at:], float)
	return at + 4
}

func (s *fastField) putDouble(p *[fastRoom]byte, double uint64) int {
	at := s.putHeader(p, 8)
	binary.LittleEndian.PutUint64(p[at:], double)
	return at + 8
}
