package table

import (
	"bytes"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// Lines has NewCutter, NewChunks, and NewCandidates of a Format in which each line is a row.
type Lines struct{ Rule lines.Rule }

// NewCutter returns a Cutter that splits a stream into lines.
func (l Lines) NewCutter(*Head) Cutter {
	return &lineCutter{limit: l.Rule.Limit, cutter: lines.Cutter{Rule: l.Rule}}
}

// NewChunks returns chunks that find the lines of a file.
func (l Lines) NewChunks(data []byte, _ *Head, n, _ int) Chunks {
	c := &lineChunks{data, make([]lines.Chunk, n)}
	for i := range c.chunks {
		c.chunks[i].Rule = l.Rule
	}
	return c
}

// NewCandidates returns a finder of lines in ranges of a file.
func (l Lines) NewCandidates(*Head) (Candidates, bool) {
	return &lineCandidates{chunk: lines.Chunk{Rule: l.Rule}}, true
}

type lineCandidates struct {
	chunk lines.Chunk
	text  []byte // of the range
}

func (c *lineCandidates) Find(text []byte, lo, hi int) {
	c.chunk.Cut(text, lo, hi)
	c.text = text[lo:hi]
}

func (c *lineCandidates) From(from int) (starts []uint32, blank int, ok bool) {
	k, _ := slices.BinarySearch(c.chunk.Starts, uint32(from))
	starts = c.chunk.Starts[k:]
	last := uint32(from)
	for _, s := range starts {
		if int(s-last) > c.chunk.Rule.Limit { // the length may include blank lines
			return nil, 0, false
		}
		last = s
	}
	if len(starts) == 0 {
		return nil, 0, true
	}
	return starts, c.chunk.Blank - blankAfter(c.text[last:]), true
}

// blankAfter returns how many lines begin in text after the first.
func blankAfter(text []byte) int {
	return bytes.Count(text[:len(text)-1], newline)
}

func (c *lineCandidates) Check() uint8 {
	if c.chunk.Valid {
		return 0
	}
	return CheckAll
}

type lineChunks struct {
	data   []byte
	chunks []lines.Chunk
}

func (c *lineChunks) Find(i, lo, hi int, s *Scratch) {
	chunk := &c.chunks[i]
	chunk.Starts = s[0]
	chunk.Cut(c.data, lo, hi)
	s[0], chunk.Starts = chunk.Starts, slices.Concat(chunk.Starts)
}

func (c *lineChunks) Starts(i int) []uint32 { return c.chunks[i].Starts }

func (c *lineChunks) Finish() (rows, blank int, check uint8) {
	for i := range c.chunks {
		rows += len(c.chunks[i].Starts)
		blank += c.chunks[i].Blank
		if !c.chunks[i].Valid {
			check = CheckAll
		}
	}
	return rows, blank, check
}

// A lineCutter is a Cutter of lines. It returns a line longer than the limit in parts.
type lineCutter struct {
	limit  int
	cutter lines.Cutter
	inside bool // inside a line that is longer than the limit
}

func (c *lineCutter) Next(window []byte, atEOF bool) (n int, kind Kind, bad *schema.RowError, more bool) {
	inside := c.inside
	n, blank, partial := c.cutter.Next(window, atEOF)
	if n == 0 {
		return 0, Row, nil, true
	}
	c.inside = partial
	switch {
	case inside:
		return n, Rest, nil, false
	case blank:
		return n, Blank, nil, false
	case partial || n > c.limit+1:
		return n, Row, input.LongLine(c.limit), false
	}
	return n, Row, nil, false
}
