package arrayrecord

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// errCut says that the file ends within a chunk.
var errCut = errors.New("the file ends here")

// maxHead is how many bytes the header of a chunk takes at most, with that of the
// block that may begin in it.
const maxHead = ChunkHeaderSize + BlockHeaderSize

// blocks read the chunks of a file in order.
type blocks struct {
	in *bufio.Reader
	at int64 // where in stands in the file
}

// peek returns the next bytes, n or as many as there are; none is io.EOF.
func (b *blocks) peek(n int) ([]byte, error) {
	head, err := b.in.Peek(n)
	if err == io.EOF && len(head) > 0 {
		err = nil
	}
	return head, err
}

// skip passes n bytes, or as many as there are.
func (b *blocks) skip(n int64) error {
	for n > 0 {
		k, err := b.in.Discard(int(min(n, math.MaxInt32)))
		b.at += int64(k)
		n -= int64(k)
		if err == io.EOF {
			return errCut
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// head is the header of a chunk, as it stands in the file.
type head struct {
	ChunkHeader
	ok    bool  // the hash is right
	size  int64 // with the header of a block in it; 0 where the file ends before
	block []byte
	cut   int64 // where that is; or -1
}

// head looks at the header of the chunk that begins here. No byte is io.EOF.
func (b *blocks) head() (h head, err error) {
	text, err := b.peek(maxHead)
	if err != nil {
		return h, err
	}
	room := int((BlockSize - b.at%BlockSize) % BlockSize) // before the next header of a block
	h.cut = -1
	var whole [ChunkHeaderSize]byte
	switch {
	case room >= ChunkHeaderSize && len(text) >= ChunkHeaderSize:
		copy(whole[:], text)
		h.size = ChunkHeaderSize
	case room < ChunkHeaderSize && len(text) == maxHead:
		copy(whole[:], text[:room])
		copy(whole[room:], text[room+BlockHeaderSize:])
		h.size, h.cut = maxHead, b.at+int64(room)
		h.block = text[room:][:BlockHeaderSize]
	default:
		return h, nil
	}
	h.ChunkHeader, h.ok = parseChunkHeader(whole[:])
	return h, nil
}

// read fills dst with bytes of a chunk, and checks the headers of blocks between
// them.
func (b *blocks) read(dst []byte, c *chunk) error {
	for len(dst) > 0 {
		if err := b.header(c); err != nil {
			return err
		}
		n, err := io.ReadFull(b.in, dst[:min(int64(len(dst)), BlockSize-b.at%BlockSize)])
		b.at += int64(n)
		dst = dst[n:]
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return errCut
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// header passes the header of a block, if one begins here.
func (b *blocks) header(c *chunk) error {
	if b.at%BlockSize != 0 {
		return nil
	}
	text, err := b.peek(BlockHeaderSize)
	switch {
	case err == io.EOF, err == nil && len(text) < BlockHeaderSize:
		return errCut
	case err != nil:
		return err
	}
	c.checkBlock(b.at, text)
	return b.skip(BlockHeaderSize)
}

// zeros passes what is between the data of a chunk and its end.
func (b *blocks) zeros(c *chunk) error {
	for b.at < c.end {
		if err := b.header(c); err != nil {
			return err
		}
		n := min(c.end-b.at, BlockSize-b.at%BlockSize, 4096)
		text, err := b.peek(int(n))
		if err == io.EOF {
			err = errCut
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

// search moves to the next header of a chunk whose hash is right; io.EOF says that
// there is none. The header of a block tells where the next chunk is, so that what
// a damaged chunk holds is not searched further.
func (b *blocks) search() error {
	if b.at%BlockSize != 0 {
		if err := b.step(1); err != nil {
			return err // no chunk begins here, whatever stands there
		}
	}
	for {
		next := int64(1)
		if b.at%BlockSize == 0 {
			text, err := b.peek(BlockHeaderSize)
			if err != nil {
				return err
			}
			if n, ok := untilNext(text); ok {
				next = n
			}
		}
		if begins, err := b.begins(); err != nil || begins {
			return err
		}
		if err := b.step(next); err != nil {
			return err
		}
	}
}

// begins reports whether a chunk begins here.
func (b *blocks) begins() (bool, error) {
	const typeAt = 24
	if room := BlockSize - b.at%BlockSize; ChunkHeaderSize <= room && room < BlockSize {
		text, err := b.peek(typeAt + 1)
		if err != nil || len(text) <= typeAt || !ChunkType(text[typeAt]).isKnown() {
			return false, err // at once: nearly all places are such
		}
	}
	h, err := b.head()
	return h.ok && h.plausible(), err
}

// step passes n bytes of what is searched.
func (b *blocks) step(n int64) error {
	err := b.skip(n)
	if err == errCut {
		return io.EOF
	}
	return err
}

// untilNext is how many bytes from the header of a block on the next chunk begins.
func untilNext(text []byte) (n int64, ok bool) {
	if len(text) < BlockHeaderSize {
		return 0, false
	}
	h, ok := parseBlockHeader(text)
	return int64(h.until), ok && 0 < h.until && h.until < math.MaxInt64/2
}
