package arrays

import (
	"fmt"
	"strconv"

	"tfr-build/schema"
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
var numberTypes = map[string]dtype{
	"b1": {name: "bool", elem: schema.BoolType, size: 1},
	"i1": {name: "int8", elem: schema.Int8, size: 1},
	"i2": {name: "int16", elem: schema.Int16, size: 2},
	"i4": {name: "int32", elem: schema.Int32, size: 4},
	"i8": {name: "int64", elem: schema.Int64, size: 8},
	"u1": {name: "uint8", elem: schema.Uint8, size: 1},
	"u2": {name: "uint16", elem: schema.Uint16, size: 2},
	"u4": {name: "uint32", elem: schema.Uint32, size: 4},
	"u8": {name: "uint64", elem: schema.Uint64, size: 8},
	"f2": {name: "float16", class: fraction, elem: schema.Float16, size: 2},
	"f4": {name: "float32", class: fraction, elem: schema.Float, size: 4},
	"f8": {name: "float64", class: fraction, elem: schema.Float64, size: 8},
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
		return dtype{}, &mismatch{"ARRAY_TYPE", fmt.Sprintf("holds %s (%s); expected bool, integers, floats of 16 to 64 bits, S or U", what, schema.Quote(s))}
	}
	if len(s) < 2 {
		return refused("elements of an unknown type")
	}
	order, letter, digits := s[0], s[1], s[2:]
	t, isNumber := numberTypes[s[1:]]
	size, err := strconv.ParseUint(digits, 10, 31)
	switch {
	case order != '<' && order != '>' && order != '|', isNumber && t.size > 1 && order == '|':
		return refused("elements without an order of bytes")
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
