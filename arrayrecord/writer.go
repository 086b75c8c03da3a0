package arrayrecord

import (
	"errors"
	"io"
)

// writeSize is the least number of bytes that a Writer writes at once.
const writeSize = 64 << 10

var errClosed = errors.New("arrayrecord: write after Close")

// A Writer writes a file of records to a stream. It buffers; Close completes the file. After an
// error, every call returns that error.
type Writer struct {
	w      io.Writer
	batch  *Batch
	layout *Layout
	pos    int64  // offset of buf in the file
	buf    []byte // chunks that are not written yet
	err    error
}

// NewWriter returns a Writer of records to w, with compression c.
func NewWriter(w io.Writer, c Compression) (*Writer, error) {
	batch, err := NewBatch(c)
	return &Writer{w: w, batch: batch, layout: NewLayout(c), err: err}, err
}

// Write adds a record with this payload. It keeps no reference to payload.
func (w *Writer) Write(payload []byte) error {
	if w.err != nil {
		return w.err
	}
	w.buf = w.batch.End(append(w.batch.Begin(w.buf), payload...))
	w.batch.Seal(w.buf)
	if len(w.buf) >= writeSize {
		w.flush()
	}
	return w.err
}

// Close writes the buffered records and the end of the file. It does not close the underlying
// writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if w.flush(); w.err == nil {
		w.write(w.layout.AppendTail(nil, w.pos))
	}
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	return nil
}

// flush writes the buffered chunks, after the beginning of the file if they are the first.
func (w *Writer) flush() {
	if w.pos == 0 {
		w.write(w.layout.AppendHead(nil))
	}
	if w.err == nil {
		w.buf = w.layout.LayOut(w.buf, w.pos)
		w.write(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *Writer) write(out []byte) {
	_, w.err = w.w.Write(out)
	w.pos += int64(len(out))
}
