package tfrecord

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
)

// A source passes on what it reads and keeps the error that ended it: so that
// a disk's error is not taken for damage that the decompressor found.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil {
		s.err = err
	}
	return n, err
}

// A stream is what a Reader reads: decompressed, through a buffer.
type stream struct {
	compression Compression
	source      source
	in          io.Reader // the decompressed stream; nil before the first read
	inErr       error     // what ended in
	gzip        *gzipReader

	buf        []byte // buf[begin:end] is read and not yet consumed
	begin, end int
}

// open returns the decompressed stream. A file without any byte holds no
// record, compressed or not.
func (s *stream) open() (io.Reader, error) {
	if s.compression == None {
		return &s.source, nil
	}
	in := bufio.NewReaderSize(&s.source, readSize)
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	if s.compression == Gzip {
		s.gzip = &gzipReader{new(gzip.Reader), in}
		return s.gzip, s.gzip.next()
	}
	stream, err := zlib.NewReader(in)
	return &zlibReader{stream, in}, err
}

// makeRoom makes room for at least one more byte of a record of n bytes. The
// buffer grows only when it is full: by what was read, and not at once to n, for
// which there is only the file's word.
func (s *stream) makeRoom(n int) {
	// Moving what is left costs little while it is rare: when nothing is left, or
	// when the record would not fit where it begins.
	if s.begin == s.end || s.begin > len(s.buf)-n {
		s.end = copy(s.buf, s.buf[s.begin:s.end])
		s.begin = 0
	}
	if s.end == len(s.buf) {
		grown := make([]byte, max(readSize, min(2*len(s.buf), n)))
		copy(grown, s.buf)
		s.buf = grown
	}
}

// read reads once into the free end of the buffer.
func (s *stream) read() {
	if s.in == nil {
		if s.in, s.inErr = s.open(); s.inErr != nil {
			s.in = nil
			return
		}
	}
	n, err := s.in.Read(s.buf[s.end:])
	s.end += n
	s.inErr = err
}

// streamError turns the error that ended the stream into what Next returns.
func (r *Reader) streamError(err error) error {
	kind := r.opt.Compression.String()
	switch {
	case r.source.err != nil && r.source.err != io.EOF:
		return fmt.Errorf("reading record %d of %s: %w", r.next, r.opt.name(), r.source.err)
	case errors.Is(err, errAfterGzip), errors.Is(err, errAfterZlib):
		return r.corrupt(err.Error(), nil)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.corrupt("the "+kind+" stream is cut off", err)
	case r.in == nil:
		return r.corrupt("this is no "+kind+" file", err)
	}
	return r.corrupt("the "+kind+" stream is damaged", err)
}

var (
	errAfterGzip = errors.New("what follows the gzip stream is not gzip")
	errAfterZlib = errors.New("bytes follow the zlib stream, which TensorFlow would drop")
)

// A gzipReader reads gzip members one after another, and nothing else.
type gzipReader struct {
	*gzip.Reader
	in *bufio.Reader
}

func (z *gzipReader) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	if err != io.EOF {
		return n, err
	}
	switch head, err := z.in.Peek(2); {
	case len(head) == 0:
		return n, err
	case head[0] != 0x1f, len(head) == 2 && head[1] != 0x8b:
		return n, errAfterGzip
	}
	return n, z.next()
}

// next begins to read the next member.
func (z *gzipReader) next() error {
	err := z.Reset(z.in)
	if err == nil {
		// Members are read one by one: so Read can tell other bytes after one from
		// damage, and a Resync can begin at any of them.
		z.Multistream(false)
	}
	return err
}

// A zlibReader reads one zlib stream, after which the file has to end.
type zlibReader struct {
	io.Reader
	in *bufio.Reader
}

func (z *zlibReader) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	if err == io.EOF {
		if head, _ := z.in.Peek(1); len(head) > 0 {
			err = errAfterZlib
		}
	}
	return n, err
}
