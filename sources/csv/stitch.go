package csv

import (
	"slices"

	"tfr-build/sources/table"
)

// Stitch decides where the records of a file start. After it, call Starts of each chunk. The chunks
// cover data from first on, which is table.Head.First, in order. oneColumn is the same as for NewCutter.
// It returns the number of records, valid and invalid, the number of skipped blank lines, and what Scanner has to check
// for.
//
// Up to the first record that may be invalid it only selects lists. From there to the end of the
// file it parses serially.
func (f Format) Stitch(data []byte, first int, oneColumn bool, chunks []Chunk) (found, blank int, check Check) {
	from := f.selectLists(data, first, chunks)
	for i := range chunks {
		blank += chunks[i].trimStarts(&f, data, from, oneColumn)
	}
	switch {
	case from < len(data):
		blank += f.cutRest(data, from, oneColumn, chunks)
	case oneColumn:
		blank += f.dropBlankTail(data, chunks)
	}
	for i := range chunks {
		found += len(chunks[i].Starts())
		check |= chunks[i].check
	}
	return found, blank, check
}

// selectLists selects a list for each chunk. It returns the offset of the first record that may be
// invalid because it has an illegal quote, is too long, or has no end. Without such a record it
// returns the length of the file.
func (f Format) selectLists(data []byte, first int, chunks []Chunk) int {
	// A quote in a comment would swap within and outside of quotes for all chunks after it.
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
		next, long := c.lastStart(starts, last, limit)
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

// startsFrom returns where the records of the chunk start, in bytes from its beginning, without
// blank lines. A record must start at the offset, which is the first result. Blank is the number of
// blank lines before the last record. If a record other than the last may be invalid, ok is false.
func (c *Chunk) startsFrom(f *Format, data []byte, offset uint32) (starts []uint32, blank int, ok bool) {
	k, found := slices.BinarySearch(c.starts[0], offset)
	if c.final = 0; !found {
		c.final = 1
		k, found = slices.BinarySearch(c.starts[1], offset)
	}
	if !found || c.illegal[c.final] >= 0 {
		return nil, 0, false
	}
	starts = c.Starts()[k:]
	if _, long := c.lastStart(starts, c.lo+int(offset), f.maxRecord()); long {
		return nil, 0, false
	}
	if !c.blanks {
		return starts, 0, true
	}
	skips := func(s uint32) bool { return f.blankLine(data[c.lo+int(s):], false) > 0 }
	for len(starts) > 0 && skips(starts[len(starts)-1]) {
		starts = starts[:len(starts)-1]
	}
	all := len(starts)
	starts = slices.DeleteFunc(starts, skips)
	return starts, all - len(starts), true
}

// lastStart returns the last of the starts, or the start of the first record that is longer than
// the limit. The record before the starts begins at the offset last.
func (c *Chunk) lastStart(starts []uint32, last, limit int) (next int, long bool) {
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

// trimStarts removes the starts from the offset on. It also removes blank lines that are not
// records, and returns how many.
func (c *Chunk) trimStarts(f *Format, data []byte, from int, oneColumn bool) (blank int) {
	list := &c.starts[c.final]
	switch {
	case from <= c.lo:
		*list = (*list)[:0]
	case from < c.hi:
		k, _ := slices.BinarySearch(*list, uint32(from-c.lo))
		*list = (*list)[:k]
	}
	if oneColumn || !c.blanks {
		return 0
	}
	all := len(*list)
	*list = slices.DeleteFunc(*list, func(s uint32) bool { return f.blankLine(data[c.lo+int(s):], true) > 0 })
	return all - len(*list)
}

// cutRest parses the rest of the file serially. It returns the number of skipped blank lines.
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

// dropBlankTail removes the blank lines at the end of a file of one column. As in Cutter, it
// removes only those with at most MaxRecord bytes from them to the end.
func (f *Format) dropBlankTail(data []byte, chunks []Chunk) (blank int) {
	for i := len(chunks) - 1; i >= 0; i-- {
		c := &chunks[i]
		list := c.Starts()
		for len(list) > 0 {
			at := c.lo + int(list[len(list)-1])
			if f.blankLine(data[at:], true) == 0 || len(data)-at > f.maxRecord() {
				return blank
			}
			list = list[:len(list)-1]
			c.starts[c.final] = list
			blank++
		}
	}
	return blank
}
