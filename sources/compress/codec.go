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

// A Codec is how a file is compressed, told by its first bytes.
type Codec uint8

// The codecs.
const (
	Plain Codec = iota
	Gzip
	Zstd
	Bzip2
)

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

// What follows the first bytes of bzip2, which a text may begin with, too.
const (
	bzip2Block = "1AY&SY"
	bzip2End   = "\x17rE8P\x90"
)

// headSize is how many bytes tell the codec.
const headSize = len("BZh9") + len(bzip2Block)

// AddressName is a file's name without what compression adds to it: a file
// keeps its rows' addresses when it is compressed.
func AddressName(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".bz2"} {
		if s, ok := strings.CutSuffix(name, suffix); ok && s != "" && !strings.HasSuffix(s, "/") {
			return s
		}
	}
	return name
}

// decompress wraps r. Its errors say what is wrong with the stream.
func (c Codec) decompress(r io.Reader) (io.Reader, func(), error) {
	switch c {
	case Gzip:
		z, err := newMembers(r)
		if err != nil {
			return nil, nil, c.fault(err)
		}
		return &codecReader{z, c}, func() {}, nil
	case Zstd:
		z, err := newZstdReader(r)
		if err != nil {
			return nil, nil, c.fault(err)
		}
		return &codecReader{z, c}, z.Close, nil
	case Bzip2:
		return &codecReader{bzip2.NewReader(bufio.NewReaderSize(r, 64<<10)), c}, func() {}, nil
	}
	return r, func() {}, nil
}

// A codecReader says which decompressor an error comes from.
type codecReader struct {
	io.Reader
	codec Codec
}

func (r *codecReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = r.codec.fault(err)
	}
	return n, err
}

// fault is err, which ended the decompressing, unless it is that of reading.
func (c Codec) fault(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return err
	}
	return &codecError{c, err}
}

// A codecError says that a compressed file is damaged, cut short, or needs too much
// memory.
type codecError struct {
	codec Codec
	err   error
}

func (e *codecError) needsWindow() bool {
	_, ok := errors.AsType[*windowError](e.err)
	return ok
}

// Hint is what makes a file that can be read; empty where nothing does.
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

// Code is the stable code of the damage.
func (e *codecError) Code() string {
	if e.needsWindow() {
		return "ZSTD_WINDOW"
	}
	codes := [...][2]string{{}, {"GZIP_CORRUPT", "GZIP_TRUNCATED"}, {"ZSTD_CORRUPT", "ZSTD_TRUNCATED"}, {"BZIP2_CORRUPT", "BZIP2_TRUNCATED"}}[e.codec]
	if e.isTruncated() {
		return codes[1]
	}
	return codes[0]
}
