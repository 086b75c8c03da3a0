// Package tfrecord reads and writes files of records: TFRecord files, the record
// container of TensorFlow, and OFRecord files, that of OneFlow. It knows nothing of
// what a record holds.
//
// A file is records back to back, without a header, a count or an end mark. What
// stands around a payload is its [Framing]:
//
//	TFRecord
//	┌────────────┬──────────────────┬─────────────┬────────────────────┐
//	│ length N   │ checksum of the  │ payload     │ checksum of the    │
//	│ uint64     │ 8 length bytes   │ N bytes     │ payload            │
//	└────────────┴──────────────────┴─────────────┴────────────────────┘
//	  8 bytes       4 bytes            N bytes       4 bytes
//
//	OFRecord
//	┌────────────┬─────────────┐
//	│ length N   │ payload     │    N is at least 1
//	│ int64      │ N bytes     │
//	└────────────┴─────────────┘
//	  8 bytes       N bytes
//
// Numbers are little-endian. A checksum is the CRC-32C c of the bytes, masked:
// c rotated right by 15 bits, plus 0xa282ead8. An empty file holds no record. A
// compressed file is one gzip or zlib stream around all of that; nothing in the
// file or its name tells a reader so.
//
// A program that lays out its own buffers frames records in place:
//
//	start := len(buf)
//	buf = tfrecord.TFRecord.Begin(buf)
//	buf = appendPayload(buf)
//	buf = tfrecord.TFRecord.End(buf, start)
//
// Who makes many short records gives them to a [Batch], which completes a dozen
// at a time and is faster. [Writer] and [Reader] do the same on streams:
//
//	w := tfrecord.NewWriter(f, tfrecord.TFRecord, tfrecord.Gzip)
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
// The Reader checks both checksums of each record of a TFRecord file. In an
// OFRecord file, which has none, it checks that a length can be one and that the
// file has the bytes; Options.Whole, which knows the message in the payload, tells
// whether they are one. A length is never taken on trust: what the Reader
// allocates is bounded by the bytes that are really there.
package tfrecord
