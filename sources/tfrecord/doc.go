// Package tfrecord implements the source type `tfrecord`, whose rows are the records of existing
// dataset files, from any tool:
//
//	source:
//	  tfrecord: {files: "old/*.tfrecord.gz"}
//
// The column `record` is the payload. If the payload is a tf.train.Example (or, with format:
// ofrecord, an OFRecord), each of its features is a column with the feature's key:
//
//	int64_list, float_list …   numbers      schema.Array
//	bytes_list                 strings      schema.List
//
// Rows are found by the headers of records alone. The payload and its checksum are read together
// with the row's values:
//
//	12 bytes  12 bytes  ✗ no header     12 bytes
//	├─ row ───┼─ row ───┼─ row: damage ─┼─ row ────
//
// A damaged range is one invalid row. tfrecord.Reader decides where it ends, and so defines the
// rows. In a mapped file, each header leads to the next one.
package tfrecord
