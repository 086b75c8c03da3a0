// Package schema turns rows of values into the serialized messages that records
// hold: tf.train.Example, which TensorFlow reads, and others.
//
// A Feature says how one key of the message is made from the columns of a row, a
// Record which message that is. Compile checks it and fixes all that is the
// same for every row; an Encoder then appends one message a row to a buffer, without
// looking anything up by name and without allocating:
//
//	s, err := schema.Compile(schema.Record{Features: features})
//	vals := make([]schema.Value, len(s.Columns())) // a scanner fills them, row by row
//	encoder := s.NewEncoder()
//	buf, err = encoder.Append(buf, vals)
//
// A value goes from its text, or from the memory of an array, straight to its place:
//
//	vals ──► one usual value, short entry ───────── appendShorts ───────────┐
//	   │                                                                    ▼
//	   ├───► a file, numbers as they are stored ─── general ──────────────► buf
//	   │                                                                    ▲
//	   └───► all else: lists, missing, faulty ───── general ──► body ───────┘
//
// All ways give the same bytes. What values become is one subject, and has its
// files: convert.go, int.go, float.go, half.go, text.go, class.go, map.go, dates.go,
// array.go, array_int.go. How a message stores them is another: storage.go has a table of the
// types that each can store, and Compile refuses any other.
//
// # Messages
//
//	ExampleMessage      example.go    a map of features
//	OFRecordMessage     example.go    the same, without what is around the map
//	SequenceMessage     sequence.go   the same, and a map of feature lists
//	JSONExampleMessage  json.go       the Example, printed by package message
//	JSONMessage         json.go       an object of the values
//	TextMessage         encoder.go    the text of a column
//	BytesMessage        encoder.go    the bytes of a column
//
// On the wire, where every size is a varint and n, ENTRY, FEATURE and LIST are the
// sizes of what follows them, an Example is
//
//	0a n                                   Example.features
//	  0a ENTRY                             one entry of the map, by ascending key
//	    0a n  key
//	    12 FEATURE                         and its value
//	      0a LIST  { 0a n text }           a bytes_list,
//	      12 LIST  0a n  4 bytes each      or a float_list, packed,
//	      1a LIST  0a n  varints           or an int64_list, packed
//
// Key and value of an entry are always written, and a list without values is a
// LIST of size 0. These are the bytes that protobuf makes of the message
// tensorflow.Example in deterministic order. An OFRecord has no first line, and
// lists of other numbers: 1a a double_list, 22 an int32_list, 2a an int64_list.
//
// A ragged feature is several entries (ragged.go). A Feature with Tensor or Raw is
// one text: a TensorProto (tensor.go), or the numbers one after another.
//
// # Conversions
//
// What a Value becomes depends on its kind and on the feature's type:
//
//	              Text              String         Number          Bool   Bytes
//	integers      digits, a sign                   integers        0, 1
//	bool          true false 1 0                   1 0             0, 1
//	floats        decimal                          yes
//	bytes         as it is          as it is                              as it is
//	string        as it is, UTF-8   as it is       its own text           as it is, UTF-8
//	classes       a name            a name         a name, its     a name
//	                                               own text
//	their numbers digits, a sign                   integers        0, 1
//	a map         a text            a text         a text, its     a text
//	                                               own text
//	a date        a date            a date         a date, its
//	                                               own text
//
// Everything else is a RowError, which spoils one row and names what is wrong
// with it. A Text that is empty is missing for numbers, bool and classes, unless a
// map names it; a Text or String among Feature.NullValues is missing for every type,
// a Number never is. With Feature.AllowNonfinite a Text or String may be nan, inf or
// -inf.
//
// A number of an Array is a Number or a Bool with all its digits. An Array is a list,
// and may stand for one value if it has one number.
//
// A float is rounded once, from the text to what is stored: a float32 in a
// float_list, a double in an OFRecord, the type itself in a tensor or in raw bytes.
package schema
