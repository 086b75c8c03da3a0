package schema

// A Kind says what a Value holds.
type Kind uint8

const (
	Missing Kind = iota // nothing: an unquoted empty CSV cell, a JSON null, an absent key
	Text                // text without a type: a CSV cell, a constant, a piece of a path
	String              // a JSON string, decoded
	Number              // a number as written, in JSON's grammar
	Bool                // true or false as written
	Bytes               // the content of a file
	List                // elements
	Object              // a JSON object, which no feature takes
	Array               // numbers of one type, little-endian, one after another
)

// A Value is one cell of a row. The zero Value is Missing.
//
// Text and List may share memory with the input or with the scanner that
// made them; they hold until that scanner's next row. An encoder may load, but
// never uses, a few bytes that follow Text within its capacity: nobody may be
// writing to them meanwhile.
type Value struct {
	Text []byte  // of every kind but Missing and List
	List []Value // of kind List
	At   uint32  // offset of the cell's first byte in its record, for messages
	Kind Kind
	// Of kind Array: the type of the numbers; BoolType in a byte each, Uint64 whole,
	// Float16 and Bfloat16 as their bits. Of kind List: not 0 where the list may stand
	// for one value if it has one.
	Elem Type
	// Of a Missing and of a list: what stands at its place in the row instead. A list
	// with elements is MixedDropped where one of them is.
	Mixed Mixed
}

// Mixed says what became of a value that a column could not take, since its path
// leads through values of another kind.
type Mixed uint8

// What became of a value of another kind.
const (
	NotMixed     Mixed = iota
	MixedTaken         // another column takes it, or it is an empty list or object
	MixedDropped       // no column takes it
)

// HasDropped says whether one of the values is, or has, a value that no column takes.
func HasDropped(list []Value) bool {
	for i := range list {
		if list[i].Mixed == MixedDropped {
			return true
		}
	}
	return false
}

// dropped counts the values at v's place, and in it, that no column takes.
func (v *Value) dropped() (n uint64) {
	switch {
	case v.Mixed != MixedDropped:
		return 0
	case len(v.List) == 0:
		return 1
	}
	for i := range v.List {
		n += v.List[i].dropped()
	}
	return n
}

// lone returns the element of a list that may stand for one value, and has one.
func (v *Value) lone() *Value {
	if v.Kind == List && v.Elem != 0 && len(v.List) == 1 {
		return &v.List[0]
	}
	return v
}

// AsText is the text of a value that is one text, number or bool, or a list that
// stands for one. The text of a number that was none is put into buf.
func (v *Value) AsText(buf []byte) (text []byte, ok bool) {
	switch v = v.lone(); {
	case v.Kind == Array && v.count() == 1:
		return v.appendNumber(buf[:0], 0), true
	case v.Kind == Missing || v.Kind >= Bytes:
		return nil, false
	}
	return v.Text, true
}
