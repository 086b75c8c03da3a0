package schema

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file converts the whole numbers and the bools of an Array.

// atOnce is how many numbers are loaded before they are converted: two short loops
// are quicker than one that asks each number for its types.
const atOnce = 256

// integers converts whole numbers and bools.
func (e *Encoder) integers(f *field, v *Value) *RowError {
	lowest, highest := f.accepts(v.Elem)
	var buffer [atOnce]int64
	for from, n := 0, v.count(); from < n; from += atOnce {
		part := buffer[:min(atOnce, n-from)]
		v.loadIntegers(part, from)
		if slices.Min(part) >= lowest && slices.Max(part) <= highest {
			e.body = f.appendIntegers(e.body, part, v.Elem == Uint64)
			continue
		}
		for i := range part {
			if err := e.number(f, v, from+i); err != nil {
				return err
			}
		}
	}
	return nil
}

// accepts returns the smallest and largest number of type t that need no second
// look. Those of Uint64 above 2^63-1 are negative here.
func (x *field) accepts(t Type) (lowest, highest int64) {
	lowest, highest = math.MinInt64, math.MaxInt64
	switch x.to {
	case toInt:
		lowest, highest = x.lowest, x.highest
	case toBool:
		lowest, highest = 0, 1
	case toFloat16:
		lowest, highest = -65504, 65504
	}
	switch {
	case t == BoolType && x.to.isFloat():
		return 1, 0 // true is no float
	case x.to == toFloat || x.to == toDouble || x.to == toBfloat16:
	case (t == Uint64) != (x.to == toUint):
		lowest = max(lowest, 0)
	}
	return lowest, highest
}

// loadIntegers loads numbers of v from the i-th on.
func (v *Value) loadIntegers(to []int64, i int) {
	size := v.Elem.Size()
	data := v.Text[i*size : (i+len(to))*size]
	switch v.Elem {
	case BoolType:
		for i := range to {
			to[i] = int64(min(data[i], 1))
		}
	case Uint8:
		for i := range to {
			to[i] = int64(data[i])
		}
	case Int8:
		for i := range to {
			to[i] = int64(int8(data[i]))
		}
	case Uint16:
		for i := range to {
			to[i] = int64(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case Int16:
		for i := range to {
			to[i] = int64(int16(binary.LittleEndian.Uint16(data[2*i:])))
		}
	case Uint32:
		for i := range to {
			to[i] = int64(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case Int32:
		for i := range to {
			to[i] = int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		}
	default:
		for i := range to {
			to[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
		}
	}
}

// appendIntegers appends integers as x stores them: as such, or as the nearest
// floats.
func (x *field) appendIntegers(body []byte, list []int64, unsigned bool) []byte {
	switch {
	case x.to == toInt && x.width == 0:
		return appendVarints(body, list)
	case x.to == toFloat && !unsigned:
		for _, n := range list {
			body = binary.LittleEndian.AppendUint32(body, math.Float32bits(float32(n)))
		}
	case x.to.isFloat():
		for _, n := range list {
			body = x.appendNumber(body, x.nearest(n, unsigned))
		}
	default:
		for _, n := range list {
			body = x.appendNumber(body, uint64(n))
		}
	}
	return body
}

// appendVarints appends integers as a list packs them.
func appendVarints(body []byte, list []int64) []byte {
	body = slices.Grow(body, len(list)*protowire.SizeVarint(math.MaxUint64))
	n, room := len(body), body[:cap(body)]
	for _, x := range list {
		u := uint64(x)
		for u >= 0x80 {
			room[n] = byte(u) | 0x80
			u >>= 7
			n++
		}
		room[n] = byte(u)
		n++
	}
	return body[:n]
}

// nearest returns the bits of the float nearest to an integer, as x stores it.
func (x *field) nearest(n int64, unsigned bool) uint64 {
	negative, size := n < 0 && !unsigned, uint64(n)
	if negative {
		size = -size
	}
	if x.to == toDouble {
		return x.floatBits(signedFloat(negative, float64(size)))
	}
	// A double may be another number than the integer, and then be rounded again.
	// A lowest bit that is set for all that it lacks keeps it out of the middle.
	const spare = 64 - 53
	double := float64(size)
	if bits.Len64(size) > 53 {
		lost := uint64(0)
		if size&(1<<spare-1) != 0 {
			lost = 1
		}
		double = float64(size>>spare|lost) * (1 << spare)
	}
	return x.floatBits(signedFloat(negative, double))
}

func signedFloat(negative bool, x float64) float64 {
	if negative {
		return -x
	}
	return x
}
