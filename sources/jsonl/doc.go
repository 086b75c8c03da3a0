// Package jsonl finds where JSON lines begin, and parses one object at a time in place. It opens no
// files: the caller maps or reads the input.
//
//	file ──► Start ──► lines.Chunk (in parallel) or lines.Cutter (a stream) ──► where rows begin
//	                                                                        │
//	columns ──► Compile ──► Paths ──► NewScanner ──► Scanner.Scan ◄─────────┘
//	                                                      │
//	                                                      ▼
//	                                          vals: a schema.Value per column
//
// A row is one JSON object on one line. Lines end with LF; a CR before it is white space. Lines of
// only white space are not rows. The grammar is RFC 8259, and NaN, Infinity, and -Infinity,
// as Python writes and reads them. The scanner checks grammar, UTF-8, surrogates, depth, and that no object has a
// duplicate key. It checks every byte of a row, even of columns that are not used. token.go and skip.go define the
// grammar, also of JSON documents and of cells; the fast paths in expect.go and skipper.go agree with them.
//
// # Columns
//
// A column is the path to a value:
//
//	a                      the key a of the row
//	a.b                    the key b of the object a
//	boxes.0                the first element of the array boxes
//	boxes.*.label          the key label of each element of boxes: a list
//	boxes.*.corners.*.x    a list of lists
//	regions.*.x            the key x of each member of an object regions: a list
//
// A key of the row that equals the complete column name takes precedence over the path: the column
// a.b of {"a.b": 1, "a": {"b": 2}} is 1. A number is an index in an array and a key in an object.
// Keys are compared exactly, after their escapes are decoded.
//
// An absent or null value is Missing, and so is everything below it. An array that is too short for
// no element has that index. But a path through a value of the wrong type is a TYPE error,
// because that is more than absence. Examples are a.b and a.* if a is a number. A list has
// one element per element of the array, or per member of the object in their order, Missing if the
// rest of the path is absent.
//
// # Speed
//
// The rows of a file mostly have the same keys, in the same order and with the same spacing. A
// Scanner remembers the bytes between the values (`, "key": `) and compares them eight bytes at a
// time. If all keys of a row match remembered keys, in order, none is a duplicate, and none has to
// be looked up. The slow path parses all other rows from the start. It also makes all error
// messages, so that they do not depend on the rows before.
package jsonl
