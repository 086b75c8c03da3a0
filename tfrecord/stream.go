package tfrecord

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
)

// A source reads from r and records the error that ended it. So an error of the disk is not
// reported as damage that the decompressor found.
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

// A stream is the buffered, decompressed input of a Reader.
type stream struct {
	compression Compression
	source      source
	in          io.Reader // the decompressed stream; nil before the first read
	inErr       error     // error that ended in
	gzip        *gzipReader

	buf        []byte // buf[begin:end] was read and not consumed
	begin, end int
}

// open returns the decompressed stream. An empty file has no records, compressed or not.
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
		return s.gzip, s.gzip.nextMember()
	}
	stream, err := zlib.NewReader(in)
	return &zlibReader{stream, in}, err
}

// makeRoom makes space for at least one more byte of a record of n bytes. The buffer grows only
// when it is full, and at most doubles: n may be a false claim of the file.
func (s *stream) makeRoom(n int) {
	// Moving the remaining bytes is cheap if it is rare: when the buffer is empty, or when the
	// record would not fit behind its current position.
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

// streamError converts the error that ended the stream to an error of Next.
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
		return r.corrupt("this is not a "+kind+" file", err)
	}
	return r.corrupt("the "+kind+" stream is damaged", err)
}

var (
	errAfterGzip = errors.New("what follows the gzip stream is not gzip")
	errAfterZlib = errors.New("bytes follow the zlib stream, which TensorFlow would drop")
)

// A gzipReader reads a sequence of gzip members. Other data after a member is an error.
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
	return n, z.nextMember()
}

// nextMember starts reading the next member.
func (z *gzipReader) nextMember() error {
	err := z.Reset(z.in)
	if err == nil {
		// Read one member at a time. So Read can distinguish other data after a member from damage,
		// and Resync can begin at any member.
		z.Multistream(false)
	}
	return err
}

// A zlibReader reads one zlib stream. Data after the stream is an error.
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
