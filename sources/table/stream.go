package table

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"tfr-build/sources/input"
)

// A stream is a file's text from its beginning: decompressed and, where the
// format names an encoding, decoded to UTF-8.
type stream struct {
	io.Reader
	file    *os.File
	codec   codec
	decoder Decoder // nil for UTF-8
	stop    func()
}

func (s *stream) Close() error {
	s.stop()
	return s.file.Close()
}

// open opens a file's text.
func (t *Files) open(file int) (*stream, error) {
	f := &t.files[file]
	in, start, err := openListed(f.path, &t.listing.Files[file])
	if err != nil {
		return nil, &input.Error{Path: f.path, Err: err}
	}
	st := &stream{file: in, codec: detectCodec(start)}
	st.Reader, st.stop, err = st.codec.decompress(in)
	if err != nil {
		in.Close()
		return nil, &input.Error{Path: f.path, Err: err}
	}
	if t.format == nil {
		return st, nil
	}
	if st.decoder = t.format.NewDecoder(st.Reader); st.decoder != nil {
		st.Reader = st.decoder
	}
	return st, nil
}

// Open opens a file, decompressed where it is compressed.
func (t *Files) Open(file int) (io.ReadCloser, error) { return t.open(file) }

// OpenPacked opens a file as it is.
func (t *Files) OpenPacked(file int) (io.ReadCloser, error) {
	f, _, err := openListed(t.files[file].path, &t.listing.Files[file])
	if err != nil {
		return nil, &input.Error{Path: t.files[file].path, Err: err}
	}
	return f, nil
}

// IsPacked reports whether a file that begins with start is compressed in a way
// that Open knows.
func IsPacked(start []byte) bool { return detectCodec(start[:min(len(start), codecHead)]) != plain }

// openListed opens a file if it is the one that was listed, and tells its first
// bytes. A file that has bytes though it is empty is made up as it is read.
func openListed(path string, listed *input.File) (f *os.File, start []byte, err error) {
	f, err = input.Open(path)
	if err != nil {
		return nil, nil, err
	}
	var st unix.Stat_t
	n := 0
	start = make([]byte, codecHead)
	if err = unix.Fstat(int(f.Fd()), &st); err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		n, err = f.ReadAt(start, 0)
	}
	switch {
	case err != nil && err != io.EOF:
	case st.Size == 0 && n > 0:
		err = input.ErrNotRegular
	case !listed.Is(&st):
		err = input.ErrChanged
	default:
		return f, start[:n], nil
	}
	f.Close()
	return nil, nil, err
}

// Stream notes that a file's rows cannot be read where they stand, as its head
// tells a kind that reads heads itself.
func (t *Files) Stream(file int) { t.files[file].stream = true }

// IsStreamed reports whether a file's rows cannot be read where they stand: it is
// compressed, or not in UTF-8. Its head must have been read.
func (t *Files) IsStreamed(file int) bool {
	f := &t.files[file]
	return f.codec != plain || f.stream || t.format != nil && t.format.NewDecoder(nil) != nil
}
