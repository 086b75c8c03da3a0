package schema

import "tfr-build/internal/nameset"

// A Feature says how one key of a message is made from the columns of a row.
type Feature struct {
	Key            string
	Type           Type      // of a feature with Classes: Int64
	Columns        []string  // one, or several, whose values make a list, or steps; none with Constant
	Constant       *Value    // instead of Columns
	Classes        *Classes  // the column holds names, the feature their numbers
	Repeat         string    // a list column: the value as often as that has elements
	Map            *Map      // the column holds texts, the feature what they stand for
	Date           *Date     // the column holds dates, the feature the time since 1970
	Shape          []int     // none: one value; [4] [2 3] row-major; the first may be -1, any number; more of these at the beginning: ragged
	Separator      string    // splits a Text into elements; empty: not split
	OnMissing      OnMissing // what to do without a value
	Default        *Value    // with MissingDefault: of the value, or of each element of a list
	NullValues     []string  // a Text or String equal to one of these is missing
	Encoding       Encoding  // of text into BytesType
	IntFromFloat   bool      // 180.0 and 1.8e2 are the integer 180
	AllowNonfinite bool      // nan, inf and -inf are floats
	Tensor         bool      // the values are stored as one serialized TensorProto
	Raw            bool      // the values are stored as bytes, little-endian, without a header
	Image          bool      // the column is an image file's content; for metadata only
	TFDS           string    // what TFDS is to take the feature for: Text, Tensor, Image, BBox or Audio; empty: what follows from all else
}

// Classes numbers names: the first has the number First, the next First+1.
type Classes struct {
	Names   []string
	First   int64
	Unknown *int64 // the number of every other name; nil: another name is an error
	Numbers bool   // the column holds numbers already, which are checked

	index *nameset.Set // of Names, once Index was called
}

// A Map gives texts the values that they stand for, each converted as the
// feature's column would be.
type Map struct {
	Texts   []string
	Values  []Value // beside Texts
	Unknown *Value  // for every other text; nil: another text is an error
}

// OnMissing says what a feature does when its column has no value.
type OnMissing uint8

// What to do without a value. In lists, MissingDefault replaces a missing
// element; the others speak of the list as a whole, and a missing element is
// an error.
const (
	MissingError     OnMissing = iota // the row cannot be used
	MissingOmit                       // the key is not in the message
	MissingDefault                    // Feature.Default takes its place
	MissingEmptyList                  // the key is there, without values; for shape [-1], ragged ones and feature lists
)

// Encoding says how text spells bytes.
type Encoding uint8

// The encodings of bytes in text.
const (
	Plain  Encoding = iota // the text is the bytes
	Base64                 // standard alphabet, padded
	Hex                    // two digits a byte, of either case
	JSON                   // the text is a JSON value, which whoever reads the row has decoded: see Schema.Columns
)

// isOfText says whether x spells bytes in text.
func (x Encoding) isOfText() bool { return x == Base64 || x == Hex }
