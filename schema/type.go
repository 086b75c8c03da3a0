package schema

import (
	"fmt"
	"math"
)

// A Type is the type of a feature's values. The zero Type is invalid.
type Type uint8

// The types of features.
const (
	_ Type = iota
	Int64
	Int8
	Int16
	Int32
	Uint8
	Uint16
	Uint32
	Uint64 // in a list up to 2^63-1, the largest number of an int64_list; the full range in a tensor and in raw bytes
	BoolType
	Float // the nearest float32, also if the source has more digits
	BytesType
	StringType // bytes that are valid UTF-8
	Float64    // the nearest double in a tensor, in raw bytes, and in an OFRecord; otherwise the nearest float32
	Float16    // the nearest number of the format; only in a tensor or in raw bytes
	Bfloat16   // the nearest number of the format; only in a tensor or in raw bytes
)

// typeNames has every spelling of a type; the first spelling is its name.
var typeNames = []struct {
	name string
	t    Type
}{
	{"int64", Int64},
	{"int8", Int8},
	{"int16", Int16},
	{"int32", Int32},
	{"uint8", Uint8},
	{"uint16", Uint16},
	{"uint32", Uint32},
	{"uint64", Uint64},
	{"bool", BoolType},
	{"float", Float},
	{"float32", Float},
	{"float64", Float64},
	{"double", Float64},
	{"bytes", BytesType},
	{"string", StringType},
	{"float16", Float16},
	{"bfloat16", Bfloat16},
}

// ParseType returns the type with the spelling s. It is case-sensitive.
func ParseType(s string) (Type, bool) {
	for _, n := range typeNames {
		if n.name == s {
			return n.t, true
		}
	}
	return 0, false
}

// TypeNames returns all spellings that ParseType accepts.
func TypeNames() []string {
	names := make([]string, len(typeNames))
	for i, n := range typeNames {
		names[i] = n.name
	}
	return names
}

// String returns the type's name, the first of its spellings.
func (t Type) String() string {
	for _, n := range typeNames {
		if n.t == t {
			return n.name
		}
	}
	if t == 0 {
		return "invalid"
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// withArticle returns the type's name with its article: an int64, a float.
func (t Type) withArticle() string {
	if Int64 <= t && t <= Int32 {
		return "an " + t.String()
	}
	return "a " + t.String()
}

// IsInteger reports whether t is an integer type; bool is not.
func (t Type) IsInteger() bool { return Int64 <= t && t <= Uint64 }

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t == Float || Float64 <= t && t <= Bfloat16 }

// IsText reports whether t is BytesType or StringType.
func (t Type) IsText() bool { return t == BytesType || t == StringType }

// Size returns the bytes of a number of type t in an Array, in a tensor, and in raw bytes. It is 0
// for BytesType and StringType.
func (t Type) Size() int { return inBytes.of(t).width }

// Dtype returns TensorFlow's name of t.
func (t Type) Dtype() string {
	switch {
	case t.IsText():
		return "string"
	case t == Float:
		return "float32"
	}
	return t.String()
}

// Limits returns the smallest and the largest number of an integer type or of bool in a list.
func (t Type) Limits() (lowest, highest int64) {
	switch t {
	case BoolType:
		return 0, 1
	case Int8:
		return math.MinInt8, math.MaxInt8
	case Int16:
		return math.MinInt16, math.MaxInt16
	case Int32:
		return math.MinInt32, math.MaxInt32
	case Uint8:
		return 0, math.MaxUint8
	case Uint16:
		return 0, math.MaxUint16
	case Uint32:
		return 0, math.MaxUint32
	case Uint64:
		return 0, math.MaxInt64 // an int64_list has no larger number
	}
	return math.MinInt64, math.MaxInt64
}

// FloatOf decodes a number of the float type t from its little-endian bytes.
func (t Type) FloatOf(number []byte) float64 { return t.double(loadNumber(number, t.Size())) }

// NumberOf returns the little-endian bytes of the number of type t that text is; nil if it is not one.
func (t Type) NumberOf(text string) []byte {
	stored := inBytes.of(t)
	x := field{Feature: Feature{Type: t, AllowNonfinite: true}, to: stored.to, width: stored.width}
	x.lowest, x.highest = t.Limits()
	c := converter{pos: new(position), warnings: make([]Warnings, 1)}
	if text == "" || stored.width == 0 || c.convert(&x, &Value{Kind: Text, Text: []byte(text)}) != nil {
		return nil
	}
	return c.body
}
