package records

import (
	"tfr-build/arrayrecord"
	"tfr-build/tfrecord"
)

// An arrayReader reads an ArrayRecord file as if its records were records of a TFRecord file.
// Records in the file may be compressed, and block headers at fixed offsets interrupt them. So the
// rows of such files are read serially, like the rows of compressed files.
type arrayReader struct {
	*arrayrecord.Reader
	framed []byte
}

// Length returns the length of the next record in bytes.
func (r *arrayReader) Length() (int64, error) {
	r.framed = r.framed[:0]
	return r.Reader.Length()
}

// Next returns the next record.
func (r *arrayReader) Next() ([]byte, error) {
	payload, err := r.Reader.Next()
	if err == nil {
		r.framed = tfrecord.TFRecord.Append(r.framed[:0], payload)
	}
	return payload, err
}

// Framed returns the last record that Next read, with its framing. It is empty if the record is
// damaged.
func (r *arrayReader) Framed() []byte { return r.framed }
