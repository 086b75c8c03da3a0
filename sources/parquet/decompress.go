package parquet

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"tfr-build/sources/compress"
)

// A decompressor decompresses pages. It allocates memory for the claimed size of a page only as
// decompressed bytes arrive.
type decompressor struct {
	zstd   *zstd.Decoder
	gzip   gzip.Reader
	brotli brotli.Reader
}

// maxRatio returns the maximum number of bytes that a compressed byte of a codec can represent.
// It is 0 for codecs without a bound.
func maxRatio(c format.CompressionCodec) int {
	switch c {
	case format.Snappy: // three bytes encode a copy of 64 bytes
		return 22
	case format.Lz4Raw: // each byte of a length adds up to 255 bytes
		return 255
	case format.Gzip: // two bits of deflate stand for up to 258 bytes
		return 1032
	}
	return 0
}

// decompress appends a page of size decompressed bytes to dst.
func (u *decompressor) decompress(dst []byte, c format.CompressionCodec, packed []byte, size int) ([]byte, error) {
	if ratio := maxRatio(c); ratio > 0 && size/ratio > len(packed)+64 {
		return dst, damaged("a page claims %d bytes in %d compressed ones, more than there can be", size, len(packed))
	}
	switch c {
	case format.Snappy:
		return u.decompressSnappy(dst, packed, size)
	case format.Lz4Raw:
		dst = slices.Grow(dst, size+1) // the decoder writes through a nil slice
		n, err := lz4.UncompressBlock(packed, dst[len(dst):len(dst)+size])
		return checkSize(dst, n, size, err)
	case format.Zstd:
		return u.decompressZstd(dst, packed, size)
	case format.Gzip, format.Brotli:
		return u.decompressStream(dst, c, packed, size)
	}
	return dst, unsupported("is compressed with %s; expected none, snappy, gzip, brotli, lz4_raw or zstd", c)
}

// checkSize returns dst extended by n bytes. It is an error if n is not size.
func checkSize(dst []byte, n, size int, err error) ([]byte, error) {
	switch {
	case err != nil:
		return dst, damaged("a page cannot be decompressed: %v", err)
	case n != size:
		return dst, damaged("a page has %d bytes when decompressed, and claims %d", n, size)
	}
	return dst[:len(dst)+n], nil
}

func (u *decompressor) decompressSnappy(dst, packed []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(packed)
	if err != nil || n != size {
		return checkSize(dst, n, size, err)
	}
	dst = slices.Grow(dst, size)
	_, err = snappy.Decode(dst[len(dst):len(dst)+size], packed)
	return checkSize(dst, n, size, err)
}

// makeZstd creates the zstd decoder when it is first used.
func (u *decompressor) makeZstd() {
	if u.zstd == nil {
		u.zstd, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow),
			zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true)) // only an invalid option fails
	}
}

func (u *decompressor) decompressZstd(dst, packed []byte, size int) ([]byte, error) {
	if size > compress.TrustedRatio*len(packed) {
		return u.decompressStream(dst, format.Zstd, packed, size)
	}
	u.makeZstd()
	dst = slices.Grow(dst, size)
	from := len(dst)
	page, err := u.zstd.DecodeAll(packed, dst[from:from:from+size])
	return checkSize(dst, len(page), size, err)
}

// decompressStream appends a page of size bytes, of a codec that open has.
func (u *decompressor) decompressStream(dst []byte, c format.CompressionCodec, packed []byte, size int) (
	[]byte, error) {
	defer u.close()
	r, err := u.open(c, packed)
	if err != nil {
		return checkSize(dst, 0, size, err)
	}
	page, err := compress.AppendExactly(dst, r, len(packed), size)
	if err == compress.ErrLong {
		return dst, damaged("a page has more than %d bytes when decompressed", size)
	}
	return checkSize(page[:len(dst)], len(page)-len(dst), size, err)
}

// open returns a stream of a page's decompressed bytes, until close.
func (u *decompressor) open(c format.CompressionCodec, packed []byte) (io.Reader, error) {
	in := bytes.NewReader(packed)
	switch c {
	case format.Zstd:
		u.makeZstd()
		return u.zstd, u.zstd.Reset(in)
	case format.Gzip:
		return &u.gzip, u.gzip.Reset(in)
	case format.Brotli:
		return &u.brotli, u.brotli.Reset(in)
	}
	return nil, errors.ErrUnsupported
}

// close ends a stream, even if it was not read completely. Until then DecodeAll would wait for the
// stream's decoder.
func (u *decompressor) close() {
	if u.zstd != nil {
		_ = u.zstd.Reset(nil) // Reset without a reader does not fail
	}
}

// readBeginning returns the first decompressed bytes of a page. It returns nil for a codec whose
// pages can only be decompressed completely.
func (u *decompressor) readBeginning(c format.CompressionCodec, packed []byte) []byte {
	const enough = 64
	if c == format.Uncompressed {
		return packed[:min(enough, len(packed))]
	}
	defer u.close()
	begin := make([]byte, enough)
	r, err := u.open(c, packed)
	if err == nil {
		_, err = io.ReadFull(r, begin)
	}
	if err != nil {
		return nil
	}
	return begin
}

// maxWindow limits how far back a zstd page may refer, in bytes.
const maxWindow = 128 << 20
