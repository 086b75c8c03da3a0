package parquet

import (
	"encoding/binary"

	"tfr-build/internal/prefetch"
)

// lag is how many rows later than for a row it is asked for what the row points to, so
// that the row itself is there.
const lag = 8

// An asking is a row that was asked for.
type asking struct {
	sheet *sheet
	row   int
}

// PrefetchMemory asks for a row, and for what one that was asked for before points to.
func (s *scanner) PrefetchMemory(file int, offset int64) {
	row, err := s.find(&s.ahead, file, offset)
	if err != nil {
		return // which Scan says
	}
	t := s.ahead.sheet
	t.prefetch(row)
	before := &s.asked[s.turn%lag]
	if before.sheet != nil {
		before.sheet.prefetchFar(before.row)
	}
	*before = asking{t, row}
	s.turn++
}

// mostLines is how many lines of a value are asked for.
const mostLines = 16

// lines is how many lines some bytes are in that begin at an offset of aligned memory.
func lines(at, size int) int {
	return min((at%prefetch.Line+size+prefetch.Line-1)/prefetch.Line, mostLines)
}

// prefetch asks for a row.
func (t *sheet) prefetch(row int) {
	prefetch.Lines(t.rows[row*t.stride:], lines(row*t.stride, t.stride))
}

// prefetchFar asks for what a row points to.
func (t *sheet) prefetchFar(row int) {
	for _, k := range t.far {
		f := &t.fields[k]
		if f.block != nil {
			f.block.prefetch(row)
			continue
		}
		data := t.row(row)
		at, size := binary.LittleEndian.Uint32(data[f.at:]), binary.LittleEndian.Uint32(data[f.at+4:])
		if int64(at) < int64(len(f.blob)) {
			prefetch.Lines(f.blob[at:], lines(int(at), int(size)))
		}
	}
}

// prefetch asks for the values of a row.
func (b *block) prefetch(row int) {
	first := row
	if len(b.lists) > 0 {
		prefetch.Lines(b.reps[b.firsts[row]:], 1)
		prefetch.Lines(b.defs[b.firsts[row]:], 1)
		first = int(b.starts[row])
	}
	switch {
	case b.width > 0:
		prefetch.Lines(b.fixed[first*b.width:], 1)
	case first < len(b.views) && int64(b.views[first].at) < int64(len(b.blob)):
		prefetch.Lines(b.blob[b.views[first].at:], 1)
	}
}
