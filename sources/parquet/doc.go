// Package parquet is the kind of source whose rows are those of Parquet files:
//
//	source:
//	  parquet: {files: "data/*.parquet"}
//
// A file is read from its end, where the footer says what columns there are and where
// their values stand:
//
//	PAR1 | row group: column, column, … | row group … | footer | its length | PAR1
//	                  │
//	                  └ chunk: dictionary | page | page …
//	                                        └ header | levels | values, compressed
//
// A column is a path: `a.b` is a field of a struct, `boxes.*.label` one of each element
// of a list. Its address is the file and the number of the row.
//
//	footers ─► shapes ─► columns with their types ─Bind─► wanted leaves
//	                                                        │
//	         ┌──────────────────────────────────────────────┴─────┐
//	Find: each chunk of them is decoded, in parallel,    Rows: a page of each at a time,
//	      and put into rows, a sheet a row group               row after row, as text
//	         │                                                    │
//	         └───────────► Scan ◄── one row, a block of its own ──┘
//	                         │
//	                         ▼
//	numbers: an Array of one, lists of them: of many │ decimals: a Number │ true, false: a Bool
//	UTF-8, dates, times, UUIDs: a String             │ other bytes: Bytes  │ null: Missing
//
// # Hostile files
//
// The metadata is decoded by parquet-go, after it was skimmed: its decoder makes a list
// as long as it claims to be. Pages are decompressed, and their values decoded, by this
// package, with what they claim held against the bytes that there are: a run of a few
// bytes may claim any number of values. Nothing is believed beyond what the footer says
// of a column, which counts as its memory before it is read, and the rows of each
// column that is read are counted. What is encrypted is refused by name, as is what is
// encoded in a way that is not read.
package parquet
