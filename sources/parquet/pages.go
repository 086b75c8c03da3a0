package parquet

import (
	"hash/crc32"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/sources/files"
)

// A pages reads the pages of a chunk, one after another.
type pages struct {
	in    io.Reader
	left  int64  // bytes of the chunk that are not in buf
	buf   []byte // read ahead
	at    int    // of buf: what is not taken
	body  []byte // of the last page, where it is longer than buf
	plain int64  // bytes that all pages may have, decompressed
}

// How much is read for the header of a page, at first and at most. It holds the least
// and the greatest value of the page.
const (
	usualHeader = 4 << 10
	mostHeader  = 16 << 20
)

// header is the header of the next page; io.EOF follows the last. What the page holds is
// read, or passed, before the next header.
func (p *pages) header() (*format.PageHeader, error) {
	h := new(format.PageHeader)
	for size := usualHeader; ; size *= 8 {
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
		if err != io.ErrUnexpectedEOF && err != errCut || p.left == 0 || size >= mostHeader {
			return nil, damaged("the header of a page cannot be read: %v", err)
		}
	}
	if err := p.check(h); err != nil {
		return nil, err
	}
	return h, nil
}

// take is the bytes of a page, which hold until the next header.
func (p *pages) take(h *format.PageHeader) ([]byte, error) {
	body, err := p.bytesOf(int(h.CompressedPageSize))
	if err == nil && h.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		err = damaged("a page has another checksum than its header says")
	}
	return body, err
}

// pass passes the bytes of a page.
func (p *pages) pass(h *format.PageHeader) error {
	for left := int(h.CompressedPageSize); left > 0; {
		if p.at == len(p.buf) {
			if err := p.fill(usualHeader); err != nil {
				return err
			}
		}
		n := min(left, len(p.buf)-p.at)
		p.at, left = p.at+n, left-n
	}
	return nil
}

// check refuses a header that claims more than the chunk has.
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

// fill reads ahead, so that buf has size bytes or all that are left.
func (p *pages) fill(size int) error {
	have := len(p.buf) - p.at
	if have >= size || p.left == 0 {
		return nil
	}
	p.buf = p.buf[:copy(p.buf, p.buf[p.at:])]
	p.at = 0
	n := int(min(int64(size-have), p.left))
	p.buf = grown(p.buf, n)
	return p.read(p.buf[have:have+n], func() { p.buf = p.buf[:have+n] })
}

// read reads bytes of the chunk and, if all are there, calls done.
func (p *pages) read(dst []byte, done func()) error {
	if _, err := io.ReadFull(p.in, dst); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = files.ErrChanged
		}
		return err
	}
	p.left -= int64(len(dst))
	done()
	return nil
}

// bytesOf is the next n bytes, which exist.
func (p *pages) bytesOf(n int) ([]byte, error) {
	have := p.buf[p.at:]
	if n <= len(have) {
		p.at += n
		return have[:n], nil
	}
	p.body = grown(p.body[:0], n)[:n]
	copy(p.body, have)
	p.at = len(p.buf)
	return p.body, p.read(p.body[len(have):], func() {})
}
