// Package records is the kind of source whose rows are the records of files that
// a dataset was written to before, by whomever:
//
//	source:
//	  tfrecord: {files: "old/*.tfrecord.gz"}
//
// The column `record` is the payload. Where that is a tf.train.Example (or, with
// format: ofrecord, an OFRecord), each of its features is a column, by its key:
//
//	int64_list, float_list …   numbers      schema.Array
//	bytes_list                 texts        schema.List
//
// Rows are cut by the headers of records alone. A payload is looked at when its row
// is read, and then its checksum is:
//
//	12 bytes  12 bytes  ✗ no header     12 bytes
//	├─ row ───┼─ row ───┼─ row: damage ─┼─ row ────
//
// A damaged stretch is a row that cannot be used. Where it ends is what
// tfrecord.Reader says, which is the definition of rows; files that are mapped are
// searched in parallel:
//
//	chunk ──► the first header that is none by chance ──► headers from there on    chunks.Find
//	        the chunk before tells where its last record ends:
//	        there one of them begins, or the headers are followed once more        chunks.Finish
package records
