package schema

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// A storage is the way in which a value is stored: the list of the message, the conversion, and the
// bytes of a number, which are 0 for a varint.
type storage struct {
	list  message.List
	to    conversion
	width int
}

// storages are indexed by type. A type that cannot be stored has the zero storage.
type storages []storage

func (s storages) of(t Type) storage {
	if int(t) < len(s) {
		return s[t]
	}
	return storage{}
}

// inExample has the types that a tf.train.Example can store, and also a SequenceExample and both
// kinds of JSON.
var inExample = inLists(message.Int64List, storage{message.FloatList, toFloat, 4})

// inLists returns how a message stores values in its lists: booleans and integers that an int32 holds in small, and a
// float64 as double says.
func inLists(small message.List, double storage) storages {
	s := storages{
		BoolType:   {small, toBool, 0},
		Float:      {message.FloatList, toFloat, 4},
		Float64:    double,
		BytesType:  {message.BytesList, toBytes, 0},
		StringType: {message.BytesList, toString, 0},
	}
	for _, t := range []Type{Int8, Int16, Int32, Uint8, Uint16} {
		s[t] = storage{small, toInt, 0}
	}
	for _, t := range []Type{Int64, Uint32, Uint64} {
		s[t] = storage{message.Int64List, toInt, 0}
	}
	return s
}

// inBytes has the types that a tensor can store. Raw bytes can store them too, except BytesType and
// StringType.
var inBytes = storages{
	Int64:      {message.BytesList, toInt, 8},
	Int8:       {message.BytesList, toInt, 1},
	Int16:      {message.BytesList, toInt, 2},
	Int32:      {message.BytesList, toInt, 4},
	Uint8:      {message.BytesList, toInt, 1},
	Uint16:     {message.BytesList, toInt, 2},
	Uint32:     {message.BytesList, toInt, 4},
	Uint64:     {message.BytesList, toUint, 8},
	BoolType:   {message.BytesList, toBool, 1},
	Float:      {message.BytesList, toFloat, 4},
	Float64:    {message.BytesList, toDouble, 8},
	Float16:    {message.BytesList, toFloat16, 2},
	Bfloat16:   {message.BytesList, toBfloat16, 2},
	BytesType:  {message.BytesList, toBytes, 0},
	StringType: {message.BytesList, toString, 0},
}

// storage returns how a message stores f; the zero storage if it cannot.
func (f *Feature) storage(m Message) storage {
	if f.Tensor || f.Raw {
		return inBytes.of(f.Type)
	}
	return m.row().storages.of(f.Type)
}

// tag returns the tag of the list in the message's Feature.
func (s storage) tag(m Message) byte { return m.row().tags[s.list] }

// appendNumber appends the bits of a number as f stores it.
func (x *field) appendNumber(body []byte, bits uint64) []byte {
	if x.width == 0 {
		return protowire.AppendVarint(body, bits)
	}
	switch x.width {
	case 1:
		return append(body, byte(bits))
	case 2:
		return binary.LittleEndian.AppendUint16(body, uint16(bits))
	case 4:
		return binary.LittleEndian.AppendUint32(body, uint32(bits))
	}
	return binary.LittleEndian.AppendUint64(body, bits)
}

// appendValues appends the entry with the converted values in body.
func (x *field) appendValues(dst, body []byte) []byte {
	switch {
	case x.Raw:
		return x.appendBytes(dst, body)
	case x.Tensor:
		return x.appendTensor(dst, body)
	}
	return x.appendEntry(dst, body)
}
