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

// A format is how a file holds its records.
type format struct {
	framing     tfrecord.Framing
	compression tfrecord.Compression
	packing     arrayrecord.Compression // of the records of an ArrayRecord file
}

// A stream reads the records of a file, whatever its format.
type stream interface {
	Length() (int64, error)
	Next() ([]byte, error)
	Copy(io.Writer) (int64, error)
	Resync() error
	Record() int64
	Offset() int64
	End() int64
}

// newStream reads the records in r.
func newStream(r io.Reader, how tfrecord.Options) stream {
	if how.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewReader(r, how.File)
	}
	return tfrecord.NewReader(r, how)
}

// options are how a file of that format is read.
func (f format) options(file string) tfrecord.Options {
	return tfrecord.Options{File: file, Framing: f.framing, Compression: f.compression, Whole: message.BeginsOFRecord}
}

// formatOf is that of the shards of a dataset.
func formatOf(m *Manifest) (f format, err error) {
	_, f.framing = m.Records()
	if f.framing == tfrecord.ArrayRecord {
		f.packing, err = arrayrecord.ParseCompression(m.Compression)
	} else {
		f.compression, err = tfrecord.ParseCompression(m.Compression)
	}
	return f, err
}

// A recordWriter writes records of some format.
type recordWriter interface {
	Write(payload []byte) error
	Close() error
}

// writer writes records to a file of that format.
func (f format) writer(w io.Writer) (recordWriter, error) {
	if f.framing == tfrecord.ArrayRecord {
		return arrayrecord.NewWriter(w, f.packing)
	}
	return tfrecord.NewWriter(w, f.framing, f.compression), nil
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
// record's header and of the beginning of an OFRecord, and all of the head of an
// ArrayRecord file.
const detectSize = arrayrecord.HeadSize

// detect tells the format of a file from its first detectSize bytes, or all if it
// has fewer. known is false where they are those of no file of records; it is then
// taken for a TFRecord file.
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
