// Package jsonl finds where JSON lines begin and scans one object in place. It
// opens no file: the caller maps or reads the input.
//
//	file ──► Start ──► lines.Chunk (in parallel) or lines.Cutter (a stream) ──► where rows begin
//	                                                                        │
//	columns ──► Compile ──► Paths ──► NewScanner ──► Scanner.Scan ◄─────────┘
//	                                                      │
//	                                                      ▼
//	                                          vals: a schema.Value a column
//
// A row is one JSON object on one line. Lines end with LF; a CR before it is
// white space. Lines of nothing but white space are no rows. JSON is that of
// RFC 8259, to the letter, and every byte of a row is checked, needed or not:
// grammar, UTF-8, surrogates, depth, and that no object has a duplicate key.
//
// # Columns
//
// A column is the path to a value:
//
//	a                      the key a of the row
//	a.b                    the key b of the object a
//	boxes.0                the first element of the array boxes
//	boxes.*.label          of each element of boxes the key label: a list
//	boxes.*.corners.*.x    a list of lists
//
// A key of the row that is spelled like the whole column wins over the path:
// in {"a.b": 1, "a": {"b": 2}} the column a.b is 1. A number is an index in an
// array and a key in an object. Keys are matched exactly, after their escapes
// are decoded.
//
// What is absent, or null, is Missing, and so is what lies below it; an array
// that is too short for an index lacks it. But a path that leads through a
// value of the wrong kind (a.b where a is a number, * over an object) makes a
// TYPE error, since that is more than absence. A list has an element for each
// element of the array, Missing where the rest of the path is.
//
// # Speed
//
// The rows of a file mostly have the same keys, in the same order, spaced in
// the same way. A Scanner remembers the bytes between the values (`, "key": `)
// and compares them a word at a time. A row whose keys are among the
// remembered ones, in their order, has no duplicate key, and no key of it is
// looked up. Any other row is scanned from its start in the general way, which
// also makes all error messages: so these do not depend on the rows before.
package jsonl
