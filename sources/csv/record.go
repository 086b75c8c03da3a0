package csv

import (
	"bytes"
	"math/bits"

	"tfr-build/internal/bytemask"
	"tfr-build/schema"
)

// rowBlocks is how many blocks of a record are computed at a time.
const rowBlocks = 4

// scanMasked is scanCells with masks of 64 bytes, for a delimiter of one byte. It returns 0 if scanCells has to
// parse the record:
//
//   - A quote is illegal.
//   - The record does not have len(cells) cells.
//   - The end of the record is in the last bytes of the memory that data is in.
//
// The last block may reach beyond data, up to its capacity. Results from there are not used.
func (s *Scanner) scanMasked(data []byte, cells []int32, vals []schema.Value) (n, count int) {
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
				s.setQuoted(v, data, start, end)
			} else if put(v, data[start:end], start); s.trims {
				trim(v)
			}
		}
		start = end + 1
	}
	return n, len(cells)
}

// findEnds sets the ends of the cells of the record that data begins with. It returns the record's
// length, or 0 if the record has another number of cells, and whether the record has quotes.
func (s *Scanner) findEnds(data []byte, cells int) (n int, quoted bool) {
	q := quoting{opener: 1}
	found := 0
	for base := 0; ; {
		made := bytemask.Line(s.blocks[:], data[base:], s.delim)
		if made == 0 {
			return 0, false
		}
		for i := range s.blocks[:made] {
			b := &s.blocks[i]
			within := uint64(0)
			if s.quote != '\n' && b.Quote|q.within|q.closed|q.cr != 0 {
				var illegal uint64
				if q, within, illegal = q.next(b); illegal != 0 {
					return 0, false
				}
				quoted = true
			}
			q.opener = (b.Delim | b.Quote) >> 63
			lf := b.LF &^ within
			if lf == 0 {
				if found += putPositions(s.ends[found:], base, b.Delim&^within); found > cells {
					return 0, false
				}
				base += bytemask.Size
				continue
			}
			if found += putPositions(s.ends[found:], base, (b.LF|b.Delim)&^within&upTo(lf)); found != cells {
				return 0, false
			}
			return base + bits.TrailingZeros64(lf) + 1, quoted
		}
	}
}

// putPositions writes the positions of the mask's bits, where bit 0 is base, and returns how many
// bits are set. It always writes a multiple of eight: that costs less than a mispredicted branch.
func putPositions(dst []int, base int, mask uint64) int {
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

// setQuoted sets the value of a quoted cell without illegal quotes.
func (s *Scanner) setQuoted(v *schema.Value, data []byte, start, end int) {
	text := data[start+1 : end-1]
	if bytes.IndexByte(text, '"') >= 0 {
		text = s.unescape(text)
	}
	v.Text, v.At, v.Kind = text, uint32(start), schema.Text
}

// A quoting is the state of a record's quotes before a block. The masks other than within have at
// most bit 0 set: they say what comes before the first byte of the block.
type quoting struct {
	within uint64 // all bits set: a quoted cell is open
	opener uint64 // a quote may open a cell here: at the start, or after a delimiter or a quote
	closed uint64 // after a closing quote: a delimiter, a line end, or a quote must follow
	cr     uint64 // after a closing quote and CR: an LF must follow
}

// next returns the state before the next block, except for its opener. It also returns the bytes of
// the block that are within quotes, and the bytes up to the record's end that are illegal.
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

// upTo returns a mask of all bits up to the lowest bit of the given mask, inclusive.
func upTo(mask uint64) uint64 { return mask ^ (mask - 1) }
