// Package tfrecord reads and writes files of records: TFRecord files, the record format of
// TensorFlow, and OFRecord files, the format of OneFlow. It knows nothing of the messages in
// records.
//
// A file is a sequence of records, without a header, a count, or an end mark. The [Framing]
// defines the bytes around a payload:
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
// Numbers are little-endian. A checksum is the CRC-32C c of the bytes, masked: c rotated right by
// 15 bits, plus 0xa282ead8. An empty file has no records. A compressed file is one gzip or zlib
// stream around all records; nothing in the file or in its name tells a reader so.
//
// A program that lays out its own buffers frames records in place:
//
//	start := len(buf)
//	buf = tfrecord.TFRecord.Begin(buf)
//	buf = appendPayload(buf)
//	buf = tfrecord.TFRecord.End(buf, start)
//
// For many short records, use a [Batch], which completes a dozen at a time and is faster.
// [Writer] and [Reader] are for streams:
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
// After damage, [Reader.Resync] searches for the next complete record.
//
// The Reader checks both checksums of each record of a TFRecord file. An OFRecord file has no
// checksums. There the Reader checks that a length is possible and that the file has the bytes;
// Options.Accepts, which knows the message in the payload, reports whether they are valid. The
// Reader does not trust lengths: it allocates no more than the file has bytes.
package tfrecord
