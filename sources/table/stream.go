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
	if st.decoder = t.format.NewDecoder(st.Reader); st.decoder != nil {
		st.Reader = st.decoder
	}
	return st, nil
}

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

// isStreamed reports whether a file's rows cannot be read where they stand: it is
// compressed, or not in UTF-8. Its head must have been read.
func (t *Files) isStreamed(file int) bool {
	return t.files[file].codec != plain || t.format.NewDecoder(nil) != nil
}
