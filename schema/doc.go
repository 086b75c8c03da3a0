// Package schema converts rows of values into serialized messages, the payloads of records:
// tf.train.Example, which TensorFlow reads, and others.
//
// A [Feature] describes how one key of the message is made from the columns of a row. A [Record]
// names the message and lists its features. [Compile] checks a Record and precomputes everything
// that is the same for every row. An [Encoder] then appends one message per row to a buffer. It
// looks nothing up by name, and does not allocate:
//
//	s, err := schema.Compile(schema.Record{Features: features})
//	vals := make([]schema.Value, len(s.Columns())) // a scanner fills them, row by row
//	encoder := s.NewEncoder()
//	buf, err = encoder.Append(buf, vals)
//
// Most values are converted directly from their string, or from the memory of an array, to their
// position in the buffer. There is a fast path, and a slow path for everything else:
//
//	vals ──► one value of a common kind, short ───── featureEncoder.appendFast ─┐
//	   │                                                                        ▼
//	   ├───► a file; numbers as they are stored ──── gatherer.appendField ────► buf
//	   │                                                                        ▲
//	   └───► all others: lists, missing, invalid ─── gatherer ─► converter ─────┘
//
// All paths give the same bytes. A gatherer finds the values of a feature in a row, and a converter
// converts them; a position makes the errors of a value. Conversions are in convert.go, int.go,
// float.go, half.go, marks.go, text.go, class.go, map.go, dates.go, array.go, and array_int.go.
// Lists get one length in pad.go, and become vectors of classes in multihot.go.
//
// # Messages
//
// messages.go has the table of messages: what each stores and how, its encoder, its readers. Compile
// rejects types that a message cannot store.
//
//	ExampleMessage      example.go, features.go  a map of features
//	OFRecordMessage     ofrecord.go              the same map, without the outer field
//	SequenceMessage     sequence.go              a map of features, and a map of feature lists
//	JSONExampleMessage  json_example.go          the Example, printed by package message
//	JSONMessage         json.go                  an object of the values
//	TextMessage         columnrecord.go          the string in a column
//	BytesMessage        columnrecord.go          the bytes in a column
//
// This is an Example on the wire. Every size is a varint; n, ENTRY, FEATURE, and LIST are the
// sizes of the bytes that follow them:
//
//	0a n                                   Example.features
//	  0a ENTRY                             one entry of the map, by ascending key
//	    0a n  key
//	    12 FEATURE                         and its value
//	      0a LIST  { 0a n string }         a bytes_list,
//	      12 LIST  0a n  4 bytes each      or a float_list, packed,
//	      1a LIST  0a n  varints           or an int64_list, packed
//
// The key and the value of an entry are always written, and a list without values is a LIST of
// size 0. Protobuf writes the same bytes for tensorflow.Example in deterministic order. An
// OFRecord does not have the first line, and numbers its lists differently: 1a is a double_list, 22 an
// int32_list, 2a an int64_list.
//
// A ragged feature has several entries (ragged.go). A Feature with Tensor or Raw has one bytes
// value: a TensorProto (tensor.go), or the numbers one after another.
//
// # Conversions
//
// The result of a conversion depends on the kind of the Value and on the type of the feature:
//
//	              Text              String         Number          Bool   Bytes
//	integers      digits, a sign                   integers        0, 1
//	bool          true false 1 0                   1 0             0, 1
//	floats        decimal                          yes
//	bytes         unchanged         unchanged                             unchanged
//	string        unchanged, UTF-8  unchanged      its digits             unchanged, UTF-8
//	class names   a name            a name         a name: its     a name
//	                                               digits
//	class numbers digits, a sign                   integers        0, 1
//	a map         a key             a key          a key: its      a key
//	                                               digits
//	a date        a date            a date         a date: its
//	                                               digits
//
// Everything else is a RowError, which names the problem and invalidates one row. An empty Text
// is missing for numbers, bool, and classes, unless a map has it as a key. A Text or String that
// is in Feature.NullValues is missing for every type; a Number never is. With
// Feature.AllowNonfinite, a Text or String may be nan, inf, or -inf. With Feature.Thousands or
// Feature.Decimal, a Text or String may be a number with these marks.
//
// A number of an Array is converted like a Number or a Bool with all its digits. An Array is a
// list; an Array of one number is also accepted as one value.
//
// A float is rounded once, from the decimal to the stored format: a float32 in a float_list, a
// double in an OFRecord, the type itself in a tensor or in raw bytes.
package schema
