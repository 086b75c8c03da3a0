package dataset

import (
	"bytes"
	"encoding/binary"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// A format is how a file holds its records.
type format struct {
	framing     tfrecord.Framing
	compression tfrecord.Compression
}

// options are how a file of that format is read.
func (f format) options(file string) tfrecord.Options {
	return tfrecord.Options{File: file, Framing: f.framing, Compression: f.compression, Whole: message.BeginsOFRecord}
}

// messages are those that a record of such a file may be, where no manifest says
// which.
func (f format) messages() []schema.Message {
	if f.framing == tfrecord.OFRecord {
		return []schema.Message{schema.OFRecordMessage}
	}
	return []schema.Message{schema.ExampleMessage, schema.SequenceMessage}
}

// detectSize is how many of a file's first bytes tell its format: those of a
// record's header and of the beginning of an OFRecord.
const detectSize = 64

// detect tells the format of a file from its first detectSize bytes, or all if it
// has fewer. known is false where they are those of no file of records; it is then
// taken for a TFRecord file.
func detect(head []byte) (f format, known bool) {
	if !tfrecord.IsRecord(head) && isOFRecordFile(head) {
		return format{framing: tfrecord.OFRecord}, true
	}
	f.compression = tfrecord.Detect(head)
	return f, f.compression != tfrecord.None || tfrecord.IsRecord(head)
}

// maxLength is the longest OFRecord that a file is taken to begin with. What
// begins a compressed file or a bare message is more, read as a length.
const maxLength = 1 << 40

// isOFRecordFile reports whether an OFRecord file can begin with head.
func isOFRecordFile(head []byte) bool {
	const lengthSize = 8
	if len(head) <= lengthSize {
		return false
	}
	n := binary.LittleEndian.Uint64(head)
	if n > maxLength {
		return false
	}
	begin := head[lengthSize:]
	return message.BeginsOFRecord(begin[:min(uint64(len(begin)), n)], int64(n))
}

// searched is how much of a file is searched for a record that tells its format,
// where the beginning does not.
const searched = 16 << 20

// holdsOFRecords reports whether there is an OFRecord in the beginning of a file,
// which is damaged.
func holdsOFRecords(beginning []byte) bool {
	in := tfrecord.NewReader(bytes.NewReader(beginning), format{framing: tfrecord.OFRecord}.options(""))
	_, err := in.Next()
	return err == nil || in.Resync() == nil
}
