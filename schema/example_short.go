package schema

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/schema/date"
)

// headSize is what the head of an entry is copied in: a fixed number, so that
// the copy is a few instructions. Longer keys go the general way.
const headSize = 48

// shortText is the longest text that copyText writes.
const shortText = 128

// shortRoom is the space that an entry needs at least: it is shorter than 128 bytes,
// but its head and its text are copied by more than they are long. That makes any
// place of a byte's range one where a text may go, and none is checked again.
const shortRoom = 256 + shortText

// A short is the quick way to encode a feature of one value, while it is of a
// usual kind and its entry is below 128 bytes:
//
//	0a ENTRY  0a n key  12 FEATURE  tag LIST  0a VALUE  …
//	├────────── head, with sizes for a value of 0 bytes ─┤
//
// All sizes are one byte then, and a value of n bytes adds n to each. What
// appendShorts does not take, the general way encodes, to the same bytes.
type short struct {
	head    [headSize]byte
	sizes   uint64 // the six bytes 12 FEATURE tag LIST 0a VALUE, the first lowest
	lowest  int64  // of an integer type
	highest int64
	classes *classTable
	dates   *date.Parser
	nulls   []string // texts that are not values
	slot    uint32
	kinds   uint16     // bit k: values of Kind k may go this way
	to      conversion // toNothing: this is no feature for the quick way
	sizesAt uint8      // where sizes stands: the last of the head
	most    uint8      // a value of up to most bytes leaves ENTRY below 128
}

// shortKinds has for each conversion the bits of the kinds that may be short.
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
	s.sizesAt = uint8(len(head) - 6)
	s.most = 127 - head[1]
	s.slot = uint32(x.slots[0])
	copy(s.head[:], head)
	var sizes [8]byte // putHead writes eight, and the value then overwrites two
	copy(sizes[:], head[len(head)-6:])
	s.sizes = binary.LittleEndian.Uint64(sizes[:])
	s.to, s.kinds = x.to, shortKinds[x.to]
	return s
}

// takes says whether v may be short.
func (s *short) takes(v *Value) bool {
	// The mask spares the check for shifts of 16 and more.
	return s.kinds>>(v.Kind&15)&1 != 0 && (len(s.nulls) == 0 || !isNull(s.nulls, v))
}

// put writes the entry of v, where appendShorts has no conversion for it, and returns
// its size; 0 if v must go the general way.
func (s *short) put(p *[shortRoom]byte, v *Value) int {
	if v.Kind == Array {
		return s.putLone(p, v)
	}
	text := v.Text
	switch s.to {
	case toDouble:
		if bits, verdict := parseDouble(text); verdict == numberFine {
			return s.putDouble(p, bits)
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
func (s *short) putHead(p *[shortRoom]byte, size uint64) int {
	*(*[headSize]byte)(p[:]) = s.head
	p[1] = s.head[1] + byte(size)
	at := int(s.sizesAt)
	binary.LittleEndian.PutUint64(p[at:], s.sizes+size*eachSize)
	return at + 6
}

func (s *short) putInt(p *[shortRoom]byte, x uint64) int {
	// The size of a varint, ceil(bits/7), without a division.
	size := uint64(9*bits.Len64(x|1)+64) / 64
	at := s.putHead(p, size)
	if size <= 4 { // the bytes at once, since no branch can foretell how many they are
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

func (s *short) putFloat(p *[shortRoom]byte, float uint32) int {
	at := s.putHead(p, 4)
	binary.LittleEndian.PutUint32(p[at:], float)
	return at + 4
}

func (s *short) putDouble(p *[shortRoom]byte, double uint64) int {
	at := s.putHead(p, 8)
	binary.LittleEndian.PutUint64(p[at:], double)
	return at + 8
}
