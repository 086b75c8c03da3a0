package tarfile

import (
	"bufio"
	"io"

	"tfr-build/internal/prefetch"
)

// Blocks read an archive from its beginning to its end. At the end the error is io.EOF. If the
// end is within the bytes that are read, it is io.ErrUnexpectedEOF.
type Blocks interface {
	// Offset returns the offset of the next byte in the archive.
	Offset() int64
	// Next returns the next n bytes. They are valid until the next call.
	Next(n int) ([]byte, error)
	// Skip skips n bytes.
	Skip(n int64) error
}

// A Mapped is an archive in memory.
type Mapped struct {
	Data []byte
	At   int
	Base int64 // the offset of Data in its archive
}

// Offset returns the position of the next byte in the archive.
func (m *Mapped) Offset() int64 { return m.Base + int64(m.At) }

// Next returns the next n bytes of the memory.
func (m *Mapped) Next(n int) ([]byte, error) {
	rest := m.Data[m.At:]
	if n > len(rest) {
		m.At = len(m.Data)
		return nil, endError(len(rest))
	}
	m.At += n
	return rest[:n:n], nil
}

// Skip skips n bytes, and has the processor fetch the header after them.
func (m *Mapped) Skip(n int64) error {
	if n > int64(len(m.Data)-m.At) {
		m.At = len(m.Data)
		return io.ErrUnexpectedEOF
	}
	m.At += int(n)
	prefetch.Lines(m.Data[m.At:], BlockSize/prefetch.Line)
	return nil
}

// endError returns the error of an archive that ends n bytes after the beginning of a read.
func endError(n int) error {
	if n == 0 {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// A Stream is an archive that is read from its beginning.
type Stream struct {
	in  *bufio.Reader
	at  int64
	buf []byte
}

// streamSize is how many bytes are read at a time.
const streamSize = 128 << 10

// NewStream returns the archive that in has from here on.
func NewStream(in io.Reader) *Stream { return &Stream{in: bufio.NewReaderSize(in, streamSize)} }

// Offset returns the number of bytes that were read or skipped.
func (s *Stream) Offset() int64 { return s.at }

// Next allocates memory only for bytes that it has read: a wrong size in an archive costs no
// memory.
func (s *Stream) Next(n int) ([]byte, error) {
	s.buf = s.buf[:0]
	for len(s.buf) < n {
		have := len(s.buf)
		s.buf = append(s.buf, make([]byte, min(n-have, streamSize))...)
		got, err := io.ReadFull(s.in, s.buf[have:])
		s.at += int64(got)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, endError(have + got)
		}
		if err != nil {
			return nil, err
		}
	}
	return s.buf, nil
}

// Skip reads n bytes and drops them.
func (s *Stream) Skip(n int64) error {
	got, err := io.CopyN(io.Discard, s.in, n)
	s.at += got
	if err == io.EOF && got < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}
