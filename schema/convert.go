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
	toKey
	toMarked // for a fastField: to the number that remains without marks
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

// A converter converts one value after another. It appends the results to body.
type converter struct {
	pos      *position
	body     []byte     // converted values, as their list stores them
	digits   []byte     // the decimal string of a number of an Array
	plain    Value      // a number whose marks were removed
	warnings []Warnings // by field
	texts    [][]byte   // class names, if a field collects them
}

// convert converts v, which is not missing, and appends the result to c.body.
func (c *converter) convert(f *field, v *Value) *RowError {
	if v.Kind == Missing || v.Kind >= List {
		return c.convertSingle(f, v)
	}
	if f.marks != nil && (v.Kind == Text || v.Kind == String) {
		return c.convertMarked(f, v)
	}
	switch f.to {
	case toInt:
		return c.convertInt(f, v)
	case toUint:
		return c.convertUint(f, v)
	case toBool:
		return c.convertBool(f, v)
	case toClass:
		return c.convertClass(f, v)
	case toMapped:
		return c.convertMapped(f, v)
	case toDate:
		return c.convertDate(f, v)
	case toFloat, toDouble, toFloat16, toBfloat16:
		return c.convertFloat(f, v)
	case toBytes, toString:
		return c.convertText(f, v)
	case toKey:
		return c.convertKey(f, v)
	}
	panic("schema: a feature was compiled without a conversion")
}

func (c *converter) convertClass(f *field, v *Value) *RowError {
	if v.Kind == Bytes {
		return c.pos.wrongKind(f, v)
	}
	if f.collects {
		c.texts = append(c.texts, v.Text)
		c.body = f.appendNumber(c.body, 0)
		return nil
	}
	x, ok := f.classes.number(v.Text)
	if !ok {
		return c.pos.unknownClass(f, v)
	}
	c.body = f.appendNumber(c.body, uint64(x))
	return nil
}

func (c *converter) convertBool(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return c.pos.wrongKind(f, v)
	}
	x, ok := parseBool(v.Text)
	if !ok {
		return c.pos.notBool(f, v)
	}
	c.body = f.appendNumber(c.body, x)
	return nil
}

func (c *converter) convertInt(f *field, v *Value) *RowError {
	x, ok := parseIntFast(v.Text)
	result := numberOK
	if !ok || v.Kind != Text && v.Kind != Number {
		var err *RowError
		if x, result, err = c.parseIntSlow(f, v); err != nil {
			return err
		}
	}
	if result == numberRange || x < f.lowest || x > f.highest {
		return c.convertOutOfRange(f, v)
	}
	if f.width == 0 {
		c.body = protowire.AppendVarint(c.body, uint64(x))
	} else {
		c.body = f.appendNumber(c.body, uint64(x))
	}
	return nil
}

// parseIntSlow parses integers that parseIntFast does not. It returns an error if v is not an
// integer; an integer out of range is in the result.
func (c *converter) parseIntSlow(f *field, v *Value) (x int64, result parseResult, err *RowError) {
	if v.Kind == String || v.Kind == Bytes {
		return 0, numberSyntax, c.pos.wrongKind(f, v)
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
		return 0, result, c.pos.notInt(f, v, result)
	}
	if zeros && result == numberOK && f.lowest <= x && x <= f.highest {
		c.warnings[f.index].LeadingZeros++
	}
	return x, result, nil
}

// convertOutOfRange converts an integer that is out of the range of the field. A number that no class
// has may become the number of unknown classes.
func (c *converter) convertOutOfRange(f *field, v *Value) *RowError {
	switch {
	case f.classes == nil:
		return c.pos.notInt(f, v, numberRange)
	case f.classes.strict:
		return c.pos.notClassNumber(f, v)
	}
	c.body = f.appendNumber(c.body, uint64(f.classes.unknown))
	return nil
}

func (c *converter) convertUint(f *field, v *Value) *RowError {
	if v.Kind == String || v.Kind == Bytes {
		return c.pos.wrongKind(f, v)
	}
	if v.Kind == Bool {
		bit, _ := parseBool(v.Text)
		c.body = f.appendNumber(c.body, bit)
		return nil
	}
	negative, x, zeros, result := parseDigits(v.Text)
	if result == numberSyntax && f.IntFromFloat {
		negative, x, result = parseWholeSize(v.Text)
	}
	if result != numberOK || negative && x != 0 {
		return c.pos.notInt(f, v, max(result, numberOK))
	}
	if zeros {
		c.warnings[f.index].LeadingZeros++
	}
	c.body = f.appendNumber(c.body, x)
	return nil
}

func (c *converter) convertFloat(f *field, v *Value) *RowError {
	if v.Kind == Text || v.Kind == String {
		if float, ok := nonfinite(v.Text); ok {
			if !f.AllowNonfinite {
				return c.pos.notFinite(f, v)
			}
			c.body = f.appendNumber(c.body, f.nonfinite(float))
			return nil
		}
	}
	if v.Kind != Text && v.Kind != Number {
		return c.pos.wrongKind(f, v)
	}
	bits, result := f.parseFloat(v.Text)
	switch result {
	case numberSyntax, numberRange:
		return c.pos.notFloat(f, v, result)
	case numberUnderflow:
		c.warnings[f.index].Underflows++
	}
	c.body = f.appendNumber(c.body, bits)
	return nil
}

// parseFloat parses a decimal, and returns the bits of the nearest float in the format of the field.
func (x *field) parseFloat(text []byte) (bits uint64, v parseResult) {
	switch x.to {
	case toFloat:
		float, v := parseFloat(text)
		return uint64(float), v
	case toDouble:
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
