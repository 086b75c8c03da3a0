package spill

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// A part of the rows is what several buckets hold of them, in all runs.
type part struct {
	of       *store
	from, to int
	bytes    int64
	rows     []int // by split
}

// A store is runs on one grid.
type store struct {
	runs    []stored
	buckets []Bucket
}

// A stored run is one in a file.
type stored struct {
	Part
	file File
}

// parts groups buckets into parts that are loaded at once: in memory each takes at most
// about limit bytes, unless it is one bucket.
func (s *store) parts(limit int64) []*part {
	var list []*part
	last := &part{of: s}
	for b := range s.buckets {
		n := memoryOf(&s.buckets[b])
		if last.to > last.from && last.memory()+n > limit {
			list = append(list, last)
			last = &part{of: s, from: b, to: b}
		}
		last.to = b + 1
		last.add(&s.buckets[b])
	}
	return append(list, last)
}

func (p *part) add(b *Bucket) {
	p.bytes += b.Bytes
	for len(p.rows) < len(b.Rows) {
		p.rows = append(p.rows, 0)
	}
	for i, n := range b.Rows {
		p.rows[i] += n
	}
}

// memoryOf is what a bucket takes in memory, with its index.
func memoryOf(b *Bucket) int64 { return b.Bytes + int64(b.count()*indexSize) }

func (p *part) count() (n int) {
	for _, rows := range p.rows {
		n += rows
	}
	return n
}

func (p *part) memory() int64 { return p.bytes + int64(p.count()*indexSize) }

// An extent is where a segment has a bucket.
type extent struct {
	from, to int64
	digest   uint64
}

// A reader reads extents. It belongs to one goroutine.
type reader struct {
	index   []byte
	extents []extent
	buf     []byte
}

// extentsOf reads where a segment has the buckets from … to-1, and checks that it may.
func (r *reader) extentsOf(run *stored, s Segment, from, to int) ([]extent, error) {
	first := max(0, from-1)
	n := (to - first) * extentSize
	if cap(r.index) < n {
		r.index = make([]byte, n)
	}
	r.index = r.index[:n]
	if err := readAll(run.file, r.index, s.Offset+s.Bytes+int64(first*extentSize)); err != nil {
		return nil, err
	}
	r.extents = r.extents[:0]
	at := int64(0)
	for b := first; b < to; b++ {
		of := r.index[(b-first)*extentSize:]
		end := int64(binary.LittleEndian.Uint64(of))
		if end < at || end > s.Bytes {
			return nil, run.file.Differs()
		}
		if b >= from {
			r.extents = append(r.extents, extent{at, end, binary.LittleEndian.Uint64(of[8:])})
		}
		at = end
	}
	return r.extents, nil
}

// readAll reads as many bytes as b has.
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

// IDOf is the ID of the run that a process makes of a scan.
func IDOf(attempt string, scan int) uint64 { return xxh3.HashString(fmt.Sprint(attempt, " ", scan)) }

// digestOf is the digest of data in the run of an ID: a run that stands in the place of
// another is not as that was written.
func digestOf(data []byte, id uint64) uint64 { return xxh3.Hash(data) ^ id }

// check checks what was read of an extent of a run.
func (x *extent) check(run *stored, data []byte) error {
	if digestOf(data, run.ID) != x.digest {
		return run.file.Differs()
	}
	return nil
}

// each calls visit for the entries of a part, one after another and in no order. An
// entry holds until the call after; its marks are those of the store.
func (r *reader) each(e *entries, p *part, visit func(entry []byte) error) error {
	return r.eachExtent(p, func(run *stored, data []byte) error {
		for at := 0; at < len(data); {
			n, err := run.next(e, data[at:])
			if err == nil {
				err = visit(data[at : at+n : at+n])
			}
			if err != nil {
				return err
			}
			at += n
		}
		return nil
	})
}

// eachExtent calls visit with the bytes of each extent of a part, which are as they were
// written.
func (r *reader) eachExtent(p *part, visit func(run *stored, data []byte) error) error {
	for i := range p.of.runs {
		run := &p.of.runs[i]
		for _, s := range run.Segments {
			extents, err := r.extentsOf(run, s, p.from, p.to)
			if err != nil {
				return err
			}
			for _, x := range extents {
				if err := r.extent(run, s, x, visit); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// largestRead is how much memory a reader keeps for the next extent.
const largestRead = 1 << 20

func (r *reader) extent(run *stored, s Segment, x extent, visit func(run *stored, data []byte) error) error {
	n := int(x.to - x.from)
	if cap(r.buf) < n || cap(r.buf) > largestRead {
		r.buf = make([]byte, n)
	}
	data := r.buf[:n]
	if err := readAll(run.file, data, s.Offset+x.from); err != nil {
		return err
	}
	if err := x.check(run, data); err != nil {
		return err
	}
	return visit(run, data)
}

// next is the length of the entry that b begins with, whose numbers it makes those of the
// store.
func (r *stored) next(e *entries, b []byte) (int, error) {
	if len(b) < e.header {
		return 0, r.file.Differs()
	}
	n, marks := e.size(b), e.marks(b)
	if n > len(b) || int(marks[0]) >= len(r.Splits) || int(marks[1]) >= len(r.Codes) {
		return 0, r.file.Differs()
	}
	marks[0], marks[1] = r.Splits[marks[0]], r.Codes[marks[1]]
	return n, nil
}
