// Package schema turns rows of values into serialized tf.train.Example
// messages, the records that TensorFlow reads.
//
// A Feature says how one key of the Example is made from the columns of a row.
// Compile checks the features and fixes all that is the same for every row; an
// Encoder then appends one Example a row to a buffer, without looking anything
// up by name and without allocating:
//
//	s, err := schema.Compile(features)
//	vals := make([]schema.Value, len(s.Columns())) // a scanner fills them, row by row
//	encoder := s.NewEncoder()
//	buf, err = encoder.Append(buf, vals)
//
// A value goes from its text straight to its place:
//
//	vals ──► one usual value, short entry ── short.put ──────────────┐
//	   │                                                             ▼
//	   └───► all else: lists, missing, long, faulty ── general ──► buf
//
// Both ways give the same bytes. What values become is one subject, and has its
// files: convert.go, int.go, float.go, class.go. How the message stores them is
// another, and has example.go, with a table of the types that an Example can
// store: Compile refuses any other. On the wire, where every size is a varint and
// n, ENTRY, FEATURE and LIST are the sizes of what follows them:
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
// tensorflow.Example in deterministic order.
//
// # Conversions
//
// What a Value becomes depends on its kind and on the feature's type:
//
//	              Text              String         Number          Bool   Bytes
//	integers      digits, a sign                   integers        0, 1
//	bool          true false 1 0                   1 0             0, 1
//	float         decimal                          yes
//	bytes         as it is          as it is                              as it is
//	string        as it is, UTF-8   as it is       its own text           as it is, UTF-8
//	classes       a name            a name         a name, its     a name
//	                                               own text
//
// Everything else is a RowError, which spoils one row and names what is wrong
// with it. A Text that is empty is missing for numbers, bool and classes; a
// Text or String among Feature.NullValues is missing for every type, a Number
// never is. With Feature.AllowNonfinite a Text or String may be nan, inf or
// -inf.
package schema
