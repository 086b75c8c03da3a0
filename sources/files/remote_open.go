package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"sync"

	"tfr-build/internal/store"
)

// A remoteFile is an open remote file. Several readers look at its first bytes, which are read
// once.
type remoteFile struct {
	path string
	size int64
	file store.File

	mu     sync.Mutex    // protects head
	head   []byte        // the first bytes of the file, once they are read
	rest   io.ReadCloser // of the bytes after head, once Read is called
	stream io.Reader     // of head and rest
}

// headSize is how much of a file is read at first, for all readers of its beginning.
const headSize = 64 << 10

func (r *remote) open(path string, listed *File) (Handle, error) {
	file, err := r.openListed(r.ctx, path, listed)
	if err != nil {
		return nil, err
	}
	return &remoteFile{path: path, size: listed.Size, file: file}, nil
}

// readError adds the path to an error of reading the file.
func (f *remoteFile) readError(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &fs.PathError{Op: "read", Path: f.path, Err: remoteError(err)}
}

// readHead reads the first bytes, if no other call has.
func (f *remoteFile) readHead() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.head != nil {
		return nil
	}
	head := make([]byte, min(f.size, headSize))
	if err := readRange(f.file, head, 0); err != nil {
		return f.readError(err)
	}
	f.head = head
	return nil
}

// Read reads the next bytes. After the head, several ranges are in flight.
func (f *remoteFile) Read(p []byte) (n int, err error) {
	if f.stream == nil {
		if err := f.readHead(); err != nil {
			return 0, err
		}
		at := int64(len(f.head))
		f.rest = store.Range(f.file, at, f.size-at)
		f.stream = io.MultiReader(bytes.NewReader(f.head), f.rest)
	}
	n, err = f.stream.Read(p)
	return n, f.readError(err)
}

// ReadAt reads a range.
func (f *remoteFile) ReadAt(p []byte, off int64) (n int, err error) {
	if err := f.readHead(); err != nil {
		return 0, err
	}
	n = int(max(0, min(int64(len(p)), f.size-off)))
	if end := off + int64(n); off >= 0 && end <= int64(len(f.head)) {
		copy(p, f.head[off:end])
	} else if n > 0 {
		err = f.readError(readRange(f.file, p[:n], off))
	}
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// Section returns a reader of a range, with several requests in flight.
func (f *remoteFile) Section(off, n int64) io.ReadCloser {
	return &section{store.Range(f.file, off, n), f}
}

// A section reads a range of a file.
type section struct {
	io.ReadCloser
	file *remoteFile
}

func (s *section) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	return n, s.file.readError(err)
}

func (f *remoteFile) Close() (err error) {
	if f.rest != nil {
		err = f.rest.Close()
	}
	return errors.Join(err, f.file.Close())
}
