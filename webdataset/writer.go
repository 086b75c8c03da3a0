package webdataset

import "io"

// A Writer writes an archive. Without a Sample, a record is one member with its payload, and its number is its key.
type Writer struct {
	w      io.Writer
	batch  *Batch
	number uint64
	buf    []byte
}

// NewWriter returns a Writer of archives to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, batch: NewBatch(nil)} }

// Write adds a record.
func (w *Writer) Write(payload []byte) error {
	w.buf = w.batch.End(append(w.batch.Begin(w.buf[:0], w.number), payload...))
	w.number++
	return w.WriteText(w.buf)
}

// WriteText adds a record as it is stored: see [Reader.Text].
func (w *Writer) WriteText(text []byte) error {
	_, err := w.w.Write(text)
	return err
}

// Close writes the end of the archive. It does not close the underlying writer.
func (w *Writer) Close() error { return w.WriteText(zeros[:]) }
