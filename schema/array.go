package schema

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// This file converts the numbers of an Array. The result is the same as for their decimal strings,
// but no string is made for a number that fits.

// count returns the number of elements of an Array.
func (v *Value) count() int { return len(v.Text) / max(1, v.Elem.Size()) }

// length returns the number of elements of a List or an Array, and -1 for any other value.
func (v *Value) length() int {
	switch v.Kind {
	case List:
		return len(v.List)
	case Array:
		return v.count()
	}
	return -1
}

// subarray returns n numbers of an Array, from index i on.
func (v *Value) subarray(i, n int) Value {
	size := v.Elem.Size()
	return Value{Kind: Array, Elem: v.Elem, At: v.At, Text: v.Text[i*size : (i+n)*size], Rounded: v.Rounded}
}

// copiesNumbers reports whether x stores the bytes of v's numbers unchanged.
func (x *field) copiesNumbers(v *Value) bool {
	return v.Kind == Array && v.Elem == x.Type && v.Elem.Size() == x.width && x.classes == nil && x.mapped == nil &&
		x.dates == nil &&
		v.Elem != BoolType && (!v.Elem.IsFloat() || x.AllowNonfinite || v.isFinite())
}

// copiesList reports whether x stores the bytes of v's numbers unchanged, as the complete list.
func (x *field) copiesList(v *Value) bool {
	return len(x.finish) == 0 && x.copiesNumbers(v) && fitsShape(v.count(), x.size, x.inner)
}

// isFinite reports whether all floats of an Array are finite: the exponent of nan and inf has only
// ones.
func (v *Value) isFinite() bool {
	size, exponent := v.Elem.Size(), inBytes.of(v.Elem).to.infinity()
	data := v.Text
	if size == 4 { // float32 is by far the most frequent, and gets a short loop
		for ; len(data) >= 4; data = data[4:] {
			if binary.LittleEndian.Uint32(data)&uint32(exponent) == uint32(exponent) {
				return false
			}
		}
	}
	for ; len(data) > 0; data = data[size:] {
		if loadNumber(data, size)&exponent == exponent {
			return false
		}
	}
	return true
}

// loadNumber returns the bits of the first number in data, which has size bytes.
func loadNumber(data []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(data[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(data))
	case 4:
		return uint64(binary.LittleEndian.Uint32(data))
	}
	return binary.LittleEndian.Uint64(data)
}

// convertArray converts all numbers of v.
func (c *converter) convertArray(f *field, v *Value) *RowError {
	switch f.to {
	case toBytes, toString, toKey, toClass, toMapped, toDate:
		return c.convertNumbers(f, v)
	}
	switch {
	case f.copiesNumbers(v):
		c.body = append(c.body, v.Text...)
		return nil
	case !v.Elem.IsFloat():
		return c.convertIntegers(f, v)
	case f.to.isFloat():
		return c.convertFloats(f, v)
	}
	return c.convertNumbers(f, v)
}

// convertSingle converts an Array of one number, which is accepted as one value. Any other v is an
// error: a missing value, a list, an object.
func (c *converter) convertSingle(f *field, v *Value) *RowError {
	if v.Kind != Array || v.count() != 1 {
		return c.pos.notValue(f, v)
	}
	return c.convertArray(f, v)
}

// convertNumbers converts each number of v by its decimal string.
func (c *converter) convertNumbers(f *field, v *Value) *RowError {
	for i := range v.count() {
		if err := c.convertNumber(f, v, i); err != nil {
			return err
		}
	}
	return nil
}

// convertNumber converts the i-th number of v by its decimal string, so that an error can show the
// number.
func (c *converter) convertNumber(f *field, v *Value, i int) *RowError {
	c.digits = v.appendNumber(c.digits[:0], i)
	if _, x, isFloat := v.NumberAt(i); v.Rounded && isFloat && (f.to == toInt || f.to == toUint) {
		c.digits = strconv.AppendFloat(c.digits[:0], math.RoundToEven(x)+0, 'f', 0, 64) // -0 + 0 is 0
	}
	elem := Value{Kind: Number, Text: c.digits, At: v.At}
	if v.Elem == BoolType {
		elem.Kind = Bool
	}
	if f.collects {
		elem.Text = bytes.Clone(elem.Text) // the collected names of a row must not share c.digits
	}
	depth := len(c.pos.path)
	if v.count() > 1 {
		c.pos.path = append(c.pos.path, i)
	}
	var err *RowError
	one := v.subarray(i, 1)
	isFinite := !v.Elem.IsFloat() || one.isFinite()
	isWord := !isFinite && v.Elem == Float64 && v.At > 0 // a word in JSON
	switch {
	case !isFinite && f.to.isFloat():
		err = c.pos.notFinite(f, &elem)
	case isWord && f.to == toString:
		err = c.pos.newError(f, &elem, "TYPE", "found the number "+string(elem.Text)+"; expected a string", "")
	default:
		err = c.convert(f, &elem)
	}
	if isWord && err != nil && err.Hint == "" { // Python writes NaN for a missing value
		err.Hint = `write null for a missing value: sed -E 's/([,:[] *)NaN/\1null/g' OLD > NEW`
	}
	c.pos.path = c.pos.path[:depth]
	return err
}

// appendNumber appends the decimal string of the i-th number.
func (v *Value) appendNumber(dst []byte, i int) []byte {
	size := v.Elem.Size()
	bits := loadNumber(v.Text[i*size:], size)
	switch v.Elem {
	case BoolType:
		return strconv.AppendBool(dst, bits != 0)
	case Uint8, Uint16, Uint32, Uint64:
		return strconv.AppendUint(dst, bits, 10)
	case Float:
		return appendFloatString(dst, float64(math.Float32frombits(uint32(bits))), 32)
	case Float64, Float16, Bfloat16:
		return appendFloatString(dst, v.Elem.double(bits), 64)
	}
	shift := 64 - 8*size
	return strconv.AppendInt(dst, int64(bits)<<shift>>shift, 10)
}

// appendFloatString appends the decimal string of a float. It always has a point or an exponent. A
// whole number below 2^64 has all its digits, since it may be converted to an integer.
func appendFloatString(dst []byte, x float64, size int) []byte {
	if x == math.Trunc(x) && math.Abs(x) < 1<<64 {
		return strconv.AppendFloat(dst, x, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, size)
}

// double converts the bits of a float of type t to a float64, which is exact.
func (t Type) double(bits uint64) float64 {
	switch t {
	case Float:
		return float64(math.Float32frombits(uint32(bits)))
	case Float16:
		return halfFormat.double(uint16(bits))
	case Bfloat16:
		return brainFormat.double(uint16(bits))
	}
	return math.Float64frombits(bits)
}

// convertFloats converts floats of one type to another.
func (c *converter) convertFloats(f *field, v *Value) *RowError {
	size, infinity := v.Elem.Size(), f.to.infinity()
	sign := infinity + infinity&-infinity // the bit above the exponent
	for i := range v.count() {
		double := v.Elem.double(loadNumber(v.Text[i*size:], size))
		bits := f.floatBits(double)
		finite, stored := double-double == 0, bits&^sign
		// Overflow is an error and underflow a warning; convertNumber makes them with the decimal string.
		if !finite && !f.AllowNonfinite || finite && (stored == infinity || stored == 0 && double != 0) {
			if err := c.convertNumber(f, v, i); err != nil {
				return err
			}
			continue
		}
		c.body = f.appendNumber(c.body, bits)
	}
	return nil
}
