package csv

import (
	"math/bits"
	"unicode/utf8"

	"tfr-build/internal/bytemask"
)

// scanMasked does the work of scanPlain by masks, for the bytes from lo on that fill the blocks.
// With quotes, the delimiter must be a single byte. The range must not have a byte order mark.
func (c *Chunk) scanMasked(f *Format, data []byte, lo int, blocks []bytemask.Block) {
	hi := lo + len(blocks)*bytemask.Size
	seen := bytemask.Stretch(blocks, data[lo:hi], f.delimiter()[0])
	var ask Check
	if seen&bytemask.NUL != 0 {
		c.check |= CheckNUL
	}
	if seen&bytemask.NonASCII != 0 || hi < len(data) && !utf8.RuneStart(data[hi]) {
		ask |= CheckUTF8
	}
	if seen&bytemask.CR != 0 {
		ask |= CheckCR
	}
	c.check |= inspect(data, lo, hi, ask&^c.check)
	odd := uint64(c.parity)
	if f.Quotes {
		odd = c.checkBlockQuotes(f, data, lo, blocks)
	}
	for i := range blocks {
		b := &blocks[i]
		within := b.Quote
		if !f.Quotes {
			within = 0
		}
		for lf := b.LF; lf != 0; lf &= lf - 1 {
			k := bits.TrailingZeros64(lf)
			if at := lo + i*bytemask.Size + k + 1; at < c.hi {
				c.addStart(data, at, int(within>>k&1))
			}
		}
	}
	c.parity = int(odd)
}

// checkBlockQuotes finds illegal quotes in the blocks of data from lo on. It replaces the quotes of
// each block by a mask of the bytes within quotes. A byte is within quotes if the chunk has an odd
// number of quotes up to it. The result is the parity after all blocks.
func (c *Chunk) checkBlockQuotes(f *Format, data []byte, lo int, blocks []bytemask.Block) (parity uint64) {
	parity = uint64(c.parity)
	before := bit(f.mayOpen(data, lo))
	for i := range blocks {
		b := &blocks[i]
		q, stops := b.Quote, b.LF|b.Delim|b.Quote
		b.Quote = -parity
		if q != 0 {
			b.Quote ^= bytemask.Odd(q)
			parity = b.Quote >> 63
			at := lo + i*bytemask.Size
			var next bytemask.Block // the bytes after this block
			if i+1 < len(blocks) {
				next = blocks[i+1]
			} else {
				next = firstTwo(data[at+bytemask.Size:], f.delimiter())
			}
			crlf := b.CR & (b.LF>>1 | next.LF<<63)
			after := next.LF | next.Delim | next.Quote | next.CR&(next.LF>>1)
			cannotOpen := q &^ (stops<<1 | before)
			cannotClose := q &^ ((stops|crlf)>>1 | after<<63)
			c.recordIllegal(0, at, cannotOpen&b.Quote|cannotClose&^b.Quote)
			c.recordIllegal(1, at, cannotOpen&^b.Quote|cannotClose&b.Quote)
		}
		before = stops >> 63
	}
	return parity
}

// recordIllegal records the first illegal quote of the block at the offset, under assumption p.
func (c *Chunk) recordIllegal(p, at int, illegal uint64) {
	if illegal != 0 && c.illegal[p] < 0 {
		c.illegal[p] = at + bits.TrailingZeros64(illegal)
	}
}

// firstTwo returns a block in which only the first two bytes are set. The end of the file counts as
// a delimiter.
func firstTwo(rest []byte, delim string) (b bytemask.Block) {
	switch {
	case len(rest) == 0 || hasPrefix(rest, delim):
		b.Delim = 1
	case rest[0] == '"':
		b.Quote = 1
	case lineEnd(rest) == 1:
		b.LF = 1
	case lineEnd(rest) == 2:
		b.CR, b.LF = 1, 2
	}
	return b
}

func bit(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}
