package schema

// A Kind is the kind of a Value.
type Kind uint8

const (
	Missing Kind = iota // no value: an unquoted empty CSV cell, a JSON null, an absent key
	Text                // an untyped string: a CSV cell, a constant, a part of a path
	String              // a JSON string, decoded
	Number              // a number as the input writes it, in JSON's grammar
	Bool                // true or false as the input writes it
	Bytes               // the content of a file
	List                // a list of values
	Object              // a JSON object, which no feature accepts
	Array               // numbers of one type, little-endian, one after another
)

// A Value is one cell of a row. The zero Value is Missing.
//
// Text and List may share memory with the input or with the scanner that returned them. They are
// valid until that scanner's next row. An encoder does not read past their length.
type Value struct {
	Text []byte  // for every kind except Missing and List
	List []Value // for kind List; for kind Array, not nil if even one number is a list, as json writes it
	At   uint32  // offset of the cell's first byte in its record, for error messages
	Kind Kind
	// For kind Array: the type of the numbers. BoolType has one byte per value, Uint64 its full
	// range, Float16 and Bfloat16 their bits. For kind List: not 0 if a list of one element is
	// accepted as one value.
	Elem Type
	// For a Missing value or a list: the fate of a value of another kind at this position in the
	// row. A list is MixedDropped if one of its elements is.
	Mixed Mixed
	// For kind Array: integer features round its floats half to even.
	Rounded bool
}

// Mixed tells whether the row has a value of another kind at the position of a Missing value or of
// an empty list. The path of the column leads through an object or a list there, and the value is
// neither.
type Mixed uint8

// What happened to a value of another kind.
const (
	NotMixed     Mixed = iota
	MixedTaken         // another column has it, or it is an empty list or object
	MixedDropped       // no column has it
)

// HasDropped reports whether one of the values, or a value in it, is MixedDropped.
func HasDropped(list []Value) bool {
	for i := range list {
		if list[i].Mixed == MixedDropped {
			return true
		}
	}
	return false
}

// countDropped returns the number of dropped values at the position of v and within it.
func (v *Value) countDropped() (n uint64) {
	switch {
	case v.Mixed != MixedDropped:
		return 0
	case len(v.List) == 0:
		return 1
	}
	for i := range v.List {
		n += v.List[i].countDropped()
	}
	return n
}

// Move adds by to the offsets of v and of all values in it.
func (v *Value) Move(by uint32) {
	v.At += by
	for i := range v.List {
		v.List[i].Move(by)
	}
}

// unwrapSingle returns the only element of a list that is accepted as one value, and v for all
// other values.
func (v *Value) unwrapSingle() *Value {
	if v.Kind == List && v.Elem != 0 && len(v.List) == 1 {
		return &v.List[0]
	}
	return v
}

// AsText returns the string of a value that is one string, number, or bool, or of a list that is
// accepted as one value. The digits of a number of an Array are written to buf. ok is false for
// other values.
func (v *Value) AsText(buf []byte) (text []byte, ok bool) {
	switch v = v.unwrapSingle(); {
	case v.Kind == Array && v.count() == 1:
		return v.appendNumber(buf[:0], 0), true
	case v.Kind == Missing || v.Kind >= Bytes:
		return nil, false
	}
	return v.Text, true
}
