package filetest

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Gzip returns data compressed with gzip.
func Gzip(data string) string {
	return compressed(data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestSpeed) })
}

// Zlib returns data compressed with zlib.
func Zlib(data string) string {
	return compressed(data, func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil })
}

// Deflate returns data compressed as in a zip archive.
func Deflate(data string) string {
	return compressed(data, func(w io.Writer) (io.WriteCloser,
		error) {
		return flate.NewWriter(w, flate.DefaultCompression)
	})
}

// Zstd returns data compressed with Zstandard.
func Zstd(data string) string {
	return compressed(data, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) })
}

// compressed panics if it cannot compress into memory, which is an error in this package.
func compressed(data string, create func(io.Writer) (io.WriteCloser, error)) string {
	var b bytes.Buffer
	w, err := create(&b)
	if err != nil {
		panic(err)
	}
	_, err = io.WriteString(w, data)
	if err := errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return b.String()
}
