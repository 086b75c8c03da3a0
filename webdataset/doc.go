// Package webdataset writes and reads the records of WebDataset: samples in tar archives.
//
// A record is a tf.train.Example. In an archive it is a run of members with one key, and a [Sample] says which
// features each of them has:
//
//	Example: caption, image, label, width
//	   │ Batch.End                   ▲ Reader.Next
//	   ▼                             │
//	0001.jpg   0001.cls   0001.json
//	image      label      {"caption":"a cat","width":640}
//
// The headers are POSIX ustar with fixed metadata, so equal records have equal bytes. A PAX header precedes a
// member whose name is longer than 100 bytes or not ASCII. The complete name of a record's members is its key, which is
// the feature [KeyFeature], or the row ID.
//
// Reading restores the Example byte by byte. Without a Sample, as for archives of other programs, each member is a
// feature of bytes.
package webdataset
