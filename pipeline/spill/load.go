package spill

import (
	"fmt"
	"slices"
	"sync/atomic"

	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// indexSize is the memory of an indexed row.
const indexSize = 16

// An indexed row is a row of a loaded part: its key and where its entry stands.
type indexed struct{ key, at uint64 }

// A loaded part is one in memory, its rows in order, split by split.
type loaded struct {
	entries
	buf    []byte
	codes  []string      // of bad rows, by number from 1
	splits []loadedSplit // by number
	blocks []*task.Block // that are whole with it

	left atomic.Int64   // blocks that are not done, and one until all are handed out
	free chan<- *loaded // where it goes then; never full
	most int64          // bytes of buf that it keeps
}

// done is for each block that is done, and once for all that are handed out. The last
// one gives up what was loaded; its memory too where a row that is larger than a part
// made it too large.
func (l *loaded) done() {
	if l.left.Add(-1) > 0 {
		return
	}
	if l.buf = l.buf[:0]; int64(cap(l.buf)) > l.most {
		l.buf = nil
	}
	l.free <- l
}

// A loadedSplit is a part of a split's rows, from the rank first on.
type loadedSplit struct {
	part  *loaded
	first int
	rows  []indexed
}

// Append appends rows by their ranks.
func (s *loadedSplit) Append(dst []rows.Row, from, to int) []rows.Row {
	l := s.part
	list := s.rows[from-s.first : to-s.first]
	for _, p := range list {
		prefetch.Lines(l.buf[p.at:], 1)
	}
	for _, p := range list {
		entry := l.buf[p.at:]
		r := l.row(entry)
		if bad := l.marks(entry)[1]; bad != 0 {
			r.Bad = l.codes[bad-1]
		}
		dst = append(dst, r)
	}
	return dst
}

// begin makes room for an index of so many rows of each split.
func (l *loaded) begin(rows []int) {
	for len(l.splits) < len(rows) {
		l.splits = append(l.splits, loadedSplit{part: l})
	}
	for i := range l.splits {
		s := &l.splits[i]
		if s.rows = s.rows[:0]; cap(s.rows) < rows[i] {
			s.rows = make([]indexed, 0, rows[i])
		}
	}
}

// index lists the entry at an offset.
func (l *loaded) index(at int) {
	entry := l.buf[at:]
	s := &l.splits[l.marks(entry)[0]]
	s.rows = append(s.rows, indexed{l.key(entry), uint64(at)})
}

// again lists the entries of another part, up to an offset.
func (l *loaded) again(end int) {
	for at := 0; at < end; at += l.size(l.buf[at:]) {
		l.index(at)
	}
}

// read reads a part behind what is in buf up to at, of which buf has room for all.
func (l *loaded) read(r *reader, p *part, at int) error {
	for i := range p.of.runs {
		run := &p.of.runs[i]
		for _, s := range run.Segments {
			extents, err := r.extentsOf(run, s, p.from, p.to)
			if err != nil {
				return err
			}
			from, to := extents[0].from, extents[len(extents)-1].to
			if to-from > int64(len(l.buf)-at) {
				return run.file.Differs()
			}
			data := l.buf[at : at+int(to-from)]
			if err := readAll(run.file, data, s.Offset+from); err != nil {
				return err
			}
			for _, x := range extents {
				if err := x.check(run, data[x.from-from:x.to-from]); err != nil {
					return err
				}
			}
			for end := at + len(data); at < end; {
				n, err := run.next(&l.entries, l.buf[at:end])
				if err != nil {
					return err
				}
				l.index(at)
				at += n
			}
		}
	}
	if at != len(l.buf) { // though every digest is right
		return fmt.Errorf("internal error: %d bytes of a part are %d", len(l.buf), at)
	}
	return nil
}

// A sortSpace is memory for one sort after another.
type sortSpace struct {
	rows []indexed
	ends []uint32
}

// sort puts the rows of a split in order. Keys of a shuffle are spread evenly
// over their range: they are dealt into buckets of a few rows first.
func (s *loadedSplit) sort(space *sortSpace) {
	rows := s.rows
	if len(rows) < 2 {
		return
	}
	lo, hi := rows[0].key, rows[0].key
	for _, r := range rows {
		lo, hi = min(lo, r.key), max(hi, r.key)
	}
	buckets := len(rows)/4 + 1
	width := (hi-lo)/uint64(buckets) + 1
	space.ends = slices.Grow(space.ends[:0], buckets+1)[:buckets+1]
	ends := space.ends
	clear(ends)
	for _, r := range rows {
		ends[(r.key-lo)/width+1]++
	}
	for i := range buckets {
		ends[i+1] += ends[i]
	}
	space.rows = append(space.rows[:0], rows...)
	for _, r := range space.rows {
		b := (r.key - lo) / width
		rows[ends[b]] = r
		ends[b]++
	}
	from := uint32(0)
	for b := range buckets {
		s.sortFew(rows[from:ends[b]])
		from = ends[b]
	}
}

// few is how many rows are sorted by insertion.
const few = 12

func (s *loadedSplit) sortFew(rows []indexed) {
	if len(rows) > few {
		slices.SortFunc(rows, func(a, b indexed) int {
			switch {
			case s.less(a, b):
				return -1
			case s.less(b, a):
				return 1
			}
			return 0
		})
		return
	}
	for i := 1; i < len(rows); i++ {
		for k := i; k > 0 && s.less(rows[k], rows[k-1]); k-- {
			rows[k], rows[k-1] = rows[k-1], rows[k]
		}
	}
}

// less orders rows by key, and rows of one key as their input stands.
func (s *loadedSplit) less(a, b indexed) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	return s.part.after(s.part.buf[b.at:], s.part.buf[a.at:])
}
