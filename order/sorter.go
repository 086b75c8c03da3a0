package order

import (
	"context"
	"math/bits"
	"slices"
)

const (
	bucketRows = 1 << 10 // rows a bucket has on average, while that takes few buckets
	mostRows   = 1 << 15 // rows it has at most on average, however many it takes
	fewBits    = 11      // so many buckets a split are few: scattering to them stays in cache
	mostCells  = 1 << 15 // buckets of all splits, while a bucket is not above mostRows
	groups     = 4       // of chunks, a worker: one that is held up leaves the rest to others
)

// A sorter makes the indexes of all splits in one slice, where each bucket, a
// split's rows with the same top bits of the key, has its place:
//
//	count    every group of chunks counts its rows by bucket
//	scatter  every group puts its rows into the buckets, after those of the group before
//	sort     every bucket is sorted, in cache
//
// Groups are neighbouring chunks, so that equal keys come in source order.
type sorter struct {
	rows    *Rows
	total   int // rows of all chunks
	workers int
	splits  int
	top     uint     // bits that tell a split's buckets apart
	groups  []Range  // of chunks
	next    [][]int  // by group and bucket: how many rows, then where the next one goes
	bounds  []int    // of the buckets
	keys    []uint64 // unless Keyed
	batches []batch  // by worker

	entries []Entry          // Keyed
	first   [NoSplit + 1]int // Keyed: the first bucket of a split
}

func newSorter(rows *Rows, workers int) *sorter {
	workers = max(1, workers)
	s := &sorter{rows: rows, workers: workers, splits: rows.Splits}
	for i := range rows.Chunks {
		s.total += len(rows.Chunks[i].Starts)
	}
	s.group()
	s.batches = make([]batch, min(workers, len(s.groups)))
	return s
}

// topBits is the logarithm of the number of buckets a split has.
func topBits(rows, splits int) uint {
	few := min(fewBits, bits.Len(uint(rows/bucketRows)))
	few = min(few, bits.Len(uint(mostCells/max(1, splits))))
	return uint(max(few, bits.Len(uint(rows/mostRows))-bits.Len(uint(splits))))
}

// group parts the chunks into groups of about equally many rows.
func (s *sorter) group() {
	least := s.total/(groups*s.workers) + 1
	from, rows := 0, 0
	for i := range s.rows.Chunks {
		rows += len(s.rows.Chunks[i].Starts)
		if rows >= least || i+1 == len(s.rows.Chunks) {
			s.groups = append(s.groups, Range{from, i + 1})
			from, rows = i+1, 0
		}
	}
}

func (s *sorter) sort(ctx context.Context) ([]*Index, error) {
	place := s.placeKeys
	if s.rows.Mode == Keyed {
		place = s.placeEntries
	}
	if err := place(ctx); err != nil {
		return nil, err
	}
	scratches := make([]scratch, s.workers)
	if err := each(ctx, s.workers, s.splits<<s.top, func(_ context.Context, worker, i int) error {
		s.sortBucket(&scratches[worker], s.bounds[i], s.bounds[i+1])
		return nil
	}); err != nil {
		return nil, err
	}
	return s.indexes(), nil
}

func (s *sorter) indexes() []*Index {
	indexes := make([]*Index, s.splits)
	for i := range indexes {
		from, to := s.bounds[i<<s.top], s.bounds[(i+1)<<s.top]
		r := s.rows
		x := &Index{mode: r.Mode, shuffle: r.Shuffle, space: r.Space, sequence: r.Sequence}
		if r.Mode == Keyed {
			x.entries = s.entries[from:to:to]
			r.deal(x.entries)
		} else {
			x.keys = s.keys[from:to:to]
		}
		indexes[i] = x
	}
	return indexes
}

// chunks calls f with the rows of a group in batches.
func (s *sorter) chunks(ctx context.Context, worker, group int, f func(*batch)) error {
	b := &s.batches[worker]
	for i := s.groups[group].From; i < s.groups[group].To; i++ {
		for from := 0; from < len(s.rows.Chunks[i].Starts); {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			n, err := b.load(s.rows, worker, i, from)
			if err != nil {
				return err
			}
			f(b)
			from += n
		}
	}
	return nil
}

// placeKeys makes s.keys, each key in its bucket.
func (s *sorter) placeKeys(ctx context.Context) error {
	if s.rows.Mode != Source {
		s.top = topBits(s.total, s.splits)
	}
	s.next = make([][]int, len(s.groups))
	for g := range s.next {
		s.next[g] = make([]int, s.splits<<s.top)
	}
	if err := each(ctx, s.workers, len(s.groups), s.count); err != nil {
		return err
	}
	s.assign()
	return each(ctx, s.workers, len(s.groups), s.scatter)
}

func (s *sorter) count(ctx context.Context, worker, group int) error {
	counts, top := s.next[group], s.top
	return s.chunks(ctx, worker, group, func(b *batch) {
		for j, k := range b.keys[:b.n] {
			counts[bucket(b.splits[j], k, top)]++
		}
	})
}

// bucket is the number of the bucket of a row.
func bucket(split uint8, key uint64, top uint) int {
	// Two shifts, for a top of 0 needs one by 64; the masks spare checks for more.
	return int(uint64(split)<<(top&63) | key>>1>>((63-top)&63))
}

// assign turns the counts into places, and makes room for the rows.
func (s *sorter) assign() {
	at := 0
	s.bounds = make([]int, s.splits<<s.top+1)
	for i := range s.splits << s.top {
		for _, next := range s.next {
			next[i], at = at, at+next[i]
		}
		s.bounds[i+1] = at
	}
	s.keys = make([]uint64, at)
}

func (s *sorter) scatter(ctx context.Context, worker, group int) error {
	next, top := s.next[group], s.top
	return s.chunks(ctx, worker, group, func(b *batch) {
		for j, k := range b.keys[:b.n] {
			to := &next[bucket(b.splits[j], k, top)]
			s.keys[*to] = k
			*to++
		}
	})
}

func (s *sorter) sortBucket(scratch *scratch, from, to int) {
	switch s.rows.Mode {
	case Shuffled:
		scratch.sortKeys(s.keys[from:to], s.top)
	case Source:
		slices.Sort(s.keys[from:to])
	case Keyed:
		bare(s.entries[from:to])
		scratch.sortEntries(s.entries[from:to], s.top)
	}
}
