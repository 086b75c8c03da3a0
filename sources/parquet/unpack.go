package parquet

import (
	"bytes"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// An unpacker decompresses pages. What a page claims to be is believed only as far as
// what has been decompressed of it goes.
type unpacker struct {
	zstd   *zstd.Decoder
	gzip   *gzip.Reader
	brotli *brotli.Reader
}

// mostRatio is how many bytes a byte of a codec can stand for; 0 of those for which
// there is no bound.
func mostRatio(c format.CompressionCodec) int {
	switch c {
	case format.Snappy: // copies of 64 bytes, of three each
		return 22
	case format.Lz4Raw:
		return 255
	case format.Gzip:
		return 1032
	}
	return 0
}

// unpack appends a page of size bytes, decompressed, to dst.
func (u *unpacker) unpack(dst []byte, c format.CompressionCodec, packed []byte, size int) ([]byte, error) {
	if ratio := mostRatio(c); ratio > 0 && size/ratio > len(packed)+64 {
		return dst, damaged("a page claims %d bytes in %d compressed ones, more than there can be", size, len(packed))
	}
	switch c {
	case format.Snappy:
		return u.unpackSnappy(dst, packed, size)
	case format.Lz4Raw:
		dst = grown(dst, size)
		n, err := lz4.UncompressBlock(packed, dst[len(dst):len(dst)+size])
		return checked(dst, n, size, err)
	case format.Zstd:
		return u.unpackZstd(dst, packed, size)
	case format.Gzip:
		return readOpened(dst, packed, size, u.openGzip)
	case format.Brotli:
		return readOpened(dst, packed, size, u.openBrotli)
	}
	return dst, unsupported("is compressed with %s; expected none, snappy, gzip, brotli, lz4_raw or zstd", c)
}

// checked is dst with n bytes more, which have to be size.
func checked(dst []byte, n, size int, err error) ([]byte, error) {
	switch {
	case err != nil:
		return dst, damaged("a page cannot be decompressed: %v", err)
	case n != size:
		return dst, damaged("a page has %d bytes when decompressed, and claims %d", n, size)
	}
	return dst[:len(dst)+n], nil
}

func (u *unpacker) unpackSnappy(dst, packed []byte, size int) ([]byte, error) {
	n, err := snappy.DecodedLen(packed)
	if err != nil || n != size {
		return checked(dst, n, size, err)
	}
	dst = grown(dst, size)
	_, err = snappy.Decode(dst[len(dst):len(dst)+size], packed)
	return checked(dst, n, size, err)
}

// makeZstd makes the decoder.
func (u *unpacker) makeZstd() (err error) {
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
	}
	return err
}

func (u *unpacker) openZstd(packed []byte) (io.Reader, error) {
	if err := u.makeZstd(); err != nil {
		return nil, err
	}
	return u.zstd, u.zstd.Reset(bytes.NewReader(packed))
}

// closeZstd ends a stream, read or not: until then DecodeAll waits for its decoder.
func (u *unpacker) closeZstd() {
	if u.zstd != nil {
		_ = u.zstd.Reset(nil) // which is no error without a reader
	}
}

func (u *unpacker) unpackZstd(dst, packed []byte, size int) ([]byte, error) {
	if err := u.makeZstd(); err != nil {
		return dst, err
	}
	if size <= usualRatio*len(packed) {
		dst = grown(dst, size)
		from := len(dst)
		page, err := u.zstd.DecodeAll(packed, dst[from:from:from+size])
		return checked(dst, len(page), size, err)
	}
	defer u.closeZstd()
	return readOpened(dst, packed, size, u.openZstd)
}

// readOpened appends a page of size bytes that open decompresses.
func readOpened(dst, packed []byte, size int, open func([]byte) (io.Reader, error)) ([]byte, error) {
	r, err := open(packed)
	if err != nil {
		return checked(dst, 0, size, err)
	}
	return readExactly(dst, r, len(packed), size)
}

func (u *unpacker) openGzip(packed []byte) (_ io.Reader, err error) {
	in := bytes.NewReader(packed)
	if u.gzip == nil {
		u.gzip, err = gzip.NewReader(in)
	} else {
		err = u.gzip.Reset(in)
	}
	if err != nil {
		u.gzip = nil
	}
	return u.gzip, err
}

func (u *unpacker) openBrotli(packed []byte) (io.Reader, error) {
	in := bytes.NewReader(packed)
	if u.brotli == nil {
		u.brotli = brotli.NewReader(in)
		return u.brotli, nil
	}
	return u.brotli, u.brotli.Reset(in)
}

// beginning is the first bytes of a page, decompressed; none of a codec whose pages can
// only be decompressed whole.
func (u *unpacker) beginning(c format.CompressionCodec, packed []byte) []byte {
	const enough = 64
	var r io.Reader
	var err error
	switch c {
	case format.Uncompressed:
		return packed[:min(enough, len(packed))]
	case format.Zstd:
		r, err = u.openZstd(packed)
		defer u.closeZstd()
	case format.Gzip:
		r, err = u.openGzip(packed)
	case format.Brotli:
		r, err = u.openBrotli(packed)
	default:
		return nil
	}
	begin := make([]byte, enough)
	if err == nil {
		_, err = io.ReadFull(r, begin)
	}
	if err != nil {
		return nil
	}
	return begin
}

// usualRatio is how many times longer than compressed a page is believed to be.
const usualRatio = 64

// mostWindow is how far back a page of zstd may refer.
const mostWindow = 128 << 20

// believedPart is which part of a page has to come before there is memory for all of it.
const believedPart = 8

// readExactly appends size bytes of a stream, which ends with them. Memory is taken as
// they come, beyond what compressed pages usually are.
func readExactly(dst []byte, r io.Reader, packed, size int) ([]byte, error) {
	from, step := len(dst), min(size, usualRatio*packed+4096)
	for got := 0; got < size; {
		if step = min(step, size-got); got >= size/believedPart {
			step = size - got
		}
		dst = grown(dst, step)
		n, err := io.ReadFull(r, dst[len(dst):len(dst)+step])
		if err != nil {
			return checked(dst[:from], got+n, size, err)
		}
		got, dst, step = got+n, dst[:len(dst)+n], 2*step
	}
	var more [1]byte
	switch n, err := io.ReadFull(r, more[:]); {
	case n > 0:
		return dst[:from], damaged("a page has more than %d bytes when decompressed", size)
	case err != io.EOF:
		return dst[:from], damaged("a page cannot be decompressed: %v", err)
	}
	return dst, nil
}
