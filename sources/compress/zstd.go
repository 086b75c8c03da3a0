package compress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the maximum window of a zstd frame in bytes.
const zstdWindow = 128 << 20

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// zstdSkippable is the end of the magic number of a skippable frame, after a byte from 0x50 to
// 0x5f. Files of pzstd begin with one.
const zstdSkippable = "\x2a\x4d\x18"

// A zstdReader decompresses zstd. It distinguishes a frame whose window is too large from a damaged
// one; the zstd package has the same error for both.
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

// A tail stores the last bytes that were read. When the decoder rejects a frame, it has read the
// frame's header and nothing after it.
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

// window returns the window size in bytes of the frame whose header was read last, or 0.
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

// A windowError says that a zstd frame has too large a window.
type windowError struct{ window uint64 }

func (e *windowError) Error() string {
	return fmt.Sprintf("it was compressed with a window of %d MiB; expected at most %d", e.window>>20, zstdWindow>>20)
}
