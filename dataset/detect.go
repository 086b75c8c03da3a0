package dataset

import (
	"bytes"
	"encoding/binary"
	"io"

	"tfr-build/arrayrecord"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// A format says how a file stores records.
type format struct {
	framing     tfrecord.Framing
	compression tfrecord.Compression
	packing     arrayrecord.Compression // of the chunks in an ArrayRecord file
}

// A stream reads the records of a file in any format, as a [tfrecord.Reader] does.
type stream interface {
	Length() (int64, error)
	Next() ([]byte, error)
	Copy(io.Writer) (int64, error)
	Resync() error
	Record() int64
	Offset() int64
	End() int64
}

// newStream returns a stream of the records in r.
func newStream(r io.Reader, how tfrecord.Options) stream {
	if how.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewReader(r, how.File)
	}
	return tfrecord.NewReader(r, how)
}

// options returns the options to read a file of this format.
func (f format) options(file string) tfrecord.Options {
	return tfrecord.Options{File: file, Framing: f.framing, Compression: f.compression, Whole: message.BeginsOFRecord}
}

// formatOf returns the format of the shards of a dataset.
func formatOf(m *Manifest) (f format, err error) {
	_, f.framing = m.Records()
	if f.framing == tfrecord.ArrayRecord {
		f.packing, err = arrayrecord.ParseCompression(m.Compression)
	} else {
		f.compression, err = tfrecord.ParseCompression(m.Compression)
	}
	return f, err
}

// A recordWriter writes records in some format.
type recordWriter interface {
	Write(payload []byte) error
	Close() error
}

// writer returns a writer of records in this format.
func (f format) writer(w io.Writer) (recordWriter, error) {
	if f.framing == tfrecord.ArrayRecord {
		return arrayrecord.NewWriter(w, f.packing)
	}
	return tfrecord.NewWriter(w, f.framing, f.compression), nil
}

// messages returns the types that a record of this format may have without a manifest.
func (f format) messages() []schema.Message {
	if f.framing == tfrecord.OFRecord {
		return []schema.Message{schema.OFRecordMessage}
	}
	return []schema.Message{schema.ExampleMessage, schema.SequenceMessage}
}

// detectSize is the number of bytes that detect needs: the head of an ArrayRecord file. A
// record's header and the beginning of an OFRecord are shorter.
const detectSize = arrayrecord.HeadSize

// detect returns the format of a file by its first detectSize bytes, or all bytes of a shorter
// file. If no format matches, known is false and the format is TFRecord.
func detect(head []byte) (f format, known bool) {
	if arrayrecord.IsFile(head) {
		return format{framing: tfrecord.ArrayRecord}, true
	}
	if !tfrecord.IsRecord(head) && isOFRecordFile(head) {
		return format{framing: tfrecord.OFRecord}, true
	}
	f.compression = tfrecord.Detect(head)
	return f, f.compression != tfrecord.None || tfrecord.IsRecord(head)
}

// maxLength is the maximum length of an OFRecord at the beginning of a file. The first bytes of
// compressed files and of bare messages are larger, read as a length.
const maxLength = 1 << 40

// isOFRecordFile reports whether head can be the beginning of an OFRecord file.
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

// maxSearch is the number of bytes that are searched for an OFRecord if the beginning of a file
// is damaged.
const maxSearch = 16 << 20

// containsOFRecord reports whether the beginning of a damaged file has an intact OFRecord.
func containsOFRecord(beginning []byte) bool {
	in := tfrecord.NewReader(bytes.NewReader(beginning), format{framing: tfrecord.OFRecord}.options(""))
	_, err := in.Next()
	return err == nil || in.Resync() == nil
}
