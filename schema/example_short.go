package schema

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"tfr-build/schema/date"
)

// headSize is what the head of an entry is copied in: a fixed number, so that
// the copy is a few instructions. Longer keys go the general way.
const headSize = 48

// shortRoom is the space that put needs for an entry: its head is copied whole,
// and what follows is shorter than 128 bytes.
const shortRoom = headSize + 128

// A short is the quick way to encode a feature of one value, while it is of a
// usual kind and its entry is below 128 bytes:
//
//	0a ENTRY  0a n key  12 FEATURE  tag LIST  0a VALUE  …
//	├────────── head, with sizes for a value of 0 bytes ─┤
//
// All sizes are one byte then, and a value of n bytes adds n to each. What put
// does not take, the general way encodes, to the same bytes.
type short struct {
	head    [headSize]byte
	sizes   uint64 // the six bytes 12 FEATURE tag LIST 0a VALUE, the first lowest
	lowest  int64  // of an integer type
	highest int64
	classes *classTable
	dates   *date.Parser
	nulls   []string // texts that are not values
	slot    int
	kinds   uint16     // bit k: values of Kind k may go this way
	to      conversion // toNothing: this is no feature for the quick way
	headEnd uint8      // size of the head
	most    uint8      // a value of up to most bytes leaves ENTRY below 128
}

// shortKinds has for each conversion the bits of the kinds that put takes.
var shortKinds = [...]uint16{
	toInt:    1<<Text | 1<<Number | 1<<Array,
	toBool:   1<<Text | 1<<Number | 1<<Bool,
	toDate:   1<<Text | 1<<String,
	toClass:  1<<Text | 1<<String | 1<<Number | 1<<Bool,
	toFloat:  1<<Text | 1<<Number | 1<<Array,
	toDouble: 1<<Text | 1<<Number | 1<<Array,
	toBytes:  1<<Text | 1<<String | 1<<Bytes,
	toString: 1<<Text | 1<<String | 1<<Number,
}

// eachSize adds to FEATURE, LIST and VALUE when multiplied by a small number.
const eachSize = 1<<8 | 1<<24 | 1<<40

func newShort(x *field) short {
	s := short{nulls: x.NullValues, lowest: x.lowest, highest: x.highest, classes: x.classes, dates: x.dates}
	head := append([]byte{tag1, 0}, x.key...)
	head = append(head, tag2, 4, x.tag, 2, tag1, 0)
	if len(head) > headSize || x.form != formOne || x.Encoding.isOfText() || x.Tensor || x.Raw || x.Map != nil {
		return s
	}
	head[1] = byte(len(head) - 2)
	s.headEnd = uint8(len(head))
	s.most = 127 - head[1]
	s.slot = x.slots[0]
	copy(s.head[:], head)
	var sizes [8]byte // putHead writes eight, and the value then overwrites two
	copy(sizes[:], head[len(head)-6:])
	s.sizes = binary.LittleEndian.Uint64(sizes[:])
	s.to, s.kinds = x.to, shortKinds[x.to]
	return s
}

// takes says whether v may go to put.
func (s *short) takes(v *Value) bool {
	// The mask spares the check for shifts of 16 and more.
	return s.kinds>>(v.Kind&15)&1 != 0 && (len(s.nulls) == 0 || !isNull(s.nulls, v))
}

// put writes the entry of v at p, which has shortRoom, and returns its size; 0 if v must go the general way.
func (s *short) put(p []byte, v *Value) int {
	if v.Kind == Array {
		return s.putLone(p, v)
	}
	text := v.Text
	switch s.to {
	case toInt:
		if x, ok := shortInt(text); ok && s.lowest <= x && x <= s.highest {
			return s.putInt(p, uint64(x))
		}
	case toFloat:
		if bits, verdict := parseFloat(text); verdict == numberFine {
			return s.putFloat(p, bits)
		}
	case toDouble:
		if bits, verdict := parseDouble(text); verdict == numberFine {
			return s.putDouble(p, bits)
		}
	case toBytes, toString:
		if len(text) <= int(s.most) && (s.to == toBytes || v.Kind != Text || utf8.Valid(text)) {
			return s.putText(p, text)
		}
	case toBool:
		if x, ok := parseBool(text); ok {
			return s.putInt(p, x)
		}
	case toClass:
		if x, ok := s.classes.number(text); ok && len(text) > 0 {
			return s.putInt(p, uint64(x))
		}
	case toDate:
		if x, fault := s.dates.Parse(text); fault.Reason == date.Fine && len(text) > 0 {
			return s.putInt(p, uint64(x))
		}
	}
	return 0
}

// putHead writes the head before a value of size bytes and returns where the
// value goes.
func (s *short) putHead(p []byte, size uint64) int {
	*(*[headSize]byte)(p) = s.head
	p[1] = s.head[1] + byte(size)
	at := int(s.headEnd)
	binary.LittleEndian.PutUint64(p[at-6:], s.sizes+size*eachSize)
	return at
}

func (s *short) putInt(p []byte, x uint64) int {
	// The size of a varint, ceil(bits/7), without a division.
	at := s.putHead(p, uint64(9*bits.Len64(x|1)+64)/64)
	for x >= 0x80 {
		p[at] = byte(x) | 0x80
		x >>= 7
		at++
	}
	p[at] = byte(x)
	return at + 1
}

func (s *short) putFloat(p []byte, float uint32) int {
	at := s.putHead(p, 4)
	binary.LittleEndian.PutUint32(p[at:], float)
	return at + 4
}

func (s *short) putDouble(p []byte, double uint64) int {
	at := s.putHead(p, 8)
	binary.LittleEndian.PutUint64(p[at:], double)
	return at + 8
}

func (s *short) putText(p, text []byte) int {
	at := s.putHead(p, uint64(len(text)))
	return at + copy(p[at:], text)
}
