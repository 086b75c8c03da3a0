package order

import (
	"context"
	"math/bits"
	"slices"

	"tfr-build/internal/pool"
)

const (
	bucketRows      = 1 << 10 // average rows per bucket, as long as that needs few buckets
	maxBucketRows   = 1 << 15 // maximum average rows per bucket, however many buckets that needs
	maxCachedBits   = 11      // with so many buckets per split, scattering stays in the cache
	maxBuckets      = 1 << 15 // of all splits, as long as buckets are within maxBucketRows
	groupsPerWorker = 4       // groups of chunks; workers take over groups of slow workers
)

// A sorter makes the indexes of all splits in one slice. Each bucket has its range there: the
// rows of a split with the same top bits of the key.
//
//	count    each group of chunks counts its rows by bucket
//	scatter  each group stores its rows in the buckets, after the rows of the group before
//	sort     each bucket is sorted, in the cache
//
// A group has consecutive chunks, so equal keys stay in source order.
type sorter struct {
	rows    *Rows
	total   int // rows in all chunks
	workers int
	splits  int
	top     uint     // bits of a key that select the bucket in a split
	groups  []Range  // of chunks
	next    [][]int  // by group and bucket: number of rows, then offset of the next row
	bounds  []int    // of buckets; for Keyed, of splits
	keys    []uint64 // not for Keyed
	batches []batch  // by worker

	entries []Entry // only for Keyed
}

func newSorter(rows *Rows, workers int) *sorter {
	workers = max(1, workers)
	s := &sorter{rows: rows, workers: workers, splits: rows.Splits}
	for i := range rows.Chunks {
		s.total += len(rows.Chunks[i].Starts)
	}
	s.groupChunks()
	s.batches = make([]batch, min(workers, len(s.groups)))
	return s
}

// topBits returns the binary logarithm of the number of buckets per split.
func topBits(rows, splits int) uint {
	few := min(maxCachedBits, bits.Len(uint(rows/bucketRows)))
	few = min(few, bits.Len(uint(maxBuckets/max(1, splits))))
	return uint(max(few, bits.Len(uint(rows/maxBucketRows))-bits.Len(uint(splits))))
}

// groupChunks divides the chunks into groups with similar numbers of rows.
func (s *sorter) groupChunks() {
	least := s.total/(groupsPerWorker*s.workers) + 1
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
	if err := pool.Each(ctx, s.workers, s.splits<<s.top, func(_ context.Context, worker, i int) error {
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
			r.reshuffle(x.entries)
		} else {
			x.keys = s.keys[from:to:to]
		}
		indexes[i] = x
	}
	return indexes
}

// eachBatch calls f with the rows of a group in batches.
func (s *sorter) eachBatch(ctx context.Context, worker, group int, f func(*batch)) error {
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

// placeKeys sets s.keys, with each key in its bucket.
func (s *sorter) placeKeys(ctx context.Context) error {
	if s.rows.Mode != Source {
		s.top = topBits(s.total, s.splits)
	}
	s.next = make([][]int, len(s.groups))
	for g := range s.next {
		s.next[g] = make([]int, s.splits<<s.top)
	}
	if err := pool.Each(ctx, s.workers, len(s.groups), s.countKeys); err != nil {
		return err
	}
	s.assignOffsets()
	return pool.Each(ctx, s.workers, len(s.groups), s.scatterKeys)
}

func (s *sorter) countKeys(ctx context.Context, worker, group int) error {
	counts, top := s.next[group], s.top
	return s.eachBatch(ctx, worker, group, func(b *batch) {
		for j, k := range b.keys[:b.n] {
			counts[bucket(b.splits[j], k, top)]++
		}
	})
}

// bucket returns the bucket of a row.
func bucket(split uint8, key uint64, top uint) int {
	return int(uint64(split)<<top | key>>(64-top))
}

// assignOffsets replaces the counts by offsets, and allocates the keys.
func (s *sorter) assignOffsets() {
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

func (s *sorter) scatterKeys(ctx context.Context, worker, group int) error {
	next, top := s.next[group], s.top
	return s.eachBatch(ctx, worker, group, func(b *batch) {
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
		clearSplits(s.entries[from:to])
	}
}
