package parquet

import (
	"hash/crc32"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/sources/files"
)

// A pages reads the pages of a chunk in order.
type pages struct {
	in    io.Reader
	left  int64  // bytes of the chunk that are not in buf
	buf   []byte // bytes read ahead
	at    int    // offset of the unread bytes in buf
	body  []byte // the last page, if it is longer than buf
	plain int64  // decompressed bytes that the remaining pages may have
}

// Bytes that are read for a page header, at first and at most. A header contains the minimum and
// the maximum value of the page, which may be long.
const (
	firstHeaderRead = 4 << 10
	maxHeaderRead   = 16 << 20
)

// header returns the header of the next page, or io.EOF after the last one. The caller reads or
// skips the body of a page before it asks for the next header.
func (p *pages) header() (*format.PageHeader, error) {
	h := new(format.PageHeader)
	for size := firstHeaderRead; ; size *= 8 {
		// A header does not say its size, which is large with statistics: read more until it is complete.
		if err := p.fill(size); err != nil {
			return nil, err
		}
		rest := p.buf[p.at:]
		if len(rest) == 0 {
			return nil, io.EOF
		}
		n, err := decode(rest, h)
		if err == nil {
			p.at += n
			break
		}
		if err != errTruncated || p.left == 0 || size >= maxHeaderRead {
			return nil, damaged("the header of a page cannot be read: %v", err)
		}
	}
	if err := p.check(h); err != nil {
		return nil, err
	}
	return h, nil
}

// readBody returns the bytes of a page, which are valid until the next header.
func (p *pages) readBody(h *format.PageHeader) ([]byte, error) {
	body, err := p.next(int(h.CompressedPageSize))
	// 0 is a page without a checksum.
	if err == nil && h.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		err = damaged("a page has another checksum than its header says")
	}
	return body, err
}

// skipBody skips the bytes of a page.
func (p *pages) skipBody(h *format.PageHeader) error {
	for left := int(h.CompressedPageSize); left > 0; {
		if p.at == len(p.buf) {
			if err := p.fill(firstHeaderRead); err != nil {
				return err
			}
		}
		n := min(left, len(p.buf)-p.at)
		p.at, left = p.at+n, left-n
	}
	return nil
}

// check rejects a header that claims more bytes than the chunk has left.
func (p *pages) check(h *format.PageHeader) error {
	left := int64(len(p.buf)-p.at) + p.left
	if size := int64(h.CompressedPageSize); size < 0 || size > left {
		return damaged("a page claims %d bytes, and %d are left of its column", size, left)
	}
	size := int64(h.UncompressedPageSize)
	if p.plain -= size; size < 0 || p.plain < 0 {
		return damaged("a page claims %d bytes when decompressed, more than the footer says of its column", size)
	}
	return nil
}

// fill reads ahead until buf has size unread bytes, or the chunk ends.
func (p *pages) fill(size int) error {
	have := len(p.buf) - p.at
	if have >= size || p.left == 0 {
		return nil
	}
	p.buf = p.buf[:copy(p.buf, p.buf[p.at:])]
	p.at = 0
	n := int(min(int64(size-have), p.left))
	p.buf = slices.Grow(p.buf, n)[:have+n]
	return p.read(p.buf[have:])
}

// read fills dst with bytes of the chunk.
func (p *pages) read(dst []byte) error {
	if _, err := io.ReadFull(p.in, dst); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = files.ErrChanged
		}
		return err
	}
	p.left -= int64(len(dst))
	return nil
}

// next returns the next n bytes, which must exist.
func (p *pages) next(n int) ([]byte, error) {
	have := p.buf[p.at:]
	if n <= len(have) {
		p.at += n
		return have[:n], nil
	}
	p.body = slices.Grow(p.body[:0], n)[:n]
	copy(p.body, have)
	p.at = len(p.buf)
	return p.body, p.read(p.body[len(have):])
}
