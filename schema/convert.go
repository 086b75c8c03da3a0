package schema

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A conversion is the target of converting a value.
type conversion uint8

const (
	toNothing conversion = iota
	toInt
	toUint // to 2^64-1
	toBool
	toClass
	toMapped
	toDate
	toFloat // a float32
	toDouble
	toFloat16
	toBfloat16
	toBytes
	toString
)

// isFloat reports whether the results of c are floats.
func (c conversion) isFloat() bool { return toFloat <= c && c <= toBfloat16 }

// infinity returns the bits of infinity in the float format of c.
func (c conversion) infinity() uint64 {
	switch c {
	case toFloat:
		return 0x7f800000
	case toDouble:
		return 0x7ff << 52
	case toFloat16:
		return uint64(halfFormat.infinity)
	case toBfloat16:
		return uint64(brainFormat.infinity)
	}
	return 0
}

// convert converts v, which is not missing, and appends the result to e.body.
func (e *Encoder) convert(f *field, v *Value) *RowError {
	if v.Kind == Missing || v.Kind >= List {
		return e.convertSingle(f, v)
	}
	switch f.to {
	case toInt:
		return e.convertInt(f, v)
	case toUint:
		return e.convertUint(f, v)
	case toBool:
		return e.convertBool(f, v)
	case toClass:
		return e.convertClass(f, v)
	case toMapped:
		return e.convertMapped(f, v)
	case toDate:
		return e.convertDate(f, v)
	case toFloat, toDouble, toFloat16, toBfloat16:
		return e.convertFloat(f, v)
	case toBytes, toString:
		return e.convertText(f, v)
	}
	panic("schema: a feature was compiled without a conversion")
}

func (e *Encoder) convertClass(f *field, v *Value) *RowError {
	if v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if f.collects {
		e.texts = append(e.texts, v.Text)
		e.body = f.appendNumber(e.body, 0)
		return nil
	}
	x, ok := f.classes.number(v.Text)
	if !ok {
		return e.unknownClass(f, v)
	}
	e.body = f.appendNumber(e.body, uint64(x))
	return nil
}

func (e *Encoder) convertBool(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	x, ok := parseBool(v.Text)
	if !ok {
		return e.notBool(f, v)
	}
	e.body = f.appendNumber(e.body, x)
	return nil
}

func (e *Encoder) convertInt(f *field, v *Value) *RowError {
	x, ok := parseIntFast(v.Text)
	result := numberOK
	if !ok || v.Kind != Text && v.Kind != Number {
		var err *RowError
		if x, result, err = e.parseIntSlow(f, v); err != nil {
			return err
		}
	}
	if result == numberRange || x < f.lowest || x > f.highest {
		return e.convertBeyond(f, v)
	}
	if f.width == 0 {
		e.body = protowire.AppendVarint(e.body, uint64(x))
	} else {
		e.body = f.appendNumber(e.body, uint64(x))
	}
	return nil
}

// parseIntSlow parses integers that parseIntFast does not. It returns an error if v is not an
// integer; an integer out of range is in the result.
func (e *Encoder) parseIntSlow(f *field, v *Value) (x int64, result parseResult, err *RowError) {
	if v.Kind == String || v.Kind == Bytes {
		return 0, numberSyntax, e.wrongKind(f, v)
	}
	if v.Kind == Bool {
		bit, _ := parseBool(v.Text)
		return int64(bit), numberOK, nil
	}
	x, zeros, result := parseInt(v.Text)
	if result == numberSyntax && f.IntFromFloat {
		x, result = parseWhole(v.Text)
	}
	if result == numberSyntax {
		return 0, result, e.notInt(f, v, result)
	}
	if zeros && result == numberOK && f.lowest <= x && x <= f.highest {
		e.notices[f.index].LeadingZeros++
	}
	return x, result, nil
}

// convertBeyond converts an integer that is out of the range of the field. A number that no class
// has may become the number of unknown classes.
func (e *Encoder) convertBeyond(f *field, v *Value) *RowError {
	switch {
	case f.classes == nil:
		return e.notInt(f, v, numberRange)
	case f.classes.strict:
		return e.notClassNumber(f, v)
	}
	e.body = f.appendNumber(e.body, uint64(f.classes.unknown))
	return nil
}

func (e *Encoder) convertUint(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return e.wrongKind(f, v)
	}
	if v.Kind == Bool {
		bit, _ := parseBool(v.Text)
		e.body = f.appendNumber(e.body, bit)
		return nil
	}
	negative, x, zeros, result := parseDigits(v.Text)
	if result == numberSyntax && f.IntFromFloat {
		negative, x, result = parseWholeSize(v.Text)
	}
	if result != numberOK || negative && x != 0 {
		return e.notInt(f, v, max(result, numberOK))
	}
	if zeros {
		e.notices[f.index].LeadingZeros++
	}
	e.body = f.appendNumber(e.body, x)
	return nil
}

func (e *Encoder) convertFloat(f *field, v *Value) *RowError {
	if v.Kind == Text || v.Kind == String {
		if float, ok := nonfinite(v.Text); ok {
			if !f.AllowNonfinite {
				return e.notFinite(f, v)
			}
			e.body = f.appendNumber(e.body, f.nonfinite(float))
			return nil
		}
	}
	if v.Kind != Text && v.Kind != Number {
		return e.wrongKind(f, v)
	}
	if f.to != toFloat {
		return e.convertOtherFloat(f, v)
	}
	float, result := parseFloat(v.Text)
	switch result {
	case numberSyntax, numberRange:
		return e.notFloat(f, v, result)
	case numberUnderflow:
		e.notices[f.index].Underflows++
	}
	e.body = protowire.AppendFixed32(e.body, float)
	return nil
}

// convertOtherFloat converts a decimal to a float format other than float32.
func (e *Encoder) convertOtherFloat(f *field, v *Value) *RowError {
	bits, result := f.parseOtherFloat(v.Text)
	switch result {
	case numberSyntax, numberRange:
		return e.notFloat(f, v, result)
	case numberUnderflow:
		e.notices[f.index].Underflows++
	}
	e.body = f.appendNumber(e.body, bits)
	return nil
}

// parseOtherFloat is parseFloat for a field with a float format other than float32.
func (x *field) parseOtherFloat(text []byte) (bits uint64, v parseResult) {
	if x.to == toDouble {
		return parseDouble(text)
	}
	format := &halfFormat
	if x.to == toBfloat16 {
		format = &brainFormat
	}
	half, v := format.parse(text)
	return uint64(half), v
}

// nonfinite converts the bits of a nan or inf as a float32 to the format that x stores.
func (x *field) nonfinite(float uint32) uint64 {
	if x.to == toFloat {
		return uint64(float)
	}
	return x.floatBits(float64(math.Float32frombits(float)))
}

// floatBits returns the bits of the float nearest to a double, in the format that x stores. All
// nans have the same bits.
func (x *field) floatBits(double float64) uint64 {
	switch x.to {
	case toDouble:
		if math.IsNaN(double) {
			return doubleNaN
		}
		return math.Float64bits(double)
	case toFloat16:
		return uint64(halfFormat.convert(double))
	case toBfloat16:
		return uint64(brainFormat.convert(double))
	}
	if math.IsNaN(double) {
		return floatNaN
	}
	return uint64(math.Float32bits(float32(double)))
}

// The bits of nan that most processors produce, as float32 and as double. Processors may differ in
// the other bits.
const floatNaN, doubleNaN = 0x7fc00000, 0x7ff8000000000000
