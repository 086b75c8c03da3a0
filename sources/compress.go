package sources

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"tfr-build/sources/csv"
)

// A codec is how a table file is compressed, told by its first bytes.
type codec uint8

const (
	plain codec = iota
	gzipped
	zstandard
	bzipped
)

func detectCodec(head []byte) codec {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	case len(head) >= 4 && bytes.HasPrefix(head, []byte("BZh")) && head[3] >= '1' && head[3] <= '9':
		return bzipped
	}
	return plain
}

// addressName is a file's name without what compression adds to it: a file
// keeps its rows' addresses when it is compressed.
func addressName(name string) string {
	for _, suffix := range []string{".gz", ".zst", ".bz2"} {
		if s, ok := strings.CutSuffix(name, suffix); ok && s != "" && !strings.HasSuffix(s, "/") {
			return s
		}
	}
	return name
}

// zstdWindow bounds what a zstd frame may claim as its window.
const zstdWindow = 128 << 20

// decompress wraps r. Its errors say what is wrong with the stream.
func (c codec) decompress(r io.Reader) (io.Reader, func(), error) {
	switch c {
	case gzipped:
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fmt.Errorf("decompressing gzip: %w", err)
		}
		return &namedErrors{z, "gzip"}, func() {}, nil
	case zstandard:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		if err != nil {
			return nil, nil, fmt.Errorf("decompressing zstd: %w", err)
		}
		return &namedErrors{z, "zstd"}, z.Close, nil
	case bzipped:
		return &namedErrors{bzip2.NewReader(bufio.NewReaderSize(r, 64<<10)), "bzip2"}, func() {}, nil
	}
	return r, func() {}, nil
}

// namedErrors says which decompressor an error comes from.
type namedErrors struct {
	io.Reader
	codec string
}

func (n *namedErrors) Read(p []byte) (int, error) {
	k, err := n.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("decompressing %s: %w", n.codec, err)
	}
	return k, err
}

// A stream is a table file's text from its beginning: decompressed and, where
// the source names an encoding, decoded to UTF-8.
type stream struct {
	io.Reader
	file    *os.File
	decoder *csv.Decoder // nil for UTF-8
	stop    func()
}

func (s *stream) Close() error {
	s.stop()
	return s.file.Close()
}
