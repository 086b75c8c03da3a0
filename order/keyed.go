package order

import "context"

// An index of Mode Keyed is made of what reading the rows gives, and a row is
// read once: its split and its bucket are not known before, so that there is
// nothing to count. All entries are put down where they come, with their splits
// in the spare bits of their places, and then moved in place:
//
//	fill     every group of chunks puts its rows down, one after another
//	count    now that splits and keys are known: the rows of each bucket
//	permute  every entry goes to its bucket, and replaces the one there, which goes to its own
//	sort     every bucket is sorted, as in the other modes
//
// Rows without a split are moved after all others and forgotten.

// placeBits are enough for a place: files of 64 PiB together.
const placeBits = 56

// maxPlaces is how long a Sequence may be for Keyed.
const maxPlaces = 1 << placeBits

func (s *sorter) placeEntries(ctx context.Context) error {
	s.entries = make([]Entry, s.total)
	most := make([]int, len(s.groups))
	if err := each(ctx, s.workers, len(s.groups), func(ctx context.Context, worker, group int) (err error) {
		most[group], err = s.fill(ctx, worker, group)
		return err
	}); err != nil {
		return err
	}
	for _, splits := range most {
		s.splits = max(s.splits, splits)
	}
	// Only now, since the rows name splits; any other number gives the same order.
	s.top = topBits(s.total, s.splits)
	if err := s.countEntries(ctx); err != nil {
		return err
	}
	return s.permute(ctx)
}

// fill puts the rows of a group down and returns one more than the highest
// split among them.
func (s *sorter) fill(ctx context.Context, worker, group int) (splits int, err error) {
	at := s.firstRow(group)
	err = s.chunks(ctx, worker, group, func(b *batch) {
		for j, split := range b.splits[:b.n] {
			key := b.keys[j]
			if split == NoSplit {
				key = 0 // all of them share one bucket
			} else {
				splits = max(splits, int(split)+1)
			}
			s.entries[at] = Entry{key, uint64(split)<<placeBits | b.seqs[j]}
			at++
		}
	})
	return splits, err
}

// firstRow is the number of a group's first row among all rows.
func (s *sorter) firstRow(group int) (n int) {
	for i := range s.rows.Chunks[:s.groups[group].From] {
		n += len(s.rows.Chunks[i].Starts)
	}
	return n
}

// countEntries finds the bounds of the buckets. The last one, after all splits,
// has the rows that have none.
func (s *sorter) countEntries(ctx context.Context) error {
	for split := range s.splits {
		s.first[split] = split << s.top
	}
	s.first[NoSplit] = s.splits << s.top
	pieces := Cut(len(s.entries), s.workers)
	counts := make([][]int, s.workers)
	err := each(ctx, s.workers, len(pieces), func(_ context.Context, _, i int) error {
		counts[i] = make([]int, s.splits<<s.top+1)
		for j := pieces[i].From; j < pieces[i].To; j++ {
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

// bucketOf is the number of the bucket of an entry that holds its split.
func (s *sorter) bucketOf(e Entry) int {
	return s.first[e.Seq>>placeBits] + int(e.Key>>1>>((63-s.top)&63))
}

// permute moves every entry to its bucket. Workers begin with a stripe of each
// bucket: what fits nowhere in a worker's own stripes, a few percent as a rule,
// is left to the pass over all that follows, which passes over the rest quickly.
func (s *sorter) permute(ctx context.Context) error {
	if s.workers > 1 {
		if err := each(ctx, s.workers, s.workers, func(ctx context.Context, _, i int) error {
			p := newStripe(s.bounds, i, s.workers)
			return p.permute(ctx, s.entries, s.bucketOf)
		}); err != nil {
			return err
		}
	}
	all := newStripe(s.bounds, 0, 1)
	return all.permute(ctx, s.entries, s.bucketOf)
}

// deal brings the sorted rows of a split into the order of Deal.
func (r *Rows) deal(entries []Entry) {
	if r.Deal != nil {
		r.Deal(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	}
}

// bare takes the splits out of the places.
func bare(entries []Entry) {
	for i := range entries {
		entries[i].Seq &= maxPlaces - 1
	}
}
