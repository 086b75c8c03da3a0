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
	bytes int64  // that all pages may have, decompressed
}

// How much is read for the header of a page, at first and at most. It holds the least
// and the greatest value of the page.
const (
	usualHeader = 4 << 10
	mostHeader  = 16 << 20
)

// next is the next page: its header, and its bytes, which hold until the page after.
// io.EOF follows the last.
func (p *pages) next() (*format.PageHeader, []byte, error) {
	h := new(format.PageHeader)
	for size := usualHeader; ; size *= 8 {
		if err := p.fill(size); err != nil {
			return nil, nil, err
		}
		rest := p.buf[p.at:]
		if len(rest) == 0 {
			return nil, nil, io.EOF
		}
		n, err := decode(rest, h)
		if err == nil {
			p.at += n
			break
		}
		if err != io.ErrUnexpectedEOF && err != errCut || p.left == 0 || size >= mostHeader {
			return nil, nil, damaged("the header of a page cannot be read: %v", err)
		}
	}
	if err := p.check(h); err != nil {
		return nil, nil, err
	}
	body, err := p.take(int(h.CompressedPageSize))
	if err == nil && h.CRC != 0 && crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		err = damaged("a page has another checksum than its header says")
	}
	return h, body, err
}

// check refuses a header that claims more than the chunk has.
func (p *pages) check(h *format.PageHeader) error {
	left := int64(len(p.buf)-p.at) + p.left
	if size := int64(h.CompressedPageSize); size < 0 || size > left {
		return damaged("a page claims %d bytes, and %d are left of its column", size, left)
	}
	size := int64(h.UncompressedPageSize)
	if p.bytes -= size; size < 0 || p.bytes < 0 {
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

// take is the next n bytes, which there are.
func (p *pages) take(n int) ([]byte, error) {
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
