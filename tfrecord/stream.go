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

// open returns the decompressed stream. A file without any byte holds no
// record, compressed or not.
func (r *Reader) open() (io.Reader, error) {
	if r.opt.Compression == None {
		return &r.source, nil
	}
	in := bufio.NewReaderSize(&r.source, readSize)
	if _, err := in.Peek(1); err != nil {
		return nil, err
	}
	if r.opt.Compression == Gzip {
		r.gzip = &gzipReader{new(gzip.Reader), in}
		return r.gzip, r.gzip.next()
	}
	stream, err := zlib.NewReader(in)
	return &zlibReader{stream, in}, err
}

// streamError turns the error that ended the stream into what Next returns.
func (r *Reader) streamError(err error) error {
	kind := r.opt.Compression.String()
	switch {
	case r.source.err != nil && r.source.err != io.EOF:
		return fmt.Errorf("reading record %d of %s: %w", r.next, r.name(), r.source.err)
	case errors.Is(err, errAfterGzip), errors.Is(err, errAfterZlib):
		return r.corrupt(err.Error(), nil)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.corrupt("the "+kind+" stream is cut off", err)
	case r.in == nil:
		return r.corrupt("this is no "+kind+" file", err)
	}
	return r.corrupt("the "+kind+" stream is damaged", err)
}

func (r *Reader) name() string {
	if r.opt.File == "" {
		return "a stream"
	}
	return r.opt.File
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
