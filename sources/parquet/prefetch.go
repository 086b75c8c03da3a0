package parquet

import (
	"encoding/binary"

	"tfr-build/internal/prefetch"
)

// queueLength is the number of rows between the prefetch of a row and the prefetch of the bytes
// that it refers to. By then the row itself is in the cache.
const queueLength = 8

// A prefetchedRow is a row in the prefetch queue.
type prefetchedRow struct {
	rowBuffer *rowBuffer
	row       int
}

// PrefetchMemory prefetches a row, and the out-of-line bytes of the row that was prefetched
// queueLength calls before.
func (s *scanner) PrefetchMemory(file int, offset int64) {
	row, err := s.findRow(&s.ahead, file, offset)
	if err != nil {
		return // Scan returns the error
	}
	t := s.ahead.rowBuffer
	t.prefetch(row)
	before := &s.queue[s.turn%queueLength]
	if before.rowBuffer != nil {
		before.rowBuffer.prefetchOutOfLine(before.row)
	}
	*before = prefetchedRow{t, row}
	s.turn++
}

// maxLines limits the cache lines of a value that are prefetched.
const maxLines = 16

// lines returns the number of cache lines to prefetch for size bytes at an offset of aligned
// memory.
func lines(at, size int) int {
	return min((at%prefetch.Line+size+prefetch.Line-1)/prefetch.Line, maxLines)
}

// prefetch prefetches a row.
func (t *rowBuffer) prefetch(row int) {
	prefetch.Lines(t.rows[row*t.stride:], lines(row*t.stride, t.stride))
}

// prefetchOutOfLine prefetches the out-of-line bytes of a row.
func (t *rowBuffer) prefetchOutOfLine(row int) {
	for _, k := range t.outOfLine {
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

// prefetch prefetches the first value of a row and, for lists, its levels.
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
