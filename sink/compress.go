package sink

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/klauspost/compress/flate"
)

// A Compression is the way in which a shard is compressed.
type Compression uint8

// The compressions.
const (
	None Compression = iota
	Gzip             // a member a block
	Zlib             // one stream
)

// String gives the name that a config uses.
func (c Compression) String() string { return [...]string{"none", "gzip", "zlib"}[c] }

// level is the one level of compression. It decides bytes of datasets.
const level = 6

// The fixed bytes of compressed shards.
const (
	gzipHead  = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"            // deflate, no name, no time, unknown system
	gzipEmpty = gzipHead + "\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00" // a member without content
	zlibHead  = "\x78\x9c"                                            // deflate, window of 32 KiB, default level
	lastBlock = "\x03\x00"                                            // ends a deflate stream, no content
)

// A Compressor compresses blocks. Each worker has its own.
type Compressor struct {
	kind Compression
	w    *flate.Writer
	out  appender
	buf  []byte // a block, compressed: valid until the next one
}

// NewCompressor returns a Compressor for shards of one kind.
func NewCompressor(kind Compression) (*Compressor, error) {
	c := &Compressor{kind: kind}
	if kind == None {
		return c, nil
	}
	var err error
	c.w, err = flate.NewWriter(&c.out, level)
	return c, err
}

// Append appends a block as it is in a shard to dst: for gzip a member, for
// zlib a piece of the stream that ends at a byte. The bytes depend on src alone.
// A block without bytes is nothing.
func (c *Compressor) Append(dst, src []byte) ([]byte, error) {
	if c.kind == None || len(src) == 0 {
		return append(dst, src...), nil
	}
	if c.kind == Gzip {
		dst = append(dst, gzipHead...)
	}
	c.out.buf = dst
	c.w.Reset(&c.out)
	_, err := c.w.Write(src)
	if err == nil && c.kind == Gzip {
		err = c.w.Close()
	} else if err == nil {
		err = c.w.Flush()
	}
	dst, c.out.buf = c.out.buf, nil
	if c.kind == Gzip {
		dst = binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(src))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(src)))
	}
	return dst, err
}

// maxKept is the largest buffer that is kept for the next block.
const maxKept = 4 << 20

// compress returns a block as it is in a shard. It is valid until the next one.
func (c *Compressor) compress(kind Compression, src []byte) ([]byte, error) {
	if c.kind != kind {
		return nil, fmt.Errorf("a %s block for a %s shard", c.kind, kind)
	}
	if cap(c.buf) > maxKept {
		c.buf = nil
	}
	out, err := c.Append(c.buf[:0], src)
	c.buf = out
	return out, err
}

// appender is a writer into a slice.
type appender struct{ buf []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.buf = append(a.buf, p...)
	return len(p), nil
}
