package csv

import (
	"bytes"
	"math/bits"

	"tfr-build/internal/bytemask"
	"tfr-build/schema"
)

// rowBlocks is how many blocks of a record are made at a time.
const rowBlocks = 4

// masked is fast by masks of 64 bytes. It returns 0 where fast has to look: if a
// quote is illegal, if there are more or fewer cells than asked for, or if the end
// of the record is in the last bytes of the memory that data is in: blocks reach beyond
// data, as far as its capacity, and what they find there is not used.
func (s *Scanner) masked(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	if room := len(cells) + bytemask.Size; len(s.ends) < room {
		s.ends = make([]int, room) // for all bits of the last block
	}
	n, quoted := s.findEnds(data[:min(cap(data), len(data)+bytemask.Size-1)], len(cells))
	if n == 0 || n > len(data) {
		return 0, 0
	}
	ends, start := s.ends[:len(cells)], 0
	if n > 1 && data[n-2] == '\r' {
		ends[len(ends)-1]--
	}
	for i, slot := range cells {
		end := ends[i]
		if slot >= 0 {
			v := &vals[slot]
			if quoted && start < end && data[start] == '"' {
				s.quotedText(v, data, start, end)
			} else {
				put(v, data, start, end)
			}
		}
		start = end + 1
	}
	return n, len(cells)
}

// findEnds sets the ends of the cells of the record that data begins with. It returns
// the record's length, 0 if it has not as many cells, and whether it has quotes.
func (s *Scanner) findEnds(data []byte, cells int) (n int, quoted bool) {
	q := quoting{opener: 1}
	found := 0
	for base := 0; ; {
		made := bytemask.Line(s.blocks[:], data[base:], byte(s.delim))
		if made == 0 {
			return 0, false
		}
		for i := range s.blocks[:made] {
			b := &s.blocks[i]
			within := uint64(0)
			if s.quote != lfs && b.Quote|q.within|q.closed|q.cr != 0 {
				var illegal uint64
				if q, within, illegal = q.next(b); illegal != 0 {
					return 0, false
				}
				quoted = true
			}
			q.opener = (b.Delim | b.Quote) >> 63
			lf := b.LF &^ within
			if lf == 0 {
				if found += places(s.ends[found:], base, b.Delim&^within); found > cells {
					return 0, false
				}
				base += bytemask.Size
				continue
			}
			if found += places(s.ends[found:], base, (b.LF|b.Delim)&^within&upTo(lf)); found != cells {
				return 0, false
			}
			return base + bits.TrailingZeros64(lf) + 1, quoted
		}
	}
}

// places writes where the bits of the mask are, base being bit 0, and returns how
// many. It always writes eight, or sixteen, and so on: this costs less than to foresee
// wrongly how many.
func places(dst []int, base int, mask uint64) int {
	for m := mask; ; dst = dst[8:] {
		d := (*[8]int)(dst)
		for i := range d {
			d[i] = base + bits.TrailingZeros64(m)
			m &= m - 1
		}
		if m == 0 {
			return bits.OnesCount64(mask)
		}
	}
}

// quotedText sets the value of a quoted cell in which no quote is illegal.
func (s *Scanner) quotedText(v *schema.Value, data []byte, start, end int) {
	text := data[start+1 : end-1]
	if bytes.IndexByte(text, '"') >= 0 {
		text = s.unescape(text)
	}
	v.Text, v.At, v.Kind = text, uint32(start), schema.Text
}

// A quoting is what has been seen of a record's quotes up to a block. Its masks
// have bit 0, or none: they say what the first byte of the block follows.
type quoting struct {
	within uint64 // all bits: a quoted cell is open
	opener uint64 // a quote may open here: after nothing, a delimiter or a quote
	closed uint64 // after a closing quote only a delimiter, a line end or a quote may stand
	cr     uint64 // after a closing quote and CR only LF may
}

// next is the quoting up to the next block, but for its opener, the bytes of the
// block that are within quotes, and which of those up to the record's end are
// against the rules.
func (q quoting) next(b *bytemask.Block) (then quoting, within, illegal uint64) {
	within = bytemask.Odd(b.Quote) ^ q.within
	opens, closes := b.Quote&within, b.Quote&^within
	after := closes<<1 | q.closed
	afterCR := after&b.CR<<1 | q.cr
	illegal = opens&^((b.Delim|b.Quote)<<1|q.opener) | after&^(b.LF|b.Delim|b.Quote|b.CR) | afterCR&^b.LF
	if lf := b.LF &^ within; lf != 0 {
		illegal &= upTo(lf)
	}
	then = quoting{within: uint64(int64(within) >> 63), closed: closes >> 63, cr: after & b.CR >> 63}
	return then, within, illegal
}

// upTo has all bits up to the lowest of the mask.
func upTo(mask uint64) uint64 { return mask ^ (mask - 1) }
