package raster

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zlib"
)

// errDictionary is the error of data that needs a preset dictionary, which PNG does not have.
var errDictionary = errors.New("zlib: a preset dictionary")

// zlibReader is a reader of package zlib, which can begin again with other data.
type zlibReader interface {
	io.Reader
	zlib.Resetter
}

// An inflater decompresses zlib data (RFC 1950 and 1951) that is in memory. It reuses the
// library's decompressor, whose setup costs more than decompressing a small image.
type inflater struct {
	src bytes.Reader
	z   zlibReader
	out []byte
}

// reset starts to decompress src.
func (f *inflater) reset(src []byte) error {
	if len(src) > 1 && src[1]&0x20 != 0 {
		return errDictionary
	}
	f.src.Reset(src)
	if f.z != nil {
		return f.z.Reset(&f.src, nil)
	}
	z, err := zlib.NewReader(&f.src)
	if err == nil {
		f.z = z.(zlibReader)
	}
	return err
}

// next returns the next n bytes, which are valid until the next call. It returns
// io.ErrUnexpectedEOF if there are fewer.
func (f *inflater) next(n int) ([]byte, error) {
	f.out = sized(f.out, n)
	_, err := io.ReadFull(f.z, f.out)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return f.out, err
}

// end checks that all output was read, and compares the checksum. more reports unread output;
// rest is the number of bytes after the compressed data.
func (f *inflater) end() (more bool, rest int, err error) {
	f.out = sized(f.out, 1)
	n, err := io.ReadFull(f.z, f.out)
	if err != io.EOF {
		return n > 0, 0, err
	}
	return false, f.src.Len(), nil
}
