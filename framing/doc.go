// Package framing has the table of file formats: for each, how records are framed in a file, written,
// read, and recognized. A [Format] is a row of the table. Code above this package asks the row and
// never which format it is:
//
//	f, ok := framing.ByName("array_record")
//	w, err := f.NewWriter(file, "zstd")
//	r := f.NewReader(file, framing.ReadOptions{File: "train-00000-of-00001"})
//
// A new format is a file in this package, with its functions, and a row in table.go. A test builds
// tfr-build with one more format, which writes two entries per record, and drives every command.
//
// The package knows payloads only where a file has no other evidence: an OFRecord file has no
// checksums, so the message in a payload shows whether a record begins here.
package framing
