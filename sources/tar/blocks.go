package tar

import (
	"bufio"
	"io"

	"tfr-build/internal/prefetch"
)

// Blocks read an archive from its beginning to its end. At the end the error is io.EOF. If the
// end is within the bytes that are read, it is io.ErrUnexpectedEOF.
type blocks interface {
	// offset returns the offset of the next byte in the archive.
	offset() int64
	// next returns the next n bytes. They are valid until the next call.
	next(n int) ([]byte, error)
	// skip skips n bytes.
	skip(n int64) error
}

// A mapped is an archive in memory.
type mapped struct {
	data []byte
	at   int
	base int64 // the offset of data in its archive
}

func (m *mapped) offset() int64 { return m.base + int64(m.at) }

func (m *mapped) next(n int) ([]byte, error) {
	rest := m.data[m.at:]
	if n > len(rest) {
		m.at = len(m.data)
		return nil, endError(len(rest))
	}
	m.at += n
	return rest[:n:n], nil
}

func (m *mapped) skip(n int64) error {
	if n > int64(len(m.data)-m.at) {
		m.at = len(m.data)
		return io.ErrUnexpectedEOF
	}
	m.at += int(n)
	prefetch.Lines(m.data[m.at:], blockSize/prefetch.Line)
	return nil
}

// endError returns the error of an archive that ends n bytes after the beginning of a read.
func endError(n int) error {
	if n == 0 {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// A stream is an archive that is read from its beginning.
type stream struct {
	in  *bufio.Reader
	at  int64
	buf []byte
}

// streamSize is how many bytes are read at a time.
const streamSize = 128 << 10

func newStream(in io.Reader) *stream { return &stream{in: bufio.NewReaderSize(in, streamSize)} }

func (s *stream) offset() int64 { return s.at }

// next allocates memory only for bytes that it has read: a wrong size in an archive costs no
// memory.
func (s *stream) next(n int) ([]byte, error) {
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

func (s *stream) skip(n int64) error {
	got, err := io.CopyN(io.Discard, s.in, n)
	s.at += got
	if err == io.EOF && got < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}
