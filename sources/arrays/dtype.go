package arrays

import (
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A class is the way in which elements of a type become values.
type class uint8

const (
	integer class = iota // also bool
	fraction
	byteText
	unicode
)

// A dtype is the type of an array's elements.
type dtype struct {
	name  string // type name in features
	class class
	elem  schema.Type // for numbers
	size  int         // bytes per element
	word  int         // length of the words whose bytes are swapped to be little-endian; 1 if none are
}

// numberTypes are the types of numbers, by their names in NumPy.
var numberTypes = map[string]schema.Type{
	"b1": schema.BoolType,
	"i1": schema.Int8, "i2": schema.Int16, "i4": schema.Int32, "i8": schema.Int64,
	"u1": schema.Uint8, "u2": schema.Uint16, "u4": schema.Uint32, "u8": schema.Uint64,
	"f2": schema.Float16, "f4": schema.Float, "f8": schema.Float64,
}

// unsupported are the types that are not supported, by their letter.
var unsupported = map[byte]string{
	'O': "pickled Python objects, which are never read",
	'c': "complex numbers",
	'M': "dates",
	'm': "time spans",
	'V': "raw or structured data",
	'f': "floats of a size that is not read",
}

// maxSize is the maximum number of bytes (S) or characters (U) of an element.
const maxSize = 1 << 30

// parseDescr returns the type with a NumPy description such as "<f4": byte order, letter, size.
func parseDescr(s string) (dtype, error) {
	refused := func(what string) (dtype, error) {
		return dtype{}, input.Mismatch("ARRAY_TYPE",
			"holds %s (%s); expected bool, integers, floats of 16 to 64 bits, S or U", what, schema.Quote(s))
	}
	if len(s) < 2 {
		return refused("elements of an unknown type")
	}
	order, letter, digits := s[0], s[1], s[2:]
	elem, isNumber := numberTypes[s[1:]]
	t := dtype{name: elem.Dtype(), elem: elem, size: elem.Size()}
	size, err := strconv.ParseUint(digits, 10, 31)
	switch {
	case order != '<' && order != '>' && order != '|', isNumber && t.size > 1 && order == '|':
		return refused("elements without an order of bytes")
	case letter == 'f' && isNumber:
		t.class = fraction
	case isNumber:
	case (letter != 'S' && letter != 'U') || err != nil || size > maxSize || digits != strconv.FormatUint(size, 10):
		what, known := unsupported[letter]
		if !known {
			what = "elements of an unknown type"
		}
		return refused(what)
	case letter == 'S':
		t = dtype{name: "bytes", class: byteText, size: int(size)}
	default:
		t = dtype{name: "string", class: unicode, size: 4 * int(size)}
	}
	t.word = 1
	switch {
	case order == '>' && t.class == unicode:
		t.word = 4
	case order == '>' && isNumber:
		t.word = t.size
	}
	return t, nil
}
