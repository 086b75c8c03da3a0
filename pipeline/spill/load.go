package spill

import (
	"cmp"
	"slices"

	"tfr-build/pipeline/rows"
)

// indexSize is the memory of an indexed row.
const indexSize = 16

// An indexed row is a row of a loaded run: its key and where its entry stands.
type indexed struct{ key, at uint64 }

// A loaded run is a run in memory, its rows in order, split by split.
type loaded struct {
	buf    []byte
	codes  *codes
	splits []loadedSplit // by number
}

// A loadedSplit is a run of a split's rows, from the rank first on.
type loadedSplit struct {
	run   *loaded
	first int
	rows  []indexed
}

// Append appends rows by their ranks.
func (s *loadedSplit) Append(dst []rows.Row, from, to int) []rows.Row {
	for _, p := range s.rows[from-s.first : to-s.first] {
		_, r, bad, _ := parseEntry(s.run.buf[p.at:])
		if bad != 0 {
			r.Bad = s.run.codes.name(bad)
		}
		dst = append(dst, r)
	}
	return dst
}

// index lists the rows of the run by split; there are about so many.
func (l *loaded) index(splits, rows int) {
	for len(l.splits) < splits {
		l.splits = append(l.splits, loadedSplit{run: l})
	}
	for i := range l.splits {
		l.splits[i].rows = l.splits[i].rows[:0]
	}
	if splits == 1 && cap(l.splits[0].rows) < rows {
		l.splits[0].rows = make([]indexed, 0, rows+rows/8)
	}
	for at := 0; at < len(l.buf); {
		key, r, _, n := parseEntry(l.buf[at:])
		s := &l.splits[r.Split]
		s.rows = append(s.rows, indexed{key, uint64(at)})
		at += n
	}
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
		if bucket := rows[from:ends[b]]; len(bucket) > 1 {
			slices.SortFunc(bucket, s.compare)
		}
		from = ends[b]
	}
}

// compare orders rows by key, and rows of one key as their input stands.
func (s *loadedSplit) compare(a, b indexed) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	_, ra, _, _ := parseEntry(s.run.buf[a.at:])
	_, rb, _, _ := parseEntry(s.run.buf[b.at:])
	return cmp.Or(cmp.Compare(ra.File, rb.File), cmp.Compare(ra.Offset, rb.Offset))
}
