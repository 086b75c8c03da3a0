// Package tfrecord reads and writes TFRecord files, the record container of
// TensorFlow. It knows nothing of what a record holds.
//
// A file is records back to back, without a header, a count or an end mark:
//
//	┌────────────┬──────────────────┬─────────────┬────────────────────┐
//	│ length N   │ checksum of the  │ payload     │ checksum of the    │
//	│ uint64     │ 8 length bytes   │ N bytes     │ payload            │
//	└────────────┴──────────────────┴─────────────┴────────────────────┘
//	  8 bytes       4 bytes            N bytes       4 bytes
//
// Numbers are little-endian. A checksum is the CRC-32C c of the bytes, masked:
// c rotated right by 15 bits, plus 0xa282ead8. An empty file holds no record,
// and a record may be empty. A compressed file is one gzip or zlib stream
// around all of that; nothing in the file or its name tells a reader so.
//
// A program that lays out its own buffers frames records in place:
//
//	start := len(buf)
//	buf = tfrecord.Begin(buf)
//	buf = appendPayload(buf)
//	buf = tfrecord.End(buf, start)
//
// Who makes many short records gives them to a [Batch], which completes a dozen
// at a time and is faster. [Writer] and [Reader] do the same on streams:
//
//	w := tfrecord.NewWriter(f, tfrecord.Gzip)
//	err := w.Write(payload) // … and w.Close()
//
//	r := tfrecord.NewReader(f, tfrecord.Options{Compression: tfrecord.Gzip})
//	for {
//		payload, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		…
//	}
//
// After damage, [Reader.Resync] searches for the next whole record.
//
// The Reader checks both checksums of each record and never takes a length on
// trust: what it allocates is bounded by the bytes that are really there.
package tfrecord
