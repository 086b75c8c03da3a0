package schema

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// A storage is how a value is stored: the list of the message that holds it, what
// its text is converted to, and the bytes that a number takes, 0 for a varint.
type storage struct {
	list  message.List
	to    conversion
	width int
}

// storages are by type; those of a type that cannot be stored are zero.
type storages []storage

func (s storages) of(t Type) storage {
	if int(t) < len(s) {
		return s[t]
	}
	return storage{}
}

// inExample has every type that a tf.train.Example can store, and a SequenceExample
// and both kinds of JSON.
var inExample = storages{
	Int64:      {message.Int64List, toInt, 0},
	Int8:       {message.Int64List, toInt, 0},
	Int16:      {message.Int64List, toInt, 0},
	Int32:      {message.Int64List, toInt, 0},
	Uint8:      {message.Int64List, toInt, 0},
	Uint16:     {message.Int64List, toInt, 0},
	Uint32:     {message.Int64List, toInt, 0},
	Uint64:     {message.Int64List, toInt, 0},
	BoolType:   {message.Int64List, toBool, 0},
	Float:      {message.FloatList, toFloat, 4},
	Float64:    {message.FloatList, toFloat, 4},
	BytesType:  {message.BytesList, toBytes, 0},
	StringType: {message.BytesList, toString, 0},
}

// inOFRecord has every type that an OFRecord can store.
var inOFRecord = storages{
	Int64:      {message.Int64List, toInt, 0},
	Int8:       {message.Int32List, toInt, 0},
	Int16:      {message.Int32List, toInt, 0},
	Int32:      {message.Int32List, toInt, 0},
	Uint8:      {message.Int32List, toInt, 0},
	Uint16:     {message.Int32List, toInt, 0},
	Uint32:     {message.Int64List, toInt, 0},
	Uint64:     {message.Int64List, toInt, 0},
	BoolType:   {message.Int32List, toBool, 0},
	Float:      {message.FloatList, toFloat, 4},
	Float64:    {message.DoubleList, toDouble, 8},
	BytesType:  {message.BytesList, toBytes, 0},
	StringType: {message.BytesList, toString, 0},
}

// inBytes has every type that a tensor can store, and raw bytes but for text.
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

// storage is how a message stores f; the zero one where it cannot.
func (f *Feature) storage(m Message) storage {
	switch {
	case f.Tensor || f.Raw:
		return inBytes.of(f.Type)
	case m == OFRecordMessage:
		return inOFRecord.of(f.Type)
	}
	return inExample.of(f.Type)
}

// StoredAs says which list of a message holds the values of f; of a ragged feature
// its flat values. It is empty where the message cannot store them.
func (f *Feature) StoredAs(m Message) message.List { return f.storage(m).list }

// tag is that of the list in the message's Feature.
func (s storage) tag(m Message) byte {
	if m == OFRecordMessage {
		return ofrecordTags[s.list]
	}
	return listTags[s.list]
}

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

// appendValues appends the entry of values that are stored as body has them.
func (x *field) appendValues(dst, body []byte) []byte {
	switch {
	case x.Raw:
		return x.appendOne(dst, body)
	case x.Tensor:
		return x.appendTensor(dst, body)
	}
	return x.appendEntry(dst, body)
}
