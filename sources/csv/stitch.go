package csv

import (
	"slices"

	"tfr-build/sources/table"
)

// Rows says what Stitch found in a file.
type Rows struct {
	Found int   // records, bad ones included
	Blank int   // blank lines skipped
	Check Check // what Scanner has to check for
}

// Stitch decides where the records of a file start: afterwards Starts of each
// chunk holds. The chunks are those of all of data from first, which is
// Head.First, in order; oneColumn is as for NewCutter.
//
// Up to the first record that may be bad it only picks lists. From there to
// the end of the file it cuts serially.
func (f Format) Stitch(data []byte, first int, oneColumn bool, chunks []Chunk) Rows {
	var r Rows
	from := f.pick(data, first, chunks)
	for i := range chunks {
		r.Blank += chunks[i].trim(data, from, oneColumn)
	}
	switch {
	case from < len(data):
		r.Blank += f.cutRest(data, from, oneColumn, chunks)
	case oneColumn:
		r.Blank += dropTail(data, f.maxRecord(), chunks)
	}
	for i := range chunks {
		r.Found += len(chunks[i].Starts())
		r.Check |= chunks[i].check
	}
	return r
}

// pick chooses a list for each chunk and returns the offset of the first
// record that may be bad: it holds an illegal quote, is too long or has no
// end. Without one that is the length of the file.
func (f Format) pick(data []byte, first int, chunks []Chunk) int {
	if f.Comment != "" {
		return first
	}
	p, last, limit := 0, first, f.maxRecord()
	for i := range chunks {
		c := &chunks[i]
		c.final = p
		at, starts := c.illegal[p], c.Starts()
		if at >= 0 {
			k, found := slices.BinarySearch(starts, uint32(at-c.lo))
			if found {
				k++
			}
			starts = starts[:k]
		}
		next, long := c.walk(starts, last, limit)
		if long || at >= 0 {
			return next
		}
		last = next
		p ^= c.parity
	}
	if p == 1 || len(data)-last > limit {
		return last
	}
	return len(data)
}

// from returns where the records of the chunk start from the offset on, from its
// beginning, where one does, without the blank lines, and how many of those are before
// the last of them. ok is false where one of them may be bad, but for the last.
func (c *Chunk) from(data []byte, offset uint32, limit int) (starts []uint32, blank int, ok bool) {
	k, found := slices.BinarySearch(c.starts[0], offset)
	if c.final = 0; !found {
		c.final = 1
		k, found = slices.BinarySearch(c.starts[1], offset)
	}
	if !found || c.illegal[c.final] >= 0 {
		return nil, 0, false
	}
	starts = c.Starts()[k:]
	if _, long := c.walk(starts, c.lo+int(offset), limit); long {
		return nil, 0, false
	}
	if c.blanks[c.final] == 0 {
		return starts, 0, true
	}
	isBlank := func(s uint32) bool { return lineEnd(data[c.lo+int(s):]) > 0 }
	for len(starts) > 0 && isBlank(starts[len(starts)-1]) {
		starts = starts[:len(starts)-1]
	}
	all := len(starts)
	starts = slices.DeleteFunc(starts, isBlank)
	return starts, all - len(starts), true
}

// walk returns the last of the starts, or the first whose record is longer
// than the limit. The one before them all is at the offset last.
func (c *Chunk) walk(starts []uint32, last, limit int) (next int, long bool) {
	if n := len(starts); n > 0 && c.hi-c.lo <= limit {
		// No record between them can be too long, only the one before.
		if c.lo+int(starts[0])-last > limit {
			return last, true
		}
		return c.lo + int(starts[n-1]), false
	}
	for _, s := range starts {
		at := c.lo + int(s)
		if at-last > limit {
			return last, true
		}
		last = at
	}
	return last, false
}

// trim cuts the chunk's list off at the offset, takes the blank lines out of
// it if they are no records, and says how many those are.
func (c *Chunk) trim(data []byte, from int, oneColumn bool) (blank int) {
	list := &c.starts[c.final]
	switch {
	case from <= c.lo:
		*list = (*list)[:0]
	case from < c.hi:
		k, _ := slices.BinarySearch(*list, uint32(from-c.lo))
		*list = (*list)[:k]
	}
	if oneColumn || c.blanks[c.final] == 0 {
		return 0
	}
	all := len(*list)
	*list = slices.DeleteFunc(*list, func(s uint32) bool { return lineEnd(data[c.lo+int(s):]) > 0 })
	return all - len(*list)
}

// cutRest cuts the rest of the file serially and says how many blank lines
// it skipped.
func (f Format) cutRest(data []byte, from int, oneColumn bool, chunks []Chunk) (blank int) {
	cutter := f.NewCutter(oneColumn)
	i := 0
	for at := from; at < len(data); {
		n, kind, _, _ := cutter.Next(data[at:], true)
		for at >= chunks[i].hi {
			i++
		}
		switch c := &chunks[i]; kind {
		case table.Row:
			c.starts[c.final] = append(c.starts[c.final], uint32(at-c.lo))
		case table.Blank:
			blank++
		}
		at += n
	}
	return blank
}

// dropTail takes away the blank lines at the end of a file of one column: as
// Cutter has it, those that no more than limit bytes follow.
func dropTail(data []byte, limit int, chunks []Chunk) (blank int) {
	for i := len(chunks) - 1; i >= 0; i-- {
		c := &chunks[i]
		list := c.Starts()
		for len(list) > 0 {
			at := c.lo + int(list[len(list)-1])
			if lineEnd(data[at:]) == 0 || len(data)-at > limit {
				return blank
			}
			list = list[:len(list)-1]
			c.starts[c.final] = list
			blank++
		}
	}
	return blank
}
