package files

import (
	"context"
	"io"
	"io/fs"
	"sync"

	"tfr-build/internal/bucket"
)

// An object is open to be read as a file is.
type object struct {
	ctx    context.Context
	path   string
	size   int64
	file   *bucket.File
	mu     sync.Mutex // of head
	head   []byte     // its first bytes, once they are read
	at     int64      // of the next byte
	stream *bucket.Reader
}

// headSize is how much of an object is read for whoever looks at its beginning.
const headSize = 64 << 10

func (b *buckets) open(path string, listed *File) (Handle, error) {
	file, err := b.openListed(path, listed)
	if err != nil {
		return nil, err
	}
	return &object{ctx: b.ctx, path: path, size: listed.Size, file: file}, nil
}

// fault is the error of reading the object.
func (o *object) fault(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &fs.PathError{Op: "read", Path: o.path, Err: said(err)}
}

// begin reads the first bytes, for whoever comes first.
func (o *object) begin() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.head != nil {
		return nil
	}
	head := make([]byte, min(o.size, headSize))
	if err := o.file.ReadRange(o.ctx, head, 0); err != nil {
		return o.fault(err)
	}
	o.head = head
	return nil
}

// Read goes on where it ended, behind the head with several ranges in flight.
func (o *object) Read(p []byte) (n int, err error) {
	if err := o.begin(); err != nil {
		return 0, err
	}
	if o.at < int64(len(o.head)) {
		n = copy(p, o.head[o.at:])
		o.at += int64(n)
		return n, nil
	}
	if o.at == o.size {
		return 0, io.EOF
	}
	if o.stream == nil {
		o.stream = o.file.Reader(o.ctx, o.at, o.size-o.at)
	}
	n, err = o.stream.Read(p)
	o.at += int64(n)
	return n, o.fault(err)
}

// ReadAt reads a range.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	if err := o.begin(); err != nil {
		return 0, err
	}
	n = int(max(0, min(int64(len(p)), o.size-off)))
	if end := off + int64(n); off >= 0 && end <= int64(len(o.head)) {
		copy(p, o.head[off:end])
	} else if n > 0 {
		err = o.fault(o.file.ReadRange(o.ctx, p[:n], off))
	}
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Section reads a stretch with several ranges in flight.
func (o *object) Section(off, n int64) io.ReadCloser {
	return &stretch{o, o.file.Reader(o.ctx, off, n)}
}

// A stretch is a part of an object.
type stretch struct {
	of *object
	in *bucket.Reader
}

func (s *stretch) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	return n, s.of.fault(err)
}

func (s *stretch) Close() error { return s.in.Close() }

func (o *object) Close() error {
	if o.stream == nil {
		return nil
	}
	return o.stream.Close()
}
