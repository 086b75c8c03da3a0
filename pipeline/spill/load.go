package spill

import (
	"cmp"
	"math/bits"
	"slices"
	"sync/atomic"

	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// indexSize is the memory for an indexedRow, in bytes.
const indexSize = 16

// loadedSize is the memory for a loaded row besides its entry, in bytes: its indexedRow, and half of what it takes in
// the sortSpace, as one of the two loaded partitions is sorted at a time.
const loadedSize = indexSize + (indexSize+2)/2

// An indexedRow is a row of a loaded partition: its key and the offset of its entry in buf.
type indexedRow struct{ key, at uint64 }

// With groups, an indexedRow is a window: its number is in the highest bits of at.
const windowShift = 40

// entry returns the entry of a row in buf.
func (l *buffer) entry(r indexedRow) []byte { return l.buf[r.at&(1<<windowShift-1):] }

// A buffer is a partition in memory, with its rows sorted, split by split.
type buffer struct {
	entries
	of     *dispatcher
	buf    []byte
	splits []splitRows   // by number
	blocks []*task.Block // complete blocks to write

	undone atomic.Int64 // blocks not written, plus one until all are dispatched
}

// done is called for each written block, and once when all are dispatched. The last call makes the
// buffer free for the next partition. It also frees a buf that one very large row made too large.
func (l *buffer) done() {
	if l.undone.Add(-1) > 0 {
		return
	}
	if l.buf = l.buf[:0]; int64(cap(l.buf)) > l.of.largest() {
		l.buf = nil
	}
	l.of.free <- l
}

// splitRows has the rows of one split in a buffer. The rank of its first row is first.
type splitRows struct {
	buffer *buffer
	first  int
	rows   []indexedRow
}

// Append appends the rows with ranks from ≤ rank < to; see [rows.Ranked].
func (s *splitRows) Append(dst []rows.Row, from, to int) []rows.Row {
	l := s.buffer
	list := s.rows[from-s.first : to-s.first]
	for _, p := range list {
		prefetch.Lines(l.entry(p), 1)
	}
	for _, p := range list {
		entry := l.entry(p)
		r := l.row(entry)
		if l.groups {
			r.Window = int(p.at>>windowShift) + 1
		}
		if l.marks(entry)[1] != 0 {
			r.Bad, r.Data = string(r.Data), r.Data[:0]
		}
		dst = append(dst, r)
	}
	return dst
}

// reserve makes room for the index of so many rows of each split.
func (l *buffer) reserve(rows []int) {
	for len(l.splits) < len(rows) {
		l.splits = append(l.splits, splitRows{buffer: l})
	}
	for i := range l.splits {
		s := &l.splits[i]
		if s.rows = s.rows[:0]; cap(s.rows) < rows[i] {
			s.rows = make([]indexedRow, 0, rows[i])
		}
	}
}

// index adds the entry at an offset of buf to the index, unless it is skipped.
func (l *buffer) index(at int) {
	entry := l.buf[at:]
	if l.marks(entry)[0] == rows.Skipped {
		return
	}
	s := &l.splits[l.marks(entry)[0]]
	if l.groups {
		g := rows.Group(l.row(entry).Data)
		for window := g.First(); window < g.Windows(); window++ {
			s.rows = append(s.rows, indexedRow{l.key(entry), uint64(window)<<windowShift | uint64(at)})
		}
		return
	}
	s.rows = append(s.rows, indexedRow{l.key(entry), uint64(at)})
}

// indexCarried adds to the index the entries that the partition before left in buf, up to an
// offset.
func (l *buffer) indexCarried(end int) {
	for at := 0; at < end; at += l.size(l.buf[at:]) {
		l.index(at)
	}
}

// read reads a partition into buf from the offset at on. buf must have exactly the right size.
func (l *buffer) read(r *reader, p *partition, at int) error {
	return r.readInto(l.buf, &l.entries, p, at, func(_ *storedRun, at int) error {
		l.index(at)
		return nil
	})
}

// A sortSpace is memory that one sort after another uses.
type sortSpace struct {
	rows []indexedRow
	ends []uint32
}

// insertionRows is the largest number of rows that are sorted by insertion.
const insertionRows = 32

// sort sorts rows by key, and rows with equal keys as compare says; in any order without it. Keys are spread evenly
// over their range. So sort first distributes the rows to buckets of a few rows.
func (space *sortSpace) sort(rows []indexedRow, compare func(a, b indexedRow) int) {
	if len(rows) < 2 {
		return
	}
	lo, hi := rows[0].key, rows[0].key
	for _, r := range rows {
		lo, hi = min(lo, r.key), max(hi, r.key)
	}
	buckets, shift := uint64(len(rows)/4+1), bits.LeadingZeros64(hi-lo)
	bucket := func(r indexedRow) uint64 {
		b, _ := bits.Mul64((r.key-lo)<<shift, buckets)
		return b
	}
	space.ends = slices.Grow(space.ends[:0], int(buckets)+1)[:buckets+1]
	ends := space.ends
	clear(ends)
	for _, r := range rows {
		ends[bucket(r)+1]++
	}
	for i := range buckets {
		ends[i+1] += ends[i]
	}
	space.rows = append(space.rows[:0], rows...)
	for _, r := range space.rows {
		b := bucket(r)
		rows[ends[b]] = r
		ends[b]++
	}
	from := uint32(0)
	for _, to := range ends[:buckets] {
		sortSmall(rows[from:to], compare)
		from = to
	}
}

// sortSmall sorts a few rows.
func sortSmall(rows []indexedRow, compare func(a, b indexedRow) int) {
	isAfter := func(a, b indexedRow) bool {
		return a.key > b.key || a.key == b.key && compare != nil && compare(a, b) > 0
	}
	if len(rows) > insertionRows {
		slices.SortFunc(rows, func(a, b indexedRow) int {
			if a.key != b.key || compare == nil {
				return cmp.Compare(a.key, b.key)
			}
			return compare(a, b)
		})
		return
	}
	for i := 1; i < len(rows); i++ {
		for k := i; k > 0 && isAfter(rows[k-1], rows[k]); k-- {
			rows[k], rows[k-1] = rows[k-1], rows[k]
		}
	}
}

// compareEqual compares rows with equal keys by their order in the input.
func (l *buffer) compareEqual(a, b indexedRow) int {
	switch x, y := l.entry(a), l.entry(b); {
	case l.after(x, y):
		return 1
	case l.after(y, x):
		return -1
	}
	return cmp.Compare(a.at, b.at) // windows of one group
}
