package arrayrecord

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// errTruncated means that the file ends within a chunk.
var errTruncated = errors.New("the file ends here")

// maxHeader is the largest size of a chunk header, with the block header that may interrupt it.
const maxHeader = chunkHeaderSize + blockHeaderSize

// blocks reads the chunks of a file in order.
type blocks struct {
	in *bufio.Reader
	at int64 // offset of in in the file
}

// peek returns the next bytes without consuming them: n, or fewer at the end of the file. Without
// any bytes, it returns io.EOF.
func (b *blocks) peek(n int) ([]byte, error) {
	head, err := b.in.Peek(n)
	if err == io.EOF && len(head) > 0 {
		err = nil
	}
	return head, err
}

// skip skips n bytes. It returns errTruncated if the file ends before.
func (b *blocks) skip(n int64) error {
	for n > 0 {
		k, err := b.in.Discard(int(min(n, math.MaxInt32)))
		b.at += int64(k)
		n -= int64(k)
		if err == io.EOF {
			return errTruncated
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A head is the header of a chunk in the file.
type head struct {
	chunkHeader
	ok    bool  // the hash is valid
	size  int64 // including a block header within it; 0 if the file ends before
	block []byte
	cut   int64 // offset of that block header, or -1
}

// peekHead decodes the header of the chunk that begins here without consuming it. At the end of the
// file it returns io.EOF.
func (b *blocks) peekHead() (h head, err error) {
	text, err := b.peek(maxHeader)
	if err != nil {
		return h, err
	}
	room := int((blockSize - b.at%blockSize) % blockSize) // bytes before the next block header
	h.cut = -1
	var header [chunkHeaderSize]byte
	switch {
	case room >= chunkHeaderSize && len(text) >= chunkHeaderSize:
		copy(header[:], text)
		h.size = chunkHeaderSize
	case room < chunkHeaderSize && len(text) == maxHeader:
		copy(header[:], text[:room])
		copy(header[room:], text[room+blockHeaderSize:])
		h.size, h.cut = maxHeader, b.at+int64(room)
		h.block = text[room:][:blockHeaderSize]
	default:
		return h, nil
	}
	h.chunkHeader, h.ok = parseChunkHeader(header[:])
	return h, nil
}

// read fills dst with bytes of a chunk, and checks the block headers between them.
func (b *blocks) read(dst []byte, c *chunk) error {
	for len(dst) > 0 {
		if err := b.skipBlockHeader(c); err != nil {
			return err
		}
		n, err := io.ReadFull(b.in, dst[:min(int64(len(dst)), blockSize-b.at%blockSize)])
		b.at += int64(n)
		dst = dst[n:]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return errTruncated
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skipBlockHeader checks and skips a block header, if one begins here.
func (b *blocks) skipBlockHeader(c *chunk) error {
	if b.at%blockSize != 0 {
		return nil
	}
	text, err := b.peek(blockHeaderSize)
	switch {
	case err == io.EOF, err == nil && len(text) < blockHeaderSize:
		return errTruncated
	case err != nil:
		return err
	}
	c.checkBlock(b.at, text)
	return b.skip(blockHeaderSize)
}

// skipPadding checks and skips the zeros between the data of a chunk and its end.
func (b *blocks) skipPadding(c *chunk) error {
	for b.at < c.end {
		if err := b.skipBlockHeader(c); err != nil {
			return err
		}
		n := min(c.end-b.at, blockSize-b.at%blockSize, 4096)
		text, err := b.peek(int(n))
		if err == io.EOF {
			err = errTruncated
		}
		if err != nil {
			return err
		}
		c.checkZeros(b.at, text)
		if err := b.skip(int64(len(text))); err != nil {
			return err
		}
	}
	return nil
}

// search moves to the next chunk header with a valid hash. It returns io.EOF if it finds none. A
// block header has the distance to the next chunk, so the rest of a damaged chunk is not searched.
func (b *blocks) search() error {
	if b.at%blockSize != 0 {
		if err := b.skipSearched(1); err != nil {
			return err // no chunk begins here, even if the bytes look like one
		}
	}
	for {
		next := int64(1)
		if b.at%blockSize == 0 {
			text, err := b.peek(blockHeaderSize)
			if err != nil {
				return err
			}
			if n, ok := nextChunk(text); ok {
				next = n
			}
		}
		if found, err := b.atChunk(); err != nil || found {
			return err
		}
		if err := b.skipSearched(next); err != nil {
			return err
		}
	}
}

// atChunk reports whether a chunk begins here.
func (b *blocks) atChunk() (bool, error) {
	const typeAt = 24
	if room := blockSize - b.at%blockSize; chunkHeaderSize <= room && room < blockSize {
		text, err := b.peek(typeAt + 1)
		if err != nil || len(text) <= typeAt || !chunkType(text[typeAt]).isKnown() {
			return false, err // without computing a hash: this rejects nearly all offsets
		}
	}
	h, err := b.peekHead()
	return h.ok && h.plausible(), err
}

// skipSearched skips n bytes during a search.
func (b *blocks) skipSearched(n int64) error {
	err := b.skip(n)
	if err == errTruncated {
		return io.EOF
	}
	return err
}

// nextChunk returns the distance from a block header to the next chunk. ok is false if the header
// is invalid.
func nextChunk(text []byte) (n int64, ok bool) {
	if len(text) < blockHeaderSize {
		return 0, false
	}
	h, ok := parseBlockHeader(text)
	return int64(h.until), ok && 0 < h.until && h.until < math.MaxInt64/2
}
