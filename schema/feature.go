package schema

import "tfr-build/internal/nameset"

// A Feature describes how one key of a message is made from the columns of a row.
type Feature struct {
	Key      string
	Type     Type     // type of the values; Int64 for a feature with Classes, Int64 or Float with MultiHot
	Part     Part     // rows of a group whose values the columns have; the zero value for other records
	Columns  []string // one column, or several whose values make a list or steps; empty with Constant
	Constant *Value   // the value of every row, instead of Columns
	Classes  *Classes // the column has names, and the feature their numbers
	// instead of Classes: the column has lists of names, and the feature a 0 or 1 for each class
	MultiHot       *Classes
	Repeat         string    // a list column: the value is repeated once per element
	Map            *Map      // the column has keys of the map, and the feature their values
	Date           *Date     // the column has dates, and the feature the time since 1970
	Shape          []int     // empty: one value; [4]; [2 3], row-major; [-1], any length; several -1s: ragged
	Pad            *Value    // fills a list that is shorter than Shape; nil: such a list is an error
	Truncate       bool      // cuts a list that is longer than Shape
	Separator      string    // splits the Text into elements; empty: no splitting
	OnMissing      OnMissing // what to do if the value is missing
	Default        *Value    // with MissingDefault: the value, or each element of a list
	NullValues     []string  // sorted: Texts and Strings equal to one of these strings are missing
	Encoding       Encoding  // how a string encodes bytes, for BytesType; or JSON
	Thousands      string    // mark between groups of digits in strings; empty: none
	Decimal        string    // decimal mark in strings; empty: a point
	IntFromFloat   bool      // accept 180.0 and 1.8e2 as the integer 180
	AllowNonfinite bool      // accept nan, inf, and -inf as floats
	Tensor         bool      // the values are stored as one serialized TensorProto
	Raw            bool      // the values are stored as bytes, little-endian, without a header
	MemberKey      bool      // the value is the key of a sample of WebDataset
	Image          bool      // the column has the contents of image files; for metadata only
	LabelMap       string    // with Classes: the name of their label map; empty: none. For metadata only
	TFDS           string    // Text, Tensor, Image, BBox, or Audio in TFDS; empty: derived from the other fields
}

// Classes assigns numbers to names: First to the first name, First+1 to the next.
type Classes struct {
	Names   []string
	First   int64
	Unknown *int64 // the number of all other names; nil: other names are errors
	Numbers bool   // the column has numbers, which are only checked

	index *nameset.Set // of Names; set by Index
}

// A Map replaces strings by values. Each value is converted like a value of the feature's column.
type Map struct {
	Strings []string
	Values  []Value // Values[i] replaces Strings[i]
	Unknown *Value  // the value of all other strings; nil: other strings are errors
}

// OnMissing is what a feature does if its column has no value.
type OnMissing uint8

// For a list, MissingDefault replaces missing elements. The other choices are about the list
// itself, and a missing element is an error. With MissingEmptyList, a missing list inside a list of a
// ragged feature is empty, too.
const (
	MissingError     OnMissing = iota // the row is invalid
	MissingOmit                       // the message does not have the key
	MissingDefault                    // Feature.Default replaces the value
	MissingEmptyList                  // the key has no values; for shape [-1], ragged shapes, and feature lists
)

// Encoding is how a string encodes a value.
type Encoding uint8

// The encodings.
const (
	Plain  Encoding = iota // the string is the bytes
	Base64                 // standard alphabet, padded
	Hex                    // two hexadecimal digits per byte, in either case
	JSON                   // the string is a JSON value, which the reader of the row has decoded: see Schema.Columns
)

// isOfText reports whether x encodes bytes as ASCII characters.
func (x Encoding) isOfText() bool { return x == Base64 || x == Hex }
