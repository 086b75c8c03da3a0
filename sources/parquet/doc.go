// Package parquet implements the source type `parquet`, which reads the rows of Parquet files:
//
//	source:
//	  parquet: {files: "data/*.parquet"}
//
// A file is read from its end. The footer lists the columns and the position of their values:
//
//	PAR1 | row group: column, column, … | row group … | footer | its length | PAR1
//	                  │
//	                  └ chunk: dictionary | page | page …
//	                                        └ header | levels | values, compressed
//
// A column is a path: `a.b` is a field of a struct, `boxes.*.label` a field of each list element.
// The row ID is the file name and the row number.
//
//	footers ─► shapes ─► columns with their types ─Bind─► requested leaves
//	                                                        │
//	         ┌──────────────────────────────────────────────┴─────┐
//	Find: each chunk is decoded, in parallel, and         Rows: one page per leaf at a time,
//	      copied to a row buffer per row group                  row after row, serialized
//	         │                                                    │
//	         └───────────► Scan ◄── one row, in its own blocks ───┘
//	                         │
//	                         ▼
//	numbers: an Array of one; lists of them: of many │ decimals: a Number │ true, false: a Bool
//	UTF-8, dates, times, UUIDs: a String             │ other bytes: Bytes │ null: Missing
//
// # Hostile files
//
// The parquet-go library decodes the metadata, but only after this package validated its
// structure: that decoder allocates as many list elements as a list claims. This package
// decompresses the pages and compares each claim with the bytes that exist, because a run of a few
// bytes may claim any number of values.
// The footer's claims bound each column: memory is planned by them before the column is read, and a
// column that exceeds them is an error. The rows of each column are counted. Encryption and
// unsupported encodings are rejected with an error that names them.
//
// # Encodings
//
// parquet-go v0.32.0 decodes deltas, after this package validated their structure: its decoder
// allocates what a header claims, and reads missing bytes as zeros. It decodes complete pages.
// So this package decodes the other encodings:
//
//   - Runs, of levels and dictionary indexes: a page of 7 bytes, a valid run of 134 million
//     indexes, takes 512 MiB there, and one of a million rows 4 MiB per column. Here, rows that are
//     read in order take a batch of values at a time. Its decoder also panics if the padding of the
//     last group is missing, as pyarrow writes it in testdata/v2_small_pages.parquet.
//   - DELTA_BYTE_ARRAY: there, with AVX2, a prefix may be longer than the string before it, and
//     lengths add up modulo 2^32, so memory outside of the page is read and written.
//   - PLAIN and BYTE_STREAM_SPLIT are a copy and a loop.
package parquet
