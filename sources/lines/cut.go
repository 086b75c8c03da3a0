package lines

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark of UTF-8.
const BOM = "\xef\xbb\xbf"

// cutBlock is how many bytes are checked and then searched at a time, so that the search finds them
// in the L1 cache.
const cutBlock = 16 << 10

// A Chunk is what Cut found in one range of a file. It can be reused for other ranges.
type Chunk struct {
	Rule Rule // set before the first Cut

	Starts []uint32 // where rows begin, relative to the first byte of the range
	Blank  int      // number of lines that begin here and are not rows
	Valid  bool     // the range is valid UTF-8
}

// Cut finds the rows that begin in data[lo:hi], where data is the complete file with any byte order
// mark. Ranges may be cut in any order and in parallel, and may end anywhere: each row is found in
// exactly one. A rune that crosses the end of a range is checked with that range. So a file is
// valid UTF-8 exactly if all its ranges are. A line of more than Limit bytes is a row, even a blank
// one; the scanner rejects it. A range is shorter than 4 GiB.
func (c *Chunk) Cut(data []byte, lo, hi int) {
	c.Starts, c.Blank, c.Valid = c.Starts[:0], 0, true
	if first := First(data); lo <= first && first < hi {
		c.addLine(data, lo, first)
	} else if first < lo && lo < hi && data[lo-1] == '\n' {
		c.addLine(data, lo, lo)
	}
	for from := lo; from < hi; from += cutBlock {
		to := min(from+cutBlock, hi)
		c.Valid = c.Valid && utf8.Valid(data[RuneEdge(data, from):RuneEdge(data, to)])
		// A line feed at hi-1 ends a line of this range, but the next one begins beyond.
		block := data[:min(to, hi-1)]
		for p := from; ; {
			n := bytes.IndexByte(block[p:], '\n')
			if n < 0 {
				break
			}
			p += n + 1
			if data[p] > ' ' { // not white space, so not a blank line
				c.Starts = append(c.Starts, uint32(p-lo))
			} else {
				c.addLine(data, lo, p)
			}
		}
	}
}

// addLine adds the line at start: a row or a blank line.
func (c *Chunk) addLine(data []byte, lo, start int) {
	if c.Rule.isBlank(data[start:]) {
		c.Blank++
	} else {
		c.Starts = append(c.Starts, uint32(start-lo))
	}
}

// First returns where the first line of a file begins.
func First(data []byte) int {
	if len(data) >= len(BOM) && string(data[:len(BOM)]) == BOM {
		return len(BOM)
	}
	return 0
}

// A Rule says which lines are rows: all except blank lines. A blank line has at most Limit bytes,
// all of them in Space, before the line feed.
type Rule struct {
	Limit int    // bytes per line without its LF
	Space string // ASCII characters up to the space; if empty, every line is a row
}

// isBlank reports whether data begins with a line that is not a row.
func (r *Rule) isBlank(data []byte) bool {
	p := 0
	for p < len(data) && p <= r.Limit && strings.IndexByte(r.Space, data[p]) >= 0 {
		p++
	}
	return r.Space != "" && p <= r.Limit && (p == len(data) || data[p] == '\n')
}

// RuneEdge returns p, or the end of the valid rune that p would split.
func RuneEdge(data []byte, p int) int {
	if p >= len(data) || utf8.RuneStart(data[p]) {
		return p
	}
	for back := 1; back < utf8.UTFMax && back <= p; back++ {
		if !utf8.RuneStart(data[p-back]) {
			continue
		}
		if _, size := utf8.DecodeRune(data[p-back:]); size > back {
			return p - back + size
		}
		break
	}
	return p
}

// A Cutter splits a stream into lines, one window after another. It returns the same rows as
// Chunk.Cut on the complete file.
type Cutter struct {
	Rule Rule

	seen int  // number of bytes of the window that have no line feed
	long bool // the window continues a line longer than the limit
}

// Next finds the end of the line that the window begins with. The window has the bytes after the n
// bytes of each earlier call. atEOF says that nothing follows it. The caller has to skip a byte
// order mark.
//
//	n > 0, !more   the line ends here; n includes its line feed; blank: it is not a row
//	n > 0, more    n bytes of a line longer than the limit, which continues; it is a row,
//	               and the next calls return its other bytes, so that no window needs them all
//	n = 0          the window has no line end: call again with a longer one; at the end
//	               of the stream, all lines were returned
//
// Windows that can grow to limit+1 bytes are enough.
func (c *Cutter) Next(window []byte, atEOF bool) (n int, blank, more bool) {
	if i := bytes.IndexByte(window[c.seen:], '\n'); i >= 0 {
		n = c.seen + i + 1
	} else if atEOF {
		n = len(window)
	}
	switch {
	case n > 0 || atEOF:
		blank = n > 0 && !c.long && c.Rule.isBlank(window[:n])
		c.seen, c.long = 0, false
	case c.long || len(window) > c.Rule.Limit:
		n, more = len(window), len(window) > 0
		c.seen, c.long = 0, true
	default:
		c.seen = len(window)
	}
	return n, blank, more
}
