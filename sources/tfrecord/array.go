package records

import (
	"tfr-build/arrayrecord"
	"tfr-build/tfrecord"
)

// An arrayReader reads an ArrayRecord file, as if each record was one of a TFRecord
// file. Where one stands counts there, and it may be compressed: so the rows of such
// files are read one after another, as those of compressed files are.
type arrayReader struct {
	*arrayrecord.Reader
	framed []byte
}

// Length is that of the next record.
func (r *arrayReader) Length() (int64, error) {
	r.framed = r.framed[:0]
	return r.Reader.Length()
}

// Next is the next record.
func (r *arrayReader) Next() ([]byte, error) {
	payload, err := r.Reader.Next()
	if err == nil {
		r.framed = tfrecord.TFRecord.Append(r.framed[:0], payload)
	}
	return payload, err
}

// Framed is the record that Next read last, with its framing; nothing of one that is
// damaged.
func (r *arrayReader) Framed() []byte { return r.framed }
