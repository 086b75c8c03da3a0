package spill

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"tfr-build/internal/bug"
	"tfr-build/pipeline/rows"
)

// A partition is a range of buckets, in all spill files.
type partition struct {
	of       *runSet
	from, to int
	bytes    int64
	rows     []int // by split
}

// A runSet has spill files with the same ranges.
type runSet struct {
	runs    []storedRun
	buckets []Bucket
}

// A storedRun is a spill file and its description.
type storedRun struct {
	Part
	file File
}

// in returns the runs of m with their spill files, in the order of m.Runs.
func (m *Merged) in(files []File) runSet {
	s := runSet{buckets: m.Buckets}
	for i, p := range m.Runs {
		s.runs = append(s.runs, storedRun{p, files[i]})
	}
	return s
}

// parts groups the buckets from from to to-1 into partitions that are loaded at once. Each takes at most about limit
// bytes of memory, unless it is a single bucket.
func (s *runSet) parts(from, to int, limit int64) []*partition {
	var list []*partition
	last := &partition{of: s, from: from, to: from}
	for b := from; b < to; b++ {
		n := s.buckets[b].Memory()
		if last.to > last.from && last.memory()+n > limit {
			list = append(list, last)
			last = &partition{of: s, from: b, to: b}
		}
		last.to = b + 1
		last.add(&s.buckets[b])
	}
	return append(list, last)
}

func (p *partition) add(b *Bucket) {
	p.bytes += b.Bytes
	for len(p.rows) < len(b.Rows) {
		p.rows = append(p.rows, 0)
	}
	for i, n := range b.Rows {
		p.rows[i] += n
	}
}

// Memory returns the bytes that the bucket takes when it is loaded: its entries, their index, and its part of a sort.
func (b *Bucket) Memory() int64 { return b.Bytes + int64(b.count()*loadedSize) }

func (p *partition) count() (n int) {
	for _, rows := range p.rows {
		n += rows
	}
	return n
}

func (p *partition) memory() int64 { return p.bytes + int64(p.count()*loadedSize) }

// A bucketRange is the range of a bucket in a segment.
type bucketRange struct {
	from, to int64
	digest   uint64
}

// A reader reads ranges of buckets. One goroutine may use it at a time.
type reader struct {
	index  []byte
	ranges []bucketRange
	buf    []byte
}

// readIndex returns the ranges of the buckets from … to-1 in a segment. An invalid index is an
// error.
func (r *reader) readIndex(run *storedRun, s Segment, from, to int) ([]bucketRange, error) {
	first := max(0, from-1)
	n := (to - first) * indexEntrySize
	if cap(r.index) < n {
		r.index = make([]byte, n)
	}
	r.index = r.index[:n]
	if err := readAll(run.file, r.index, s.Offset+s.Bytes+int64(first*indexEntrySize)); err != nil {
		return nil, err
	}
	r.ranges = r.ranges[:0]
	at := int64(0)
	for b := first; b < to; b++ {
		of := r.index[(b-first)*indexEntrySize:]
		end := int64(binary.LittleEndian.Uint64(of))
		if end < at || end > s.Bytes {
			return nil, run.file.Differs()
		}
		if b >= from {
			r.ranges = append(r.ranges, bucketRange{at, end, binary.LittleEndian.Uint64(of[8:])})
		}
		at = end
	}
	return r.ranges, nil
}

// readAll fills b with the bytes from an offset on.
func readAll(file File, b []byte, off int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := file.ReadAt(b, off)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF || err == nil:
		return file.Differs()
	}
	return err
}

// IDOf returns the ID of the run of a scan; attempt identifies the process that makes it.
func IDOf(attempt string, scan int) uint64 { return xxh3.HashString(fmt.Sprint(attempt, " ", scan)) }

// digestOf returns the digest of data in the run with an ID. The ID is part of it, so that a run
// in the place of another is detected.
func digestOf(data []byte, id uint64) uint64 { return xxh3.Hash(data) ^ id }

// check compares the bytes of a range with its digest.
func (x *bucketRange) check(run *storedRun, data []byte) error {
	if digestOf(data, run.ID) != x.digest {
		return run.file.Differs()
	}
	return nil
}

// each calls visit for the entries of a partition, unsorted. It skips rows beyond the limit of their
// value. An entry is valid until visit returns. Its marks have the numbers of the Merged, not of the run.
func (r *reader) each(e *entries, p *partition, visit func(run *storedRun, entry []byte) error) error {
	return r.eachRange(p, func(run *storedRun, data []byte) error {
		for at := 0; at < len(data); {
			n, err := run.next(e, data[at:])
			if err == nil && e.marks(data[at:])[0] != rows.Skipped {
				err = visit(run, data[at:at+n:at+n])
			}
			if err != nil {
				return err
			}
			at += n
		}
		return nil
	})
}

// eachSegment calls visit with the ranges of the buckets of a partition in each segment.
func (r *reader) eachSegment(p *partition, visit func(run *storedRun, at int64, ranges []bucketRange) error) error {
	for i := range p.of.runs {
		run := &p.of.runs[i]
		for _, s := range run.Segments {
			ranges, err := r.readIndex(run, s, p.from, p.to)
			if err == nil {
				err = visit(run, s.Offset, ranges)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// eachRange calls visit with the bytes of each bucket of a partition in each segment, after it
// compared their digest.
func (r *reader) eachRange(p *partition, visit func(run *storedRun, data []byte) error) error {
	return r.eachSegment(p, func(run *storedRun, offset int64, ranges []bucketRange) error {
		for _, x := range ranges {
			n := int(x.to - x.from)
			if cap(r.buf) < n || cap(r.buf) > max(largestRead, 2*n) {
				r.buf = make([]byte, n)
			}
			data := r.buf[:n]
			err := readAll(run.file, data, offset+x.from)
			if err == nil {
				err = x.check(run, data)
			}
			if err == nil {
				err = visit(run, data)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// readInto reads a partition into buf from the offset at on, and calls visit with the offset of each
// entry. buf must have exactly the right size.
func (r *reader) readInto(buf []byte, e *entries, p *partition, at int,
	visit func(run *storedRun, at int) error) error {
	err := r.eachSegment(p, func(run *storedRun, offset int64, ranges []bucketRange) error {
		from, to := ranges[0].from, ranges[len(ranges)-1].to
		if to-from > int64(len(buf)-at) {
			return run.file.Differs()
		}
		data := buf[at : at+int(to-from)]
		if err := readAll(run.file, data, offset+from); err != nil {
			return err
		}
		for _, x := range ranges {
			if err := x.check(run, data[x.from-from:x.to-from]); err != nil {
				return err
			}
		}
		for end := at + len(data); at < end; {
			n, err := run.next(e, buf[at:end])
			if err == nil {
				err = visit(run, at)
			}
			if err != nil {
				return err
			}
			at += n
		}
		return nil
	})
	if err == nil && at != len(buf) { // although every digest is correct
		return bug.Errorf("%d bytes of a part are %d", len(buf), at)
	}
	return err
}

// largestRead is the number of bytes that a reader keeps for reuse. It keeps more only for reads that need at least
// half of them.
const largestRead = 1 << 20

// next returns the length of the entry at the start of b. It replaces the entry's numbers of the
// run by the numbers of the Merged, and the split of a row with a stratum by the decision. The split
// of a row beyond the limit of its value becomes rows.Skipped, and a group loses its windows beyond it.
func (r *storedRun) next(e *entries, b []byte) (int, error) {
	if len(b) < e.header {
		return 0, r.file.Differs()
	}
	n, marks := e.size(b), e.marks(b)
	if e.groups && n <= len(b) && !rows.Group(b[e.header:n]).IsValid() {
		return 0, r.file.Differs()
	}
	if n > len(b) || int(marks[0]) >= len(r.Splits) {
		return 0, r.file.Differs()
	}
	marks[0] = r.Splits[marks[0]]
	if of := e.stratum(b); of.Number > 0 {
		if int(of.Number) > len(r.Strata) {
			return 0, r.file.Differs()
		}
		marks[0] = e.set.Strata.Split(rows.Stratum{Number: r.Strata[of.Number-1], Point: of.Point})
	}
	if e.values == 0 {
		return n, nil
	}
	if ends := e.set.Limits.Ends().Of(marks[0]); ends != nil {
		number, err := r.value(e, b, ends.Column)
		if err != nil {
			return 0, err
		}
		switch at := e.sortKey(b); {
		case ends.IsAbove(number, at):
			marks[0] = rows.Skipped
		case e.groups:
			g := rows.Group(b[e.header:n])
			g.SetWindows(ends.Windows(number, at, g.Windows()))
		}
	}
	return n, nil
}

// value returns the number in the Merged of the value of the entry at the start of b in a column of
// `limit`.
func (r *storedRun) value(e *entries, b []byte, column int) (uint32, error) {
	number := e.value(b, column)
	switch {
	case number == 0:
		return 0, nil
	case int(number) > len(r.Values):
		return 0, r.file.Differs()
	}
	return r.Values[number-1], nil
}
