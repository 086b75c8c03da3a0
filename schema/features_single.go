package schema

import (
	"encoding/binary"
	"math"
)

// This file is the fast path for an Array of one number, which files with typed columns produce.

// putSingle writes the entry of an Array of one number, and returns its size. It returns 0 if the
// slow path must encode the value.
func (s *fastField) putSingle(p *[fastRoom]byte, v *Value) (int, uint64) {
	if len(v.Text) != v.Elem.Size() {
		return 0, 0
	}
	if v.Elem.IsFloat() {
		return s.putSingleFloat(p, v)
	}
	x, ok := v.singleInteger()
	if !ok {
		return 0, 0
	}
	switch {
	case s.to == toInt && s.lowest <= x && x <= s.highest:
		return s.putInt(p, uint64(x)), uint64(x)
	case s.to == toFloat:
		return s.putFloat(p, math.Float32bits(float32(x))), uint64(math.Float32bits(float32(x)))
	case s.to == toDouble:
		return s.putDouble(p, math.Float64bits(float64(x))), math.Float64bits(float64(x))
	}
	return 0, 0
}

// singleInteger returns the integer of an Array of one number. ok is false for a bool, and for a
// number above 2^63-1.
func (v *Value) singleInteger() (x int64, ok bool) {
	switch v.Elem {
	case Int64:
		return int64(binary.LittleEndian.Uint64(v.Text)), true
	case Int32:
		return int64(int32(binary.LittleEndian.Uint32(v.Text))), true
	case Uint32:
		return int64(binary.LittleEndian.Uint32(v.Text)), true
	case Uint64:
		x = int64(binary.LittleEndian.Uint64(v.Text))
		return x, x >= 0
	case Int16:
		return int64(int16(binary.LittleEndian.Uint16(v.Text))), true
	case Uint16:
		return int64(binary.LittleEndian.Uint16(v.Text)), true
	case Int8:
		return int64(int8(v.Text[0])), true
	case Uint8:
		return int64(v.Text[0]), true
	}
	return 0, false
}

// putSingleFloat writes the entry of an Array of one float, and returns its size. It returns 0 for
// a float that is not finite, or that overflows or underflows as float32.
func (s *fastField) putSingleFloat(p *[fastRoom]byte, v *Value) (int, uint64) {
	x := v.Elem.double(loadNumber(v.Text, v.Elem.Size()))
	if x-x != 0 {
		return 0, 0
	}
	switch s.to {
	case toDouble:
		return s.putDouble(p, math.Float64bits(x)), math.Float64bits(x)
	case toFloat:
		if float := float32(x); float-float == 0 && (float != 0 || x == 0) {
			return s.putFloat(p, math.Float32bits(float)), uint64(math.Float32bits(float))
		}
	}
	return 0, 0
}
