package schema

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// This file converts the numbers of an Array: to what their texts would be
// converted to, without making a text of a number that fits.

// count is how many numbers an Array has.
func (v *Value) count() int { return len(v.Text) / max(1, v.Elem.Size()) }

// length is how many elements a List or an Array has; -1 for any other value.
func (v *Value) length() int {
	switch v.Kind {
	case List:
		return len(v.List)
	case Array:
		return v.count()
	}
	return -1
}

// part returns n numbers of an Array from the i-th on.
func (v *Value) part(i, n int) Value {
	size := v.Elem.Size()
	return Value{Kind: Array, Elem: v.Elem, At: v.At, Text: v.Text[i*size : (i+n)*size]}
}

// copies says whether x stores the numbers of v as they lie there.
func (x *field) copies(v *Value) bool {
	return v.Kind == Array && v.Elem == x.Type && v.Elem.Size() == x.width && x.classes == nil && x.mapped == nil && x.dates == nil &&
		v.Elem != BoolType && (!v.Elem.IsFloat() || x.AllowNonfinite || v.isFinite())
}

// isFinite says whether all floats of an Array are: none has an exponent of ones.
func (v *Value) isFinite() bool {
	size, exponent := v.Elem.Size(), inBytes.of(v.Elem).to.infinity()
	data := v.Text
	if size == 4 { // nearly all are, and then the loop is a short one
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

// loadNumber returns the bits of the first number in data.
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

// array converts all numbers of v.
func (e *Encoder) array(f *field, v *Value) *RowError {
	switch f.to {
	case toBytes, toString, toClass, toMapped, toDate:
		return e.numbers(f, v)
	}
	switch {
	case f.copies(v):
		e.body = append(e.body, v.Text...)
		return nil
	case !v.Elem.IsFloat():
		return e.integers(f, v)
	case f.to.isFloat():
		return e.floats(f, v)
	}
	return e.numbers(f, v)
}

// loneNumber converts an Array of one number, which may stand for one value. Any
// other v is a fault: nothing, a list, an object.
func (e *Encoder) loneNumber(f *field, v *Value) *RowError {
	if v.Kind != Array || v.count() != 1 {
		return e.notValue(f, v)
	}
	return e.array(f, v)
}

// numbers converts the numbers of v by their texts.
func (e *Encoder) numbers(f *field, v *Value) *RowError {
	for i := range v.count() {
		if err := e.number(f, v, i); err != nil {
			return err
		}
	}
	return nil
}

// number converts the i-th number of v by its text, and so knows what to say of
// one that does not fit.
func (e *Encoder) number(f *field, v *Value, i int) *RowError {
	e.digits = v.appendNumber(e.digits[:0], i)
	elem := Value{Kind: Number, Text: e.digits, At: v.At}
	if v.Elem == BoolType {
		elem.Kind = Bool
	}
	if f.collects {
		elem.Text = bytes.Clone(elem.Text) // the texts of a row are kept together
	}
	depth := len(e.path)
	if v.count() > 1 {
		e.path = append(e.path, i)
	}
	var err *RowError
	if one := v.part(i, 1); f.to.isFloat() && v.Elem.IsFloat() && !one.isFinite() {
		err = e.notFinite(f, &elem)
	} else {
		err = e.convert(f, &elem)
	}
	e.path = e.path[:depth]
	return err
}

// appendNumber appends the text of the i-th number.
func (v *Value) appendNumber(dst []byte, i int) []byte {
	size := v.Elem.Size()
	bits := loadNumber(v.Text[i*size:], size)
	switch v.Elem {
	case BoolType:
		return strconv.AppendBool(dst, bits != 0)
	case Uint8, Uint16, Uint32, Uint64:
		return strconv.AppendUint(dst, bits, 10)
	case Float:
		return appendFloatText(dst, float64(math.Float32frombits(uint32(bits))), 32)
	case Float64, Float16, Bfloat16:
		return appendFloatText(dst, v.Elem.double(bits), 64)
	}
	shift := 64 - 8*size
	return strconv.AppendInt(dst, int64(bits)<<shift>>shift, 10)
}

// appendFloatText appends the text of a float, which shows that it is one, and has
// all digits where an integer may be made of it.
func appendFloatText(dst []byte, x float64, size int) []byte {
	if x == math.Trunc(x) && math.Abs(x) < 1<<64 {
		return strconv.AppendFloat(dst, x, 'f', 1, 64)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, size)
}

// double returns the float of type t that has these bits; each is a double.
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

// floats converts floats of one type to another.
func (e *Encoder) floats(f *field, v *Value) *RowError {
	size, infinity := v.Elem.Size(), f.to.infinity()
	sign := infinity + infinity&-infinity // the bit above the exponent
	for i := range v.count() {
		double := v.Elem.double(loadNumber(v.Text[i*size:], size))
		bits := f.floatBits(double)
		finite, stored := double-double == 0, bits&^sign
		if !finite && !f.AllowNonfinite || finite && (stored == infinity || stored == 0 && double != 0) {
			if err := e.number(f, v, i); err != nil {
				return err
			}
			continue
		}
		e.body = f.appendNumber(e.body, bits)
	}
	return nil
}
