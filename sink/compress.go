package sink

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/flate"
)

// A Compression is the compression of a shard.
type Compression uint8

// The supported compressions.
const (
	None       Compression = iota
	Gzip                   // one member per block
	Zlib                   // one stream for all blocks
	GzipStream             // one member for all blocks, for readers that stop after the first member
)

// String returns the name that configs use.
func (c Compression) String() string { return [...]string{"none", "gzip", "zlib", "gzip"}[c] }

// level is the compression level of all shards. Another level would change the bytes of
// datasets.
const level = 6

// The fixed bytes of compressed shards, as RFC 1952 (gzip), RFC 1950 (zlib), and RFC 1951
// (deflate) define them.
const (
	gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"              // deflate, no name, no time, unknown system
	gzipEmpty  = gzipHeader + "\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00" // a member without content
	zlibHeader = "\x78\x9c"                                              // deflate, 32 KiB window, default level
	// an empty final block, which ends a deflate stream
	lastBlock = "\x03\x00"
)

// A Compressor compresses blocks. Each worker needs its own Compressor.
type Compressor struct {
	kind Compression
	w    *flate.Writer
	out  appender
	buf  []byte // the compressed block, valid until the next call
}

// NewCompressor returns a Compressor for shards with the given compression.
func NewCompressor(kind Compression) (*Compressor, error) {
	c := &Compressor{kind: kind}
	if kind == None {
		return c, nil
	}
	var err error
	c.w, err = flate.NewWriter(&c.out, level)
	return c, err
}

// Append compresses a block and appends it to dst, as the shard contains it. For gzip this is a
// member, and for zlib a part of the stream that ends at a byte boundary. The bytes depend only
// on src. An empty block adds no bytes.
func (c *Compressor) Append(dst, src []byte) ([]byte, error) {
	if c.kind == None || len(src) == 0 {
		return append(dst, src...), nil
	}
	if c.kind == Gzip {
		dst = append(dst, gzipHeader...)
	}
	dst, err := c.deflate(dst, src, c.kind == Gzip)
	if c.kind == Gzip {
		dst = appendGzipEnd(dst, crc32.ChecksumIEEE(src), int64(len(src)))
	}
	return dst, err
}

// deflate appends src as a deflate stream, or as a part of one that ends at a byte boundary.
func (c *Compressor) deflate(dst, src []byte, isLast bool) ([]byte, error) {
	c.out.buf = dst
	c.w.Reset(&c.out)
	_, err := c.w.Write(src)
	if err == nil && isLast {
		err = c.w.Close()
	} else if err == nil {
		err = c.w.Flush()
	}
	dst, c.out.buf = c.out.buf, nil
	return dst, err
}

// appendGzipEnd appends the end of a gzip member with the CRC-32 and the size of its content.
func appendGzipEnd(dst []byte, crc uint32, size int64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(dst, crc), uint32(size))
}

// compress returns the compressed block, which is valid until the next call.
func (c *Compressor) compress(kind Compression, src []byte) ([]byte, error) {
	if c.kind != kind {
		return nil, fmt.Errorf("a %s block for a %s shard", c.kind, kind)
	}
	// Growing step by step would take a multiple of a large block.
	out, err := c.Append(slices.Grow(c.buf[:0], len(src)+len(src)/64), src)
	c.buf = out
	return out, err
}

// An appender is an io.Writer that appends to a slice.
type appender struct{ buf []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.buf = append(a.buf, p...)
	return len(p), nil
}
