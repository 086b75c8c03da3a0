package order

import (
	"context"
	"math/rand/v2"
	"slices"
	"sort"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/pool"
)

// Mode Keyed needs the rows themselves for keys and splits, and reads each row only once. Buckets
// cannot be counted in advance, because the splits are unknown. So all entries are first stored
// in the order of reading, with their splits in the unused bits of the positions. Then they are
// sorted in place. Entries without a split are then at the end, and are dropped.

// placeBits is the number of bits of a position. It is enough for files of 64 PiB in total.
const placeBits = 56

// maxPlaces is the maximum length of a Sequence for Keyed.
const maxPlaces = 1 << placeBits

func (s *sorter) placeEntries(ctx context.Context) error {
	s.entries = make([]Entry, s.total)
	if err := pool.Each(ctx, s.workers, len(s.groups), s.fillGroup); err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(s.workers)
	group.Go(func() error { return sortEntries(ctx, &group, s.entries) })
	if err := group.Wait(); err != nil {
		return err
	}
	first := func(split int) int {
		return sort.Search(len(s.entries), func(i int) bool { return s.entries[i].split() >= split })
	}
	// The rows name the splits, so their number is known only now.
	if n := first(NoSplit); n > 0 {
		s.splits = max(s.splits, s.entries[n-1].split()+1)
	}
	for split := range s.splits + 1 {
		s.bounds = append(s.bounds, first(split))
	}
	return nil
}

// fillGroup stores the rows of a group.
func (s *sorter) fillGroup(ctx context.Context, worker, group int) error {
	at := s.firstRow(group)
	return s.eachBatch(ctx, worker, group, func(b *batch) {
		for j, split := range b.splits[:b.n] {
			s.entries[at] = Entry{b.keys[j], uint64(split)<<placeBits | b.seqs[j]}
			at++
		}
	})
}

// firstRow returns the index of a group's first row among all rows.
func (s *sorter) firstRow(group int) (n int) {
	for i := range s.rows.Chunks[:s.groups[group].From] {
		n += len(s.rows.Chunks[i].Starts)
	}
	return n
}

// sortEntries sorts entries with the goroutines of a group: it divides them at a pivot until a part
// has few, and leaves the lower part to another goroutine if the group has room for one.
func sortEntries(ctx context.Context, group *errgroup.Group, entries []Entry) error {
	for len(entries) > maxBucketRows {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		low, high := divide(entries)
		sortLow := func() error { return sortEntries(ctx, group, low) }
		if !group.TryGo(sortLow) {
			if err := sortLow(); err != nil {
				return err
			}
		}
		entries = high
	}
	slices.SortFunc(entries, Entry.compare)
	return nil
}

// divide moves the entries before a pivot to low, and the others to high. No two entries are equal,
// so only their place in memory depends on the pivot.
func divide(entries []Entry) (low, high []Entry) {
	var sample [33]Entry
	for i := range sample {
		sample[i] = entries[rand.IntN(len(entries))]
	}
	slices.SortFunc(sample[:], Entry.compare)
	pivot := sample[len(sample)/2]
	for i, j := 0, len(entries)-1; ; i, j = i+1, j-1 {
		for entries[i].compare(pivot) < 0 {
			i++
		}
		for entries[j].compare(pivot) > 0 {
			j--
		}
		if i >= j {
			return entries[:i], entries[i:]
		}
		entries[i], entries[j] = entries[j], entries[i]
	}
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
