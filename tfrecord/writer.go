package tfrecord

import (
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
)

const (
	writeSize   = 64 << 10 // a Writer writes at least this many bytes at once
	maxBuffered = 1 << 20  // longer payloads are not copied into the buffer
)

var (
	errClosed = errors.New("tfrecord: write after Close")
	errEmpty  = errors.New("tfrecord: a record of an OFRecord file cannot be empty")
)

// A Writer writes records to a stream. It buffers; Close writes the last records. After an error,
// every call returns that error.
type Writer struct {
	w       io.Writer
	framing Framing
	stream  io.WriteCloser // compressor, or nil
	buf     []byte         // framed records that are not written yet
	err     error
}

// NewWriter returns a Writer of records to w, with framing f and compression c.
func NewWriter(w io.Writer, f Framing, c Compression) *Writer {
	out := &Writer{w: w, framing: f}
	switch c {
	case Gzip:
		out.stream = gzip.NewWriter(w)
	case Zlib:
		out.stream = zlib.NewWriter(w)
	}
	if out.stream != nil {
		out.w = out.stream
	}
	return out
}

// Write adds a record with this payload. It keeps no reference to payload. An empty payload is an
// error for OFRecord.
func (w *Writer) Write(payload []byte) error {
	if w.err == nil && w.framing == OFRecord && len(payload) == 0 {
		w.err = errEmpty
	}
	if w.err != nil {
		return w.err
	}
	if len(payload) > maxBuffered {
		return w.writeLong(payload)
	}
	w.buf = w.framing.Append(w.buf, payload)
	if len(w.buf) >= writeSize {
		w.flush()
	}
	return w.err
}

// writeLong writes a payload that is too long for the buffer.
func (w *Writer) writeLong(payload []byte) error {
	w.buf = w.framing.appendHeader(w.buf, uint64(len(payload)))
	if w.flush(); w.err == nil {
		_, w.err = w.w.Write(payload)
	}
	if w.framing == TFRecord {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, checksum(payload))
	}
	return w.err
}

// Close writes the buffered records and ends the compressed stream. It does not close the
// underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.flush()
	if w.stream != nil && w.err == nil {
		w.err = w.stream.Close()
	}
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	return nil
}

func (w *Writer) flush() {
	if len(w.buf) == 0 {
		return
	}
	_, w.err = w.w.Write(w.buf)
	w.buf = w.buf[:0]
}
