package lines

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// BOM is the byte order mark of UTF-8.
const BOM = "\xef\xbb\xbf"

// cutBlock is how many bytes are checked and searched at a time, so that the
// search finds them in the first cache.
const cutBlock = 16 << 10

// A Chunk is what Cut finds in one stretch of a file. It is reused from one
// stretch to the next.
type Chunk struct {
	Rule Rule // set before the first Cut

	Starts []uint32 // where rows begin, relative to the stretch's first byte
	Blank  int      // lines that begin here and are no rows
	Valid  bool     // the stretch is valid UTF-8
}

// Cut finds the rows that begin in data[lo:hi], where data is the whole file,
// a byte order mark included. Stretches may be cut in any order and at the same
// time, and their ends may fall anywhere: each row is found in exactly one. A
// rune across an end is judged with the stretch before it, so a file is valid
// UTF-8 exactly if all its stretches are. A line of more than Limit bytes is a
// row, even a blank one: whoever scans it refuses it. A stretch is shorter than
// 4 GiB.
func (c *Chunk) Cut(data []byte, lo, hi int) {
	c.Starts, c.Blank, c.Valid = c.Starts[:0], 0, true
	if first := First(data); lo <= first && first < hi {
		c.add(data, lo, first)
	} else if first < lo && lo < hi && data[lo-1] == '\n' {
		c.add(data, lo, lo)
	}
	for from := lo; from < hi; from += cutBlock {
		to := min(from+cutBlock, hi)
		c.Valid = c.Valid && utf8.Valid(data[RuneEdge(data, from):RuneEdge(data, to)])
		// A line feed at hi-1 ends a line of this stretch, but the next one begins beyond.
		block := data[:min(to, hi-1)]
		for p := from; ; {
			n := bytes.IndexByte(block[p:], '\n')
			if n < 0 {
				break
			}
			p += n + 1
			if data[p] > ' ' { // no space, so no blank line
				c.Starts = append(c.Starts, uint32(p-lo))
			} else {
				c.add(data, lo, p)
			}
		}
	}
}

func (c *Chunk) add(data []byte, lo, start int) {
	if c.Rule.isBlank(data[start:]) {
		c.Blank++
	} else {
		c.Starts = append(c.Starts, uint32(start-lo))
	}
}

// First is where the first line of a file begins.
func First(data []byte) int {
	if len(data) >= len(BOM) && string(data[:len(BOM)]) == BOM {
		return len(BOM)
	}
	return 0
}

// A Rule says which lines are rows: all but those of at most Limit bytes in which
// nothing but Space stands before the line feed.
type Rule struct {
	Limit int    // bytes of a line without its LF
	Space string // ASCII up to the space; empty: every line is a row
}

// isBlank tells whether data begins with a line that is no row.
func (r *Rule) isBlank(data []byte) bool {
	p := 0
	for p < len(data) && p <= r.Limit && strings.IndexByte(r.Space, data[p]) >= 0 {
		p++
	}
	return r.Space != "" && p <= r.Limit && (p == len(data) || data[p] == '\n')
}

// RuneEdge moves p to the end of the rune that it would split, if that rune is valid.
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

// A Cutter cuts a stream into lines, one window after another. It gives the
// same rows as Chunk.Cut does on the whole file.
type Cutter struct {
	Rule Rule

	seen int  // bytes of the window that hold no line feed
	long bool // the window continues with a line longer than the limit
}

// Next looks for the end of the line that the window begins with. The window
// holds what follows the bytes of earlier calls' n; atEOF says that nothing
// comes after it. A byte order mark is to be left out by the caller.
//
//	n > 0, !more   the line ends here; n counts its line feed; blank: it is no row
//	n > 0, more    n bytes of a line longer than the limit, which continues; a row, whose
//	               remaining bytes the next calls give, so that none need be held
//	n = 0          no line end in the window: call again with a longer one, or,
//	               at the end of the stream, all is read
//
// Windows that can grow to the limit + 1 bytes are enough for every call to continue.
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
