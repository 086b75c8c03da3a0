// Package sources finds the input of a build and reads its rows.
//
// A source is a set of files of one kind: tables (csv, jsonl), whose rows are
// records of a file, or trees (images, folder), whose rows are files. Open
// lists the files and reads nothing of them; Bind says which columns are
// wanted and learns where each comes from; a Reader then reads one row where
// it stands, into one slot a column:
//
//	Spec ─Open─► files ─Bind(columns)─► layout ─NewReader─► Read(file, data) ─► []schema.Value
//
// The columns of a row come into being in this order, and each step sees what
// came before it:
//
//	the kind's own → from_path → rename → set → join → load
//
// The scanners of the formats are packages of their own: sources/csv,
// sources/jsonl, sources/image.
package sources
