package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"tfr-build/schema"
)

// maxFixed limits the size of fixed-length values. A page of a few bytes could claim any number
// of longer ones.
const maxFixed = 64 << 20

// setType sets the kind and the feature type of a leaf from its schema element.
func (f *leaf) setType(e *format.SchemaElement) error {
	switch f.physical {
	case format.Boolean:
		f.kind, f.size, f.typ = boolean, 1, "bool"
	case format.Int32:
		f.setNumber(schema.Int32)
	case format.Int64:
		f.setNumber(schema.Int64)
	case format.Int96:
		f.kind, f.size, f.unit, f.typ = julian, 12, 9, "string"
	case format.Float:
		f.setNumber(schema.Float)
	case format.Double:
		f.setNumber(schema.Float64)
	case format.ByteArray:
		f.kind, f.typ = rawBytes, "bytes"
	case format.FixedLenByteArray:
		f.kind, f.size, f.typ = rawBytes, int(e.TypeLength.V), "bytes"
		if f.size <= 0 || f.size > maxFixed {
			return damaged("the schema's column %s has values of %d bytes", schema.Quote(f.name), f.size)
		}
	default:
		return damaged("the schema's column %s is of the type %d, which there is not", schema.Quote(f.name), f.physical)
	}
	return f.setLogical(e)
}

func (f *leaf) setNumber(t schema.Type) {
	f.kind, f.elem, f.size, f.typ = number, t, t.Size(), t.String()
}

// setStringKind sets a kind whose values are read as strings.
func (f *leaf) setStringKind(k kind, unit int) { f.kind, f.elem, f.unit, f.typ = k, 0, unit, "string" }

// setLogical applies the logical type of the schema. A logical type that does not match the
// physical type is ignored, as other readers do.
func (f *leaf) setLogical(e *format.SchemaElement) error {
	switch t := e.LogicalType.Value.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		f.setString()
	case *format.UUIDType:
		if f.physical == format.FixedLenByteArray && f.size == 16 {
			f.setStringKind(uuid, 0)
		}
	case *format.Float16Type:
		if f.physical == format.FixedLenByteArray && f.size == 2 {
			f.setNumber(schema.Float16)
		}
	case *format.DateType:
		f.setDate()
	case *format.TimeType:
		f.setClock(digits(t.Unit))
	case *format.TimestampType:
		f.setTimestamp(digits(t.Unit), t.IsAdjustedToUTC)
	case *format.DecimalType:
		return f.setDecimal(t.Scale)
	case *format.IntType:
		f.setInteger(int(t.BitWidth), t.IsSigned)
	case nil:
		return f.setConverted(e)
	}
	return nil
}

// digits returns the number of fraction digits of a second that a unit has.
func digits(u format.TimeUnit) int {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 3
	case *format.MicroSeconds:
		return 6
	}
	return 9
}

func (f *leaf) setString() {
	if f.physical == format.ByteArray || f.physical == format.FixedLenByteArray {
		f.setStringKind(utf8String, 0)
	}
}

func (f *leaf) setDate() {
	if f.physical == format.Int32 {
		f.setStringKind(date, 0)
	}
}

func (f *leaf) setClock(digits int) {
	if f.physical == format.Int32 || f.physical == format.Int64 {
		f.setStringKind(clock, digits)
	}
}

func (f *leaf) setTimestamp(digits int, utc bool) {
	if f.physical == format.Int64 {
		f.setStringKind(timestamp, digits)
		f.utc = utc
	}
}

// maxScale limits the digits of a decimal after the decimal point.
const maxScale = 1000

func (f *leaf) setDecimal(scale int32) error {
	if scale < 0 || scale > maxScale {
		return unsupported("the column %s has decimals of %d digits after the point", schema.Quote(f.name), scale)
	}
	switch f.physical {
	case format.Int32, format.Int64:
		f.setStringKind(decimal, int(scale))
	case format.ByteArray, format.FixedLenByteArray:
		f.setStringKind(decimalBytes, int(scale))
	}
	return nil
}

// setInteger applies the bit width and the sign of an integer, if the physical type can store it.
func (f *leaf) setInteger(bits int, signed bool) {
	name := fmt.Sprintf("int%d", bits)
	if !signed {
		name = "u" + name
	}
	t, known := schema.ParseType(name)
	if !known || f.kind != number || f.elem.IsFloat() || bits > 8*f.size {
		return
	}
	switch {
	case !signed && f.size == 8:
		f.elem = schema.Uint64
	case !signed:
		f.elem = schema.Uint32
	}
	f.typ = t.String()
}

// setConverted applies the converted type, which old writers store instead of a logical type.
func (f *leaf) setConverted(e *format.SchemaElement) error {
	if !e.ConvertedType.Valid {
		return nil
	}
	switch c := e.ConvertedType.V; c {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		f.setString()
	case deprecated.Decimal:
		return f.setDecimal(e.Scale.V)
	case deprecated.Date:
		f.setDate()
	case deprecated.TimeMillis:
		f.setClock(3)
	case deprecated.TimeMicros:
		f.setClock(6)
	case deprecated.TimestampMillis:
		f.setTimestamp(3, true)
	case deprecated.TimestampMicros:
		f.setTimestamp(6, true)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		f.setInteger(8<<(c-deprecated.Uint8), false)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		f.setInteger(8<<(c-deprecated.Int8), true)
	}
	return nil
}
