package tar

import (
	"bufio"
	"io"

	"tfr-build/internal/prefetch"
)

// Blocks are an archive, read from one byte to the next. The end of it is io.EOF, or
// io.ErrUnexpectedEOF where something begins that it cuts off.
type blocks interface {
	offset() int64
	// next is the next n bytes. They hold until the call after.
	next(n int) ([]byte, error)
	// pass passes n bytes.
	pass(n int64) error
}

// mapped is an archive in memory.
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
		return nil, cut(len(rest))
	}
	m.at += n
	return rest[:n:n], nil
}

func (m *mapped) pass(n int64) error {
	if n > int64(len(m.data)-m.at) {
		m.at = len(m.data)
		return io.ErrUnexpectedEOF
	}
	m.at += int(n)
	prefetch.Lines(m.data[m.at:], blockSize/prefetch.Line)
	return nil
}

// cut is the error of an archive that ends n bytes on, too early.
func cut(n int) error {
	if n == 0 {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// A stream is an archive that can only be read from its beginning.
type stream struct {
	in  *bufio.Reader
	at  int64
	buf []byte
}

// streamSize is how much is read at a time.
const streamSize = 128 << 10

func newStream(in io.Reader) *stream { return &stream{in: bufio.NewReaderSize(in, streamSize)} }

func (s *stream) offset() int64 { return s.at }

// next reads no more than a piece at a time: what an archive claims costs no memory
// before it is there.
func (s *stream) next(n int) ([]byte, error) {
	s.buf = s.buf[:0]
	for len(s.buf) < n {
		have := len(s.buf)
		s.buf = append(s.buf, make([]byte, min(n-have, streamSize))...)
		got, err := io.ReadFull(s.in, s.buf[have:])
		s.at += int64(got)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, cut(have + got)
		}
		if err != nil {
			return nil, err
		}
	}
	return s.buf, nil
}

func (s *stream) pass(n int64) error {
	got, err := io.CopyN(io.Discard, s.in, n)
	s.at += got
	if err == io.EOF && got < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}
