package compress

import (
	"io"
	"path"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A Stream reads the content of a file from its beginning.
type Stream struct {
	io.Reader
	Codec Codec
	File  files.Handle // for reading an uncompressed file at any offset
	stop  func()
}

// Open opens a file if it is the listed one. Files of /proc have size 0 and yet content, so nobody
// can check that they are the listed ones: they are rejected.
func Open(sys *files.System, path string, listed *files.File) (*Stream, error) {
	s, err := OpenCompressed(sys, path, listed)
	if err != nil {
		return nil, err
	}
	if s.Reader, s.stop, err = s.Codec.decompress(s.Reader); err != nil {
		s.File.Close()
		return nil, &input.Error{Path: path, Err: err}
	}
	return s, nil
}

// OpenPath opens a file that is not listed.
func OpenPath(sys *files.System, file string) (*Stream, error) {
	listed, err := sys.Stat(path.Base(file), file)
	if err != nil {
		return nil, &input.Error{Path: file, Err: err}
	}
	return Open(sys, file, &listed)
}

// OpenCompressed opens a file as Open does. The Stream then has the bytes as they are stored, and
// Codec says how they seem to be compressed.
func OpenCompressed(sys *files.System, path string, listed *files.File) (*Stream, error) {
	file, err := sys.Open(path, listed)
	if err != nil {
		return nil, &input.Error{Path: path, Err: err}
	}
	head := make([]byte, headSize)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		file.Close()
		return nil, &input.Error{Path: path, Err: err}
	}
	in := sys.Sums().Watch(files.Key{Path: path}, listed.Size, file)
	return &Stream{Reader: in, Codec: detect(head[:n]), File: file, stop: func() {}}, nil
}

// Close closes the file.
func (s *Stream) Close() error {
	s.stop()
	return s.File.Close()
}
