package compress

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// A Codec is the compression of a file, recognized by its first bytes.
type Codec uint8

// The codecs.
const (
	Plain Codec = iota
	Gzip
	Zstd
	Bzip2
)

// detect returns the codec of a file by its first bytes.
func detect(head []byte) Codec {
	head = head[:min(len(head), headSize)]
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, zstdMagic), len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == zstdSkippable:
		return Zstd
	case len(head) >= 4 && bytes.HasPrefix(head, []byte("BZh")) && head[3] >= '1' && head[3] <= '9':
		if next := string(head[4:]); strings.HasPrefix(bzip2Block, next) || strings.HasPrefix(bzip2End, next) {
			return Bzip2
		}
	}
	return Plain
}

// The bytes that follow "BZh" and a digit in bzip2. They are checked because text may begin with
// "BZh1".
const (
	bzip2Block = "1AY&SY"
	bzip2End   = "\x17rE8P\x90"
)

// headSize is how many bytes are needed to recognize the codec.
const headSize = len("BZh9") + len(bzip2Block)

// AddressName returns a file's name without the extension of a compression, so that compressing a
// file does not change the row IDs of its rows.
func AddressName(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".bz2"} {
		if s, ok := strings.CutSuffix(name, suffix); ok && s != "" && !strings.HasSuffix(s, "/") {
			return s
		}
	}
	return name
}

// decompress returns a reader of the decompressed bytes of r, and a function that stops it. Errors
// of the reader name the codec.
func (c Codec) decompress(r io.Reader) (io.Reader, func(), error) {
	switch c {
	case Gzip:
		z, err := newMembers(r)
		if err != nil {
			return nil, nil, c.wrapError(err)
		}
		return &codecReader{z, c}, func() {}, nil
	case Zstd:
		z, err := newZstdReader(r)
		if err != nil {
			return nil, nil, c.wrapError(err)
		}
		return &codecReader{z, c}, z.Close, nil
	case Bzip2:
		return &codecReader{bzip2.NewReader(bufio.NewReaderSize(r, 64<<10)), c}, func() {}, nil
	}
	return r, func() {}, nil
}

// A codecReader adds the codec to the errors of a decompressor.
type codecReader struct {
	io.Reader
	codec Codec
}

func (r *codecReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = r.codec.wrapError(err)
	}
	return n, err
}

// wrapError wraps an error of the decompressor. It returns an error of reading the file unchanged.
func (c Codec) wrapError(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &codecError{c, err}
}

// A codecError says that a compressed file is damaged, truncated, or needs too much memory.
type codecError struct {
	codec Codec
	err   error
}

func (e *codecError) needsWindow() bool {
	_, ok := errors.AsType[*windowError](e.err)
	return ok
}

// Hint returns the command that makes the file readable, or an empty string.
func (e *codecError) Hint() string {
	if e.needsWindow() {
		return "compress it again without --long: zstd -dc --long=31 OLD | zstd -o NEW"
	}
	return ""
}

func (e *codecError) isTruncated() bool { return errors.Is(e.err, io.ErrUnexpectedEOF) }

func (e *codecError) Error() string {
	name := [...]string{"", "gzip", "zstd", "bzip2"}[e.codec]
	if e.isTruncated() {
		return "decompressing " + name + ": the file is cut short"
	}
	return fmt.Sprintf("decompressing %s: %v", name, e.err)
}

func (e *codecError) Unwrap() error { return e.err }

// Code returns the stable error code.
func (e *codecError) Code() string {
	if e.needsWindow() {
		return "ZSTD_WINDOW"
	}
	codes := [...][2]string{{}, {"GZIP_CORRUPT", "GZIP_TRUNCATED"}, {"ZSTD_CORRUPT", "ZSTD_TRUNCATED"},
		{"BZIP2_CORRUPT", "BZIP2_TRUNCATED"}}[e.codec]
	if e.isTruncated() {
		return codes[1]
	}
	return codes[0]
}
