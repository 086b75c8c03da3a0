package csv

import (
	"bytes"
	"unicode/utf8"

	"tfr-build/internal/bytemask"
	"tfr-build/sources/lines"
)

// A Chunk is what Scan found in one range of a file. It can be reused for another range.
type Chunk struct {
	lo, hi  int
	starts  [2][]uint32 // of records in the chunk, if it begins outside (0) or within (1) quotes
	blanks  bool        // a start may be a blank line
	illegal [2]int      // offset in the file of the first illegal quote under each assumption, or -1
	parity  int         // number of quotes, modulo 2
	check   Check
	final   int // the list of starts that is right; set by Stitch
}

// Starts returns where the records of the chunk start, in bytes from the start of the chunk. Call
// it after Stitch; the slice is valid until the chunk is reused.
func (c *Chunk) Starts() []uint32 { return c.starts[c.final] }

// window is small enough that a range of this size stays in the L1 cache while it is read several
// times.
const window = 16 << 10

// Scan records in c which records start in data[lo:hi], for both assumptions about the bytes
// before. data is the complete file. The first chunk begins at Head.First, and each other chunk
// where the one before it ends. A chunk is at most 4 GiB long. Chunks may be scanned in parallel.
func (f Format) Scan(data []byte, lo, hi int, c *Chunk) {
	c.reset(lo, hi)
	if lo == hi {
		return
	}
	if f.Comment != "" { // Stitch then parses the file serially
		c.check = inspect(data, lo, hi, CheckAll)
		return
	}
	if afterLine(data, lo) {
		c.addStart(data, lo, 0)
	}
	var blocks [window / bytemask.Size]bytemask.Block
	masks := (len(f.delimiter()) == 1 || !f.Quotes) && lo >= lines.First(data)
	for w, e := lo, 0; w < hi; w = e {
		e = min(w+window, hi)
		if n := (e - w) / bytemask.Size; masks && n > 0 {
			e = w + n*bytemask.Size
			c.scanMasked(&f, data, w, blocks[:n])
		} else {
			c.scanPlain(&f, data, w, e)
		}
	}
	c.blanks = c.blanks || f.Delimiter == Whitespace // addStart does not see lines of blanks
}

// scanPlain does the work of Scan for data[lo:hi] without masks.
func (c *Chunk) scanPlain(f *Format, data []byte, lo, hi int) {
	c.check |= inspect(data, lo, hi, CheckAll&^c.check)
	for line := range bytes.Lines(data[lo:hi]) {
		lo += len(line)
		if f.Quotes {
			c.parity = f.checkQuotes(data, lo-len(line), lo, c.parity, c)
		}
		if line[len(line)-1] == '\n' && lo < c.hi {
			c.addStart(data, lo, c.parity)
		}
	}
}

func (c *Chunk) reset(lo, hi int) {
	*c = Chunk{lo: lo, hi: hi, illegal: [2]int{-1, -1},
		starts: [2][]uint32{c.starts[0][:0], c.starts[1][:0]}}
}

// afterLine reports whether a record starts at the offset, provided that the offset is outside
// quotes.
func afterLine(data []byte, at int) bool {
	return at == 0 || data[at-1] == '\n' || at == lines.First(data)
}

// addStart adds a record that starts at the offset, to the list for chunks that begin under
// assumption p. The parity of the quotes between the chunk's begin and the offset is p, too.
func (c *Chunk) addStart(data []byte, at, p int) {
	c.starts[p] = append(c.starts[p], uint32(at-c.lo))
	if data[at] <= '\r' && lineEnd(data[at:]) > 0 {
		c.blanks = true
	}
}

// checkQuotes checks each quote in data[lo:hi] both as an opening and as a closing quote. The first
// of them opens a cell under the assumption opens. It returns the assumption under which the next
// quote after hi opens a cell.
func (f Format) checkQuotes(data []byte, lo, hi, opens int, c *Chunk) int {
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

// mayOpen reports whether the quote at the offset may open a cell. It also may if it follows a
// quote that closed the cell: a doubled quote closes the cell and opens it again.
func (f Format) mayOpen(data []byte, at int) bool {
	return afterLine(data, at) || data[at-1] == '"' || f.endsWithDelimiter(data[:at])
}

// mayClose reports whether the quote at the offset may close a cell.
func (f Format) mayClose(data []byte, at int) bool {
	rest := data[at+1:]
	return len(rest) == 0 || rest[0] == '"' || f.follows(rest) == legal
}

// inspect checks data[lo:hi] for the flags in ask, and returns those that it found. A UTF-8
// character that crosses the end of the range belongs to it.
func inspect(data []byte, lo, hi int, ask Check) Check {
	var found Check
	if ask&CheckNUL != 0 && bytes.IndexByte(data[lo:hi], 0) >= 0 {
		found |= CheckNUL
	}
	if ask&CheckCR != 0 && hasLoneCR(data, lo, hi) {
		found |= CheckCR
	}
	if ask&CheckUTF8 != 0 && !utf8.Valid(data[lines.RuneEdge(data, lo):lines.RuneEdge(data, hi)]) {
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
