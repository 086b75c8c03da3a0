package pipeline

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"tfr-build/sink"
)

// Rows that cannot be read where they stand go through parts: files of raw
// rows, each with the rows of one range of keys. A part's rows are:
//
//	8 key | 4 file | 8 offset | 1 split | 1 bad | 4 length | the row's text
const partHeader = 26

// A partition is parts in ascending order of their keys.
type partition struct {
	j     *job
	by    func(key uint64, file int, offset int64) uint64 // what the parts are cut by
	lo    uint64
	width uint64 // of a part's range; 0 for a single part, whose range may be everything
	limit int64  // not 0: parts are filled one after another, up to about so many bytes
	parts []*part
	name  string // of the files, before their numbers
}

// A part is the rows of one range of keys.
type part struct {
	mu    sync.Mutex
	file  *sink.Run
	buf   []byte
	rows  []int // by split
	bytes int64 // with the index
}

// partBuffer is how much of a part is gathered before it is written.
const partBuffer = 64 << 10

// maxParts is how many parts a pass makes at most.
const maxParts = 32

// newPartition makes n parts of equal ranges in lo … hi.
func (j *job) newPartition(name string, n int, lo, hi uint64, by func(uint64, int, int64) uint64) (*partition, error) {
	p := &partition{j: j, by: by, lo: lo, name: name}
	if n == 1 {
		return p, p.add()
	}
	p.width = (hi-lo)/uint64(n) + 1
	for range (hi-lo)/p.width + 1 { // n, or less where there are not so many keys
		if err := p.add(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *partition) add() error {
	f, err := p.j.stage.CreateRun(fmt.Sprintf("%s%d", p.name, len(p.parts)))
	if err != nil {
		return err
	}
	p.parts = append(p.parts, &part{file: f})
	return nil
}

// put adds a row to the part that its key falls into.
func (p *partition) put(key uint64, r *row) error {
	switch {
	case p.limit > 0:
		return p.fill(key, r)
	case p.width == 0:
		return p.parts[0].put(key, r, p.j.codes.number(r.bad))
	}
	return p.parts[(p.by(key, r.file, r.offset)-p.lo)/p.width].put(key, r, p.j.codes.number(r.bad))
}

// fill adds a row whose key is not below those before it to the last part,
// or to a new one. From the sixteenth on, each part is twice as large, so that
// there are few of them: those that are too large are parted again.
func (p *partition) fill(key uint64, r *row) error {
	last := p.parts[len(p.parts)-1]
	limit := p.limit << max(0, len(p.parts)-16)
	if last.bytes > limit {
		if err := p.add(); err != nil {
			return err
		}
		last = p.parts[len(p.parts)-1]
	}
	return last.put(key, r, p.j.codes.number(r.bad))
}

func (p *part) put(key uint64, r *row, bad byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.buf == nil {
		p.buf = make([]byte, 0, partBuffer+partBuffer/8)
	}
	for len(p.rows) <= int(r.split) {
		p.rows = append(p.rows, 0)
	}
	p.rows[r.split]++
	p.bytes += int64(partHeader + len(r.data) + entryIndex)
	p.buf = appendHeader(p.buf, key, r, bad)
	if len(r.data) >= partBuffer {
		if err := p.flush(); err != nil {
			return err
		}
		_, err := p.file.Write(r.data)
		return err
	}
	p.buf = append(p.buf, r.data...)
	if len(p.buf) < partBuffer {
		return nil
	}
	return p.flush()
}

// count is how many rows the part has.
func (p *part) count() (n int) {
	for _, rows := range p.rows {
		n += rows
	}
	return n
}

// flush writes what is gathered.
func (p *part) flush() error {
	_, err := p.file.Write(p.buf)
	p.buf = p.buf[:0]
	return err
}

// close writes what is left; the part is only read from then on.
func (p *part) close() error {
	err := p.flush()
	p.buf = nil
	return err
}

// appendHeader appends all of an entry but the row's text, which follows it.
func appendHeader(dst []byte, key uint64, r *row, bad byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, key)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(r.file))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.offset))
	dst = append(dst, r.split, bad)
	return binary.LittleEndian.AppendUint32(dst, uint32(len(r.data)))
}

// parseEntry reads an entry; n is the length of the entry, and bad the number of
// the code of a bad row.
func parseEntry(b []byte) (key uint64, r row, bad byte, n int) {
	key = binary.LittleEndian.Uint64(b)
	r.file = int(binary.LittleEndian.Uint32(b[8:]))
	r.offset = int64(binary.LittleEndian.Uint64(b[12:]))
	r.split, bad = b[20], b[21]
	n = partHeader + int(binary.LittleEndian.Uint32(b[22:]))
	r.data = b[partHeader:n:n]
	return key, r, bad, n
}

// entryIndex is the memory of a partRow.
const entryIndex = 16

// A partRow is a row of a loaded part: its key and where its entry stands.
type partRow struct{ key, at uint64 }

// A loadedPart is a part in memory, its rows in order, split by split.
type loadedPart struct {
	buf    []byte
	codes  *codes
	splits []partSplit
}

// A partSplit is a run of a split's rows, from the rank first on.
type partSplit struct {
	part  *loadedPart
	first int
	rows  []partRow
}

func (s *partSplit) append(dst []row, from, to int) []row {
	for _, p := range s.rows[from-s.first : to-s.first] {
		_, r, bad, _ := parseEntry(s.part.buf[p.at:])
		if bad != 0 {
			r.bad = s.part.codes.name(bad)
		}
		dst = append(dst, r)
	}
	return dst
}

// index lists the rows of the part by split; there are about so many.
func (l *loadedPart) index(splits, rows int) {
	for len(l.splits) < splits {
		l.splits = append(l.splits, partSplit{part: l})
	}
	for i := range l.splits {
		l.splits[i].rows = l.splits[i].rows[:0]
	}
	if splits == 1 && cap(l.splits[0].rows) < rows {
		l.splits[0].rows = make([]partRow, 0, rows+rows/8)
	}
	for at := 0; at < len(l.buf); {
		key, r, _, n := parseEntry(l.buf[at:])
		s := &l.splits[r.split]
		s.rows = append(s.rows, partRow{key, uint64(at)})
		at += n
	}
}

// A sortSpace is memory for one sort after another.
type sortSpace struct {
	rows []partRow
	ends []uint32
}

// sort puts the rows of a split in order. Keys of a shuffle are spread evenly
// over their range: they are dealt into buckets of a few rows first.
func (s *partSplit) sort(space *sortSpace) {
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
		if bucket := rows[from:ends[b]]; len(bucket) > 1 {
			slices.SortFunc(bucket, s.compare)
		}
		from = ends[b]
	}
}

// compare orders rows by key, and rows of one key as their input stands.
func (s *partSplit) compare(a, b partRow) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	_, ra, _, _ := parseEntry(s.part.buf[a.at:])
	_, rb, _, _ := parseEntry(s.part.buf[b.at:])
	return cmp.Or(cmp.Compare(ra.file, rb.file), cmp.Compare(ra.offset, rb.offset))
}

// An entry is one row of a part's file, with its header.
type entry struct {
	data []byte
	err  error
}

// An entryReader reads the files of parts, one after another, with the same
// memory.
type entryReader struct {
	in  *bufio.Reader
	buf []byte
}

// readBuffer is how much of a part is read at once.
const readBuffer = 1 << 20

// entries yields the entries of a part's file, one after another; each holds
// until the next.
func (e *entryReader) entries(p *part) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		if err := p.file.Check(); err != nil { // what is damaged cannot be cut into entries
			yield(entry{err: err})
			return
		}
		if e.in == nil {
			e.in = bufio.NewReaderSize(nil, readBuffer)
		}
		e.in.Reset(io.NewSectionReader(p.file, 0, p.file.Size()))
		for {
			head, err := e.in.Peek(partHeader)
			if err == io.EOF && len(head) == 0 {
				return
			}
			if err == nil {
				n := partHeader + int(binary.LittleEndian.Uint32(head[partHeader-4:]))
				e.buf = slices.Grow(e.buf[:0], n)[:n]
				_, err = io.ReadFull(e.in, e.buf)
			}
			if !yield(entry{e.buf, err}) || err != nil {
				return
			}
			if cap(e.buf) > readBuffer {
				e.buf = nil
			}
		}
	}
}
