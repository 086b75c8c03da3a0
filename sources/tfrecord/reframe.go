package tfrecord

import (
	"tfr-build/framing"
	"tfr-build/tfrecord"
)

// A reframer reads a file as if its records had the framing of rows. Records in the file may be
// compressed, or other bytes may interrupt them. So the rows of such files are read serially, like
// the rows of compressed files.
type reframer struct {
	framing.Reader
	frames tfrecord.Framing
	framed []byte
}

// Length returns the length of the next record in bytes.
func (r *reframer) Length() (int64, error) {
	r.framed = r.framed[:0]
	return r.Reader.Length()
}

// Next returns the next record.
func (r *reframer) Next() ([]byte, error) {
	payload, err := r.Reader.Next()
	if err == nil {
		r.framed = r.frames.Append(r.framed[:0], payload)
	}
	return payload, err
}

// Framed returns the last record that Next read, with its framing. It is empty if the record is
// damaged.
func (r *reframer) Framed() []byte { return r.framed }
