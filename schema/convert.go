package schema

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A conversion is what the text of a value is read as.
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

// isFloat says whether c makes floats.
func (c conversion) isFloat() bool { return toFloat <= c && c <= toBfloat16 }

// infinity is the bits of that number among the floats that c makes.
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

// convert converts v, which is not missing, and appends it to the list.
func (e *Encoder) convert(f *field, v *Value) *RowError {
	if v.Kind == Missing || v.Kind >= List {
		return e.loneNumber(f, v)
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
	x, ok := shortInt(v.Text)
	verdict := numberFine
	if !ok || v.Kind != Text && v.Kind != Number {
		var err *RowError
		if x, verdict, err = e.longInt(f, v); err != nil {
			return err
		}
	}
	if verdict == numberRange || x < f.lowest || x > f.highest {
		return e.intBeyond(f, v)
	}
	if f.width == 0 {
		e.body = protowire.AppendVarint(e.body, uint64(x))
	} else {
		e.body = f.appendNumber(e.body, uint64(x))
	}
	return nil
}

// longInt reads what shortInt does not. Its error is that v is no integer.
func (e *Encoder) longInt(f *field, v *Value) (x int64, verdict verdict, err *RowError) {
	if v.Kind == String || v.Kind == Bytes {
		return 0, numberSyntax, e.wrongKind(f, v)
	}
	if v.Kind == Bool {
		bit, _ := parseBool(v.Text)
		return int64(bit), numberFine, nil
	}
	x, zeros, verdict := parseInt(v.Text)
	if verdict == numberSyntax && f.IntFromFloat {
		x, verdict = parseWhole(v.Text)
	}
	if verdict == numberSyntax {
		return 0, verdict, e.notInt(f, v, verdict)
	}
	if zeros && verdict == numberFine && f.lowest <= x && x <= f.highest {
		e.notices[f.index].LeadingZeros++
	}
	return x, verdict, nil
}

// intBeyond converts an integer that the field does not take: a class without a
// name may have a number of its own.
func (e *Encoder) intBeyond(f *field, v *Value) *RowError {
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
	negative, x, zeros, verdict := parseDigits(v.Text)
	if verdict == numberSyntax && f.IntFromFloat {
		negative, x, verdict = parseWholeSize(v.Text)
	}
	if verdict != numberFine || negative && x != 0 {
		return e.notInt(f, v, max(verdict, numberFine))
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
		return e.convertOther(f, v)
	}
	float, verdict := parseFloat(v.Text)
	switch verdict {
	case numberSyntax, numberRange:
		return e.notFloat(f, v, verdict)
	case numberUnderflow:
		e.notices[f.index].Underflows++
	}
	e.body = protowire.AppendFixed32(e.body, float)
	return nil
}

// convertOther converts a decimal to a float that is no float32.
func (e *Encoder) convertOther(f *field, v *Value) *RowError {
	bits, verdict := f.parseOther(v.Text)
	switch verdict {
	case numberSyntax, numberRange:
		return e.notFloat(f, v, verdict)
	case numberUnderflow:
		e.notices[f.index].Underflows++
	}
	e.body = f.appendNumber(e.body, bits)
	return nil
}

// parseOther is parseFloat for a field that does not store a float32.
func (x *field) parseOther(text []byte) (bits uint64, v verdict) {
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

// nonfinite returns the bits of a float32 that is not finite as the field stores it.
func (x *field) nonfinite(float uint32) uint64 {
	if x.to == toFloat {
		return uint64(float)
	}
	return x.floatBits(float64(math.Float32frombits(float)))
}

// floatBits returns the bits of the float nearest to a double, as the field stores
// it. All that are no numbers have the same bits.
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

// Floats that are no numbers, as most make them: a processor may keep other bits.
const floatNaN, doubleNaN = 0x7fc00000, 0x7ff8000000000000
