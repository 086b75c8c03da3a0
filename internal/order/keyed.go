package order

import (
	"context"

	"tfr-build/internal/pool"
)

// Mode Keyed needs the rows themselves for keys and splits, and reads each row only once. Buckets
// cannot be counted in advance, because the splits are unknown. So all entries are first stored
// in the order of reading, with their splits in the unused bits of the positions. Then they are
// moved in place:
//
//	fill     each group of chunks stores its entries, one after another
//	count    with known splits and keys: the number of entries in each bucket
//	permute  each entry moves to its bucket and displaces another one, which moves to its own bucket
//	sort     each bucket is sorted, as in the other modes
//
// Entries without a split are moved to the end and dropped.

// placeBits is the number of bits of a position. It is enough for files of 64 PiB in total.
const placeBits = 56

// maxPlaces is the maximum length of a Sequence for Keyed.
const maxPlaces = 1 << placeBits

func (s *sorter) placeEntries(ctx context.Context) error {
	s.entries = make([]Entry, s.total)
	most := make([]int, len(s.groups))
	if err := pool.Each(ctx, s.workers, len(s.groups), func(ctx context.Context, worker, group int) (err error) {
		most[group], err = s.fillGroup(ctx, worker, group)
		return err
	}); err != nil {
		return err
	}
	for _, splits := range most {
		s.splits = max(s.splits, splits)
	}
	// The rows name the splits, so their number is known only now. It does not affect the order.
	s.top = topBits(s.total, s.splits)
	if err := s.countEntries(ctx); err != nil {
		return err
	}
	return s.permute(ctx)
}

// fillGroup stores the rows of a group, and returns the highest split among them plus one.
func (s *sorter) fillGroup(ctx context.Context, worker, group int) (splits int, err error) {
	at := s.firstRow(group)
	err = s.eachBatch(ctx, worker, group, func(b *batch) {
		for j, split := range b.splits[:b.n] {
			key := b.keys[j]
			if split == NoSplit {
				key = 0 // one bucket for all of them
			} else {
				splits = max(splits, int(split)+1)
			}
			s.entries[at] = Entry{key, uint64(split)<<placeBits | b.seqs[j]}
			at++
		}
	})
	return splits, err
}

// firstRow returns the index of a group's first row among all rows.
func (s *sorter) firstRow(group int) (n int) {
	for i := range s.rows.Chunks[:s.groups[group].From] {
		n += len(s.rows.Chunks[i].Starts)
	}
	return n
}

// countEntries computes the bounds of the buckets. The last bucket has the rows without a split.
func (s *sorter) countEntries(ctx context.Context) error {
	for split := range s.splits {
		s.firstBucket[split] = split << s.top
	}
	s.firstBucket[NoSplit] = s.splits << s.top
	ranges := Cut(len(s.entries), s.workers)
	counts := make([][]int, s.workers)
	err := pool.Each(ctx, s.workers, len(ranges), func(_ context.Context, _, i int) error {
		counts[i] = make([]int, s.splits<<s.top+1)
		for j := ranges[i].From; j < ranges[i].To; j++ {
			counts[i][s.bucketOf(s.entries[j])]++
		}
		return nil
	})
	s.bounds = make([]int, s.splits<<s.top+2)
	for b := range s.bounds[1:] {
		s.bounds[b+1] = s.bounds[b]
		for _, count := range counts {
			if count != nil {
				s.bounds[b+1] += count[b]
			}
		}
	}
	return err
}

// bucketOf returns the bucket of an entry that stores its split.
func (s *sorter) bucketOf(e Entry) int {
	return s.firstBucket[e.Seq>>placeBits] + int(e.Key>>1>>((63-s.top)&63))
}

// permute moves every entry to its bucket. First, each worker permutes a stripe of every bucket.
// Entries that fit nowhere in a worker's stripes remain, usually a few percent. The second pass
// moves them, and skips the others quickly.
func (s *sorter) permute(ctx context.Context) error {
	if s.workers > 1 {
		if err := pool.Each(ctx, s.workers, s.workers, func(ctx context.Context, _, i int) error {
			p := newStripe(s.bounds, i, s.workers)
			return p.permute(ctx, s.entries, s.bucketOf)
		}); err != nil {
			return err
		}
	}
	all := newStripe(s.bounds, 0, 1)
	return all.permute(ctx, s.entries, s.bucketOf)
}

// reshuffle calls Deal for the sorted rows of a split.
func (r *Rows) reshuffle(entries []Entry) {
	if r.Deal != nil {
		r.Deal(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	}
}

// clearSplits removes the splits from the positions.
func clearSplits(entries []Entry) {
	for i := range entries {
		entries[i].Seq &= maxPlaces - 1
	}
}
