package tfrecord

import (
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
)

const (
	writeSize = 64 << 10 // a Writer passes on at least so much at once
	keepSize  = 1 << 20  // a longer payload is not copied into the buffer
)

var (
	errClosed = errors.New("tfrecord: write after Close")
	errEmpty  = errors.New("tfrecord: a record of an OFRecord file cannot be empty")
)

// A Writer writes records to a stream. It buffers: the last records are
// written by Close. After an error every call returns that error.
type Writer struct {
	w       io.Writer
	framing Framing
	stream  io.WriteCloser // the compressor, or nil
	buf     []byte         // framed records that are not yet written
	err     error
}

// NewWriter returns a Writer that writes records to w, framed as f and compressed
// as c says.
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

// Write adds payload as one record. It keeps no reference to payload. An empty
// one is an error where the framing is OFRecord.
func (w *Writer) Write(payload []byte) error {
	if w.err == nil && w.framing == OFRecord && len(payload) == 0 {
		w.err = errEmpty
	}
	if w.err != nil {
		return w.err
	}
	if len(payload) > keepSize {
		return w.writeLong(payload)
	}
	w.buf = w.framing.Append(w.buf, payload)
	if len(w.buf) >= writeSize {
		w.flush()
	}
	return w.err
}

// writeLong passes on a payload that would make the buffer large.
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

// Close writes what is buffered and ends the compressed stream. It does not
// close the underlying writer.
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
