package csv

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"tfr-build/internal/bytemask"
)

// A Chunk is what Scan found in one stretch of a file. It may be used again.
type Chunk struct {
	lo, hi  int
	starts  [2][]uint32 // where records start if the chunk begins outside quotes (0), within quotes (1)
	blanks  [2]int      // how many of them are blank lines
	illegal [2]int      // offset in the file of the first illegal quote; -1 if there is none
	parity  int         // number of quotes, modulo 2
	crs     int         // number of CRs
	afterCR int         // number of LFs after a CR
	check   Check
	final   int // which list of starts holds, after Stitch
}

// Starts lists where the chunk's records start, in bytes from the start of
// the chunk. It holds after Stitch, until the chunk is used again.
func (c *Chunk) Starts() []uint32 { return c.starts[c.final] }

// window is so much of a chunk that it stays in the fastest cache while it
// is read several times.
const window = 16 << 10

// Scan notes in c which records start in data[lo:hi], whatever came before.
// Data is the whole file; the first chunk begins at Head.First, each other
// one where the one before ends, and none is longer than 4 GiB. Any number
// of chunks may be scanned at once.
func (f Format) Scan(data []byte, lo, hi int, c *Chunk) {
	c.reset(lo, hi)
	if lo == hi {
		return
	}
	if f.Comment != "" { // then Stitch cuts serially
		c.check = inspect(data, lo, hi, CheckAll)
		return
	}
	if afterLine(data, lo) {
		c.add(data, lo, 0)
	}
	var blocks [window / bytemask.Size]bytemask.Block
	masks := bytemask.Quick() && len(f.delimiter()) == 1 && (lo >= len(bom) || !hasPrefix(data, bom))
	for w, e := lo, 0; w < hi; w = e {
		e = min(w+window, hi)
		if n := (e - w) / bytemask.Size; masks && n > 0 {
			e = w + n*bytemask.Size
			c.masked(&f, data, w, blocks[:n])
		} else {
			c.plain(&f, data, w, e)
		}
	}
	if c.crs != c.crlfs(data) {
		c.check |= CheckCR
	}
}

// plain does what Scan does for data[lo:hi].
func (c *Chunk) plain(f *Format, data []byte, lo, hi int) {
	c.check |= inspect(data, lo, hi, (CheckUTF8|CheckNUL)&^c.check)
	c.crs += bytes.Count(data[lo:hi], []byte{'\r'})
	if f.Quotes && bytes.IndexByte(data[lo:hi], '"') >= 0 {
		f.quotedLines(data, lo, hi, c)
	} else {
		c.lines(data, lo, hi)
	}
}

// crlfs is how many CRs of the chunk an LF follows.
func (c *Chunk) crlfs(data []byte) int {
	n := c.afterCR
	if c.lo > 0 && data[c.lo-1] == '\r' && data[c.lo] == '\n' {
		n--
	}
	if c.hi < len(data) && data[c.hi-1] == '\r' && data[c.hi] == '\n' {
		n++
	}
	return n
}

func (c *Chunk) reset(lo, hi int) {
	*c = Chunk{lo: lo, hi: hi, illegal: [2]int{-1, -1},
		starts: [2][]uint32{c.starts[0][:0], c.starts[1][:0]}}
}

// afterLine reports whether a record starts at the offset if it is outside
// quotes.
func afterLine(data []byte, at int) bool {
	return at == 0 || data[at-1] == '\n' || at == len(bom) && hasPrefix(data, bom)
}

// add notes that a record starts at the offset if the chunk began as the
// parity of the quotes since then has it.
func (c *Chunk) add(data []byte, at, p int) {
	c.starts[p] = append(c.starts[p], uint32(at-c.lo))
	if data[at] <= '\r' && lineEnd(data[at:]) > 0 {
		c.blanks[p]++
	}
}

// lines notes the records that start after the LFs of data[lo:hi], in which
// there is no quote.
func (c *Chunk) lines(data []byte, lo, hi int) {
	for at := lo; ; {
		i := bytes.IndexByte(data[at:hi], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		c.endLine(data, at)
	}
}

// endLine notes an LF before the offset.
func (c *Chunk) endLine(data []byte, at int) {
	if at > 1 && data[at-2] == '\r' {
		c.afterCR++
	}
	if at < c.hi {
		c.add(data, at, c.parity)
	}
}

// quotedLines is lines where there are quotes; most lines have none.
func (f Format) quotedLines(data []byte, lo, hi int, c *Chunk) {
	for at := lo; at < hi; {
		i := bytes.IndexByte(data[at:hi], '\n')
		end := at + i + 1
		if i < 0 {
			end = hi
		}
		if k := bytes.IndexByte(data[at:end], '"'); k >= 0 {
			c.parity = f.judgeLine(data, at+k, end, c)
		}
		if i >= 0 {
			c.endLine(data, end)
		}
		at = end
	}
}

// judgeLine finds illegal quotes in data[lo:hi], eight bytes at a time. Where
// eight are not all legal beyond doubt, judgeQuotes checks them one by one. It
// returns the parity after them.
func (f Format) judgeLine(data []byte, lo, hi int, c *Chunk) int {
	const quote = '"' * ones
	d := f.delimiter()
	delim := uint64(d[0]) * ones
	opens := c.parity // the assumption under which the next quote opens
	at := lo
	if len(d) == 1 && at > 0 {
		for ; at+8 <= hi && at+9 <= len(data); at += 8 {
			q := equal(binary.LittleEndian.Uint64(data[at:]), quote)
			if q == 0 {
				continue
			}
			cannotOpen := q &^ stops(binary.LittleEndian.Uint64(data[at-1:]), delim, quote)
			cannotClose := q &^ stops(binary.LittleEndian.Uint64(data[at+1:]), delim, quote)
			odd := running(q)
			first, second := cannotOpen&odd|cannotClose&^odd, cannotOpen&^odd|cannotClose&odd
			if first != 0 && c.illegal[opens] < 0 || second != 0 && c.illegal[opens^1] < 0 {
				f.judgeQuotes(data, at, at+8, opens, c)
			}
			opens ^= bits.OnesCount64(q) & 1
		}
	}
	return f.judgeQuotes(data, at, hi, opens, c)
}

// judgeQuotes checks each quote as one that opens and as one that closes:
// under the assumption opens the first of them opens a cell. It returns the
// one under which the next quote does.
func (f Format) judgeQuotes(data []byte, lo, hi, opens int, c *Chunk) int {
	for at := lo; ; at++ {
		i := bytes.IndexByte(data[at:hi], '"')
		if i < 0 {
			return opens
		}
		at += i
		if c.illegal[opens] < 0 && !f.mayOpen(data, at) {
			c.illegal[opens] = at
		}
		if c.illegal[opens^1] < 0 && !f.mayClose(data, at) {
			c.illegal[opens^1] = at
		}
		opens ^= 1
	}
}

// mayOpen reports whether the quote at the offset may open a cell, or open
// it again after a quote that closed it: two of them are one quote.
func (f Format) mayOpen(data []byte, at int) bool {
	return afterLine(data, at) || data[at-1] == '"' || hasSuffix(data[:at], f.delimiter())
}

// mayClose reports whether the quote at the offset may close a cell.
func (f Format) mayClose(data []byte, at int) bool {
	rest := data[at+1:]
	return len(rest) == 0 || rest[0] == '"' || f.follows(rest) == legal
}

// inspect searches data[lo:hi] for what is asked of it. Characters belong to
// the stretch that they begin in.
func inspect(data []byte, lo, hi int, ask Check) Check {
	var found Check
	if ask&CheckNUL != 0 && bytes.IndexByte(data[lo:hi], 0) >= 0 {
		found |= CheckNUL
	}
	if ask&CheckCR != 0 && hasLoneCR(data, lo, hi) {
		found |= CheckCR
	}
	if ask&CheckUTF8 != 0 && !validUTF8(data, lo, hi) {
		found |= CheckUTF8
	}
	return found
}

func hasLoneCR(data []byte, lo, hi int) bool {
	for at := lo; ; at++ {
		i := bytes.IndexByte(data[at:hi], '\r')
		if i < 0 {
			return false
		}
		at += i
		if at+1 == len(data) || data[at+1] != '\n' {
			return true
		}
	}
}

// validUTF8 reports whether the characters that begin in data[lo:hi] are
// UTF-8. Of one that is longer than any character, enough is taken to show it.
func validUTF8(data []byte, lo, hi int) bool {
	if !afterLine(data, lo) {
		for lo < hi && !utf8.RuneStart(data[lo]) {
			lo++
		}
	}
	if lo == hi {
		return true
	}
	end := hi
	for end < len(data) && end < hi+utf8.UTFMax && !utf8.RuneStart(data[end]) {
		end++
	}
	return utf8.Valid(data[lo:end])
}
