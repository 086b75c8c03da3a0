package schema

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file converts the integers and the bools of an Array.

// batchSize is the number of integers that are loaded before they are converted. Two short loops
// are faster than one loop that switches on the type of each number.
const batchSize = 256

// convertIntegers converts integers and bools.
func (c *converter) convertIntegers(f *field, v *Value) *RowError {
	lowest, highest := f.directRange(v.Elem)
	var buffer [batchSize]int64
	for from, n := 0, v.count(); from < n; from += batchSize {
		part := buffer[:min(batchSize, n-from)]
		v.loadIntegers(part, from)
		if slices.Min(part) >= lowest && slices.Max(part) <= highest {
			c.body = f.appendIntegers(c.body, part, v.Elem == Uint64)
			continue
		}
		for i := range part {
			if err := c.convertNumber(f, v, from+i); err != nil {
				return err
			}
		}
	}
	return nil
}

// directRange returns the smallest and the largest number of type t that x stores without further
// checks. Numbers of Uint64 above 2^63-1 are negative here.
func (x *field) directRange(t Type) (lowest, highest int64) {
	lowest, highest = math.MinInt64, math.MaxInt64
	switch x.to {
	case toInt:
		lowest, highest = x.lowest, x.highest
	case toBool:
		lowest, highest = 0, 1
	case toFloat16:
		lowest, highest = -65504, 65504 // the largest finite float16
	}
	switch {
	case t == BoolType && x.to.isFloat():
		return 1, 0 // an empty range: a bool is not a float
	case x.to == toFloat || x.to == toDouble || x.to == toBfloat16: // any integer has a nearest finite float
	case (t == Uint64) != (x.to == toUint):
		lowest = max(lowest, 0) // a negative number is too large for int64, or too small for uint64
	}
	return lowest, highest
}

// loadIntegers fills to with numbers of v, from index i on.
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

// appendIntegers appends integers as x stores them: as integers, or as the nearest floats.
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
			body = x.appendNumber(body, x.nearestFloat(n, unsigned))
		}
	default:
		for _, n := range list {
			body = x.appendNumber(body, uint64(n))
		}
	}
	return body
}

// appendVarints appends integers as packed varints.
func appendVarints(body []byte, list []int64) []byte {
	// The most that they can need, so that the loop has no check for room.
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

// nearestFloat returns the bits of the float nearest to an integer, in the format that x stores.
func (x *field) nearestFloat(n int64, unsigned bool) uint64 {
	negative, size := n < 0 && !unsigned, uint64(n)
	if negative {
		size = -size
	}
	if x.to == toDouble {
		return x.floatBits(signedFloat(negative, float64(size)))
	}
	// More than 53 bits do not fit a double, and rounding twice can give the wrong float. So the
	// low bits are replaced by one sticky bit, which keeps the double off the midpoint.
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
