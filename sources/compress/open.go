package compress

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"tfr-build/sources/input"
)

// A Stream is what a file holds, from its beginning.
type Stream struct {
	io.Reader
	Codec Codec
	file  *os.File
	stop  func()
}

// Open opens a file if it is the one that was listed. A file that has bytes though
// it is empty is made up as it is read.
func Open(path string, listed *input.File) (*Stream, error) {
	file, head, err := openListed(path, listed)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	s := &Stream{file: file, Codec: detect(head)}
	if s.Reader, s.stop, err = s.Codec.decompress(file); err != nil {
		file.Close()
		return nil, &input.Error{Path: path, Err: err}
	}
	return s, nil
}

// OpenPacked opens a file as Open does, and leaves it as it is: Codec is how it
// seems to be compressed.
func OpenPacked(path string, listed *input.File) (*Stream, error) {
	file, head, err := openListed(path, listed)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	return &Stream{Reader: file, Codec: detect(head), file: file, stop: func() {}}, nil
}

// File is the file itself, for one that is plain to be read anywhere.
func (s *Stream) File() *os.File { return s.file }

// Close closes the file.
func (s *Stream) Close() error {
	s.stop()
	return s.file.Close()
}

// openListed opens a file and tells its first bytes.
func openListed(path string, listed *input.File) (f *os.File, head []byte, err error) {
	f, err = input.Open(path)
	if err != nil {
		return nil, nil, err
	}
	var st unix.Stat_t
	n := 0
	head = make([]byte, headSize)
	if err = unix.Fstat(int(f.Fd()), &st); err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		n, err = f.ReadAt(head, 0)
	}
	switch {
	case err != nil && err != io.EOF:
	case st.Size == 0 && n > 0:
		err = input.ErrNotRegular
	case !listed.Is(&st):
		err = input.ErrChanged
	default:
		return f, head[:n], nil
	}
	f.Close()
	return nil, nil, err
}
