package compress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow bounds what a zstd frame may claim as its window.
const zstdWindow = 128 << 20

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// zstdSkippable follows 0x50 to 0x5f where a frame is to be skipped; pzstd begins
// files so.
const zstdSkippable = "\x2a\x4d\x18"

// A zstdReader decompresses zstd. It tells a frame whose window is too large from
// one that is damaged, for which the package has one error.
type zstdReader struct {
	*zstd.Decoder
	tail *tail
}

func newZstdReader(r io.Reader) (*zstdReader, error) {
	t := &tail{in: bufio.NewReaderSize(r, 64<<10)}
	z, err := zstd.NewReader(t, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
	if err != nil {
		return nil, err
	}
	return &zstdReader{z, t}, nil
}

func (r *zstdReader) Read(p []byte) (int, error) {
	n, err := r.Decoder.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		if window := r.tail.window(); window > zstdWindow {
			err = &windowError{window}
		}
	}
	return n, err
}

// A tail keeps the bytes that were read last: a frame is refused when its header
// has been read, and nothing else.
type tail struct {
	in   io.Reader
	last []byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	t.last = append(t.last, p[max(0, n-zstd.HeaderMaxSize):n]...)
	t.last = append(t.last[:0], t.last[max(0, len(t.last)-zstd.HeaderMaxSize):]...)
	return n, err
}

// window is that of the frame whose header was read last; 0 if none was.
func (t *tail) window() uint64 {
	var h zstd.Header
	at := bytes.LastIndex(t.last, zstdMagic)
	switch {
	case at < 0 || h.Decode(t.last[at:]) != nil:
		return 0
	case h.SingleSegment:
		return h.FrameContentSize
	}
	return h.WindowSize
}

// A windowError says that a zstd frame needs more memory than it may.
type windowError struct{ window uint64 }

func (e *windowError) Error() string {
	return fmt.Sprintf("it was compressed with a window of %d MiB; expected at most %d", e.window>>20, zstdWindow>>20)
}
