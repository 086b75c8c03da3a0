package find

import (
	"cmp"
	"context"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// ranked returns the rows of a split by rank; it reads them in place.
type ranked struct {
	set   *rows.Set
	index *order.Index
	split uint8
}

// Append implements [rows.Ranked].
func (x ranked) Append(dst []rows.Row, from, to int) []rows.Row {
	var places [rows.Ahead]order.Position
	dst = slices.Grow(dst, to-from)
	for from < to {
		n := min(to-from, rows.Ahead)
		for _, p := range x.index.Positions(places[:0], from, from+n) {
			dst = dst[:len(dst)+1]
			x.set.SetAt(&dst[len(dst)-1], p, x.split)
		}
		from += n
	}
	return dst
}

// index returns the rows of a split that will be written.
func (f *Found) index(split uint8) *order.Index {
	x := f.indexes[split]
	if most, limited := f.set.Splits.Limit(f.set.Config.Limit, split); limited && most < int64(x.Len()) {
		return x.First(int(most))
	}
	return x
}

// Ranked returns the rows of a split, by its name.
func (f *Found) Ranked(split string) rows.Ranked {
	n := f.set.Splits.Number(split)
	return ranked{f.set, f.index(n), n}
}

// Classes returns no names: finding rows does not collect them.
func (f *Found) Classes() (names map[string][]string, ok bool) { return nil, false }

// Dispatch passes the blocks of all shards that will be written to assign, and starts read-ahead.
func (f *Found) Dispatch(ctx context.Context, w *task.Work, assign task.Assign) error {
	w.Prefetch(w.Plan.Rows(), f.set.Mapped())
	cut, err := f.cutShards(ctx, w)
	if err != nil {
		return err
	}
	all := interleave(cut, f.pool.Size())
	ahead := newWindow(f.set, all)
	for i := range all {
		ahead.advance(i)
		if err := assign(&all[i], func() {}); err != nil {
			return err
		}
	}
	return nil
}

// cutShards splits the shards that will be written into blocks, several shards in parallel. Each
// shard must know its number of blocks before the first is written.
func (f *Found) cutShards(ctx context.Context, w *task.Work) ([][]task.Block, error) {
	type uncut struct {
		split int
		shard *task.Shard
		ranks rows.Ranked
	}
	var list []uncut
	for i, shards := range w.Shards() {
		ranks := f.Ranked(w.Plan.Splits[i].Name)
		for _, sh := range shards {
			if !sh.Kept {
				list = append(list, uncut{i, sh, ranks})
			}
		}
	}
	cut := make([][]task.Block, len(list))
	return cut, f.pool.Each(ctx, len(list), func(_, i int) error {
		cut[i] = w.Blocks(list[i].split, list[i].shard, list[i].ranks)
		return nil
	})
}

// Count returns the number of rows of each source and of each split, in output order. Rows beyond
// the limit of a split are included. For each split it samples the record size.
func (f *Found) Count() (found []plan.Source, counted []plan.Counted, err error) {
	err = f.pool.Guard(func() error {
		encoder := f.set.NewEncoder()
		defer encoder.Close()
		var all []sampled
		for _, n := range f.set.Splits.Sorted() {
			c := plan.Counted{Name: f.set.Splits.Name(uint8(n))}
			var some []sampled
			for _, x := range f.indexesOf(n) {
				c.Rows, c.Measured = c.Rows+x.Len(), c.Measured+x.Len()
				f.countListed(x, &c)
				some = append(some, f.sample(x, uint8(n))...)
			}
			if c.OverLimit = c.Rows - f.indexes[n].Len(); c.OverLimit > 0 {
				some = f.lowest(some)
			}
			if f.set.Strata == nil {
				if c.Mean, c.Candidates, err = f.measure(encoder, some); err != nil {
					return err
				}
			}
			all, counted = append(all, some...), append(counted, c)
		}
		if f.set.Strata != nil {
			mean, candidates, err := f.measure(encoder, f.lowest(all))
			if err != nil {
				return err
			}
			plan.Pool(counted, mean, candidates)
		}
		return nil
	})
	return f.Sources, counted, err
}

// indexesOf returns the indexes of all rows of a split.
func (f *Found) indexesOf(split int) []*order.Index {
	if f.overLimit == nil {
		return f.indexes[split : split+1]
	}
	return []*order.Index{f.indexes[split], f.overLimit[split]}
}

// lowest returns the sample of several samples: the rows with the lowest keys.
func (f *Found) lowest(all []sampled) []sampled {
	slices.SortFunc(all, func(a, b sampled) int { return cmp.Compare(a.key, b.key) })
	return all[:min(len(all), rows.SampleSize(f.set))]
}

// countListed counts the rows of a split whose size the listing has, and adds up these sizes.
func (f *Found) countListed(x *order.Index, c *plan.Counted) {
	var sized []bool
	any := false
	for _, src := range f.set.Sources {
		hasSizes := src.HasSizes()
		sized, any = append(sized, hasSizes), any || hasSizes
	}
	if !any {
		return
	}
	var places []order.Position
	for _, block := range order.Blocks(order.Range{To: x.Len()}) {
		places = x.Positions(places[:0], block.From, block.To)
		for _, p := range places {
			if src, local := f.set.File(p.File); sized[src.Number] {
				c.Measured--
				c.Listed += uint64(src.Listing().Files[local].Size)
			}
		}
	}
}

// sampleAhead is the number of rows that are prefetched after the measured row.
const sampleAhead = 31

// A sampled is a row that is measured.
type sampled struct {
	position order.Position
	key      uint64 // in the shuffled order
	split    uint8
}

// sample returns the rows with the lowest keys of an index. Rows whose splits depend on others are
// measured as rows of the first split, as if they were spilled.
func (f *Found) sample(x *order.Index, split uint8) (list []sampled) {
	for _, p := range x.Sample(rows.SampleSize(f.set)) {
		of := sampled{p, f.set.Shuffle.Key(f.set.Space.Address(p.File, p.Offset)), split}
		if src, _ := f.set.File(p.File); src.Stratified() {
			of.split = src.FirstSplit()
		}
		list = append(list, of)
	}
	return list
}

// measure returns the mean size of rows, and candidates for frequent values.
func (f *Found) measure(encoder *rows.Encoder, some []sampled) (mean plan.Size, candidates []byte, err error) {
	ahead := rows.NewReadAhead(f.set)
	if ahead != nil && !ahead.Helps(len(some)) {
		ahead = nil
	}
	list := make([]rows.Row, len(some))
	for i, of := range some {
		list[i] = f.set.At(of.position, of.split)
		if ahead != nil {
			ahead.Add(&list[i])
		}
	}
	if ahead != nil {
		ahead.Start()
	}
	encoder.Prefetch(list[:min(len(list), sampleAhead)])
	sizes := make([]plan.Size, len(list))
	var records [][]byte
	for i := range list {
		if next := i + sampleAhead; next < len(list) {
			encoder.Prefetch(list[next : next+1])
		}
		if sizes[i], err = encoder.Measure(&list[i]); err != nil {
			return plan.Size{}, nil, err
		}
		if kept := plan.CopyIfSmall(encoder.Measured()); sizes[i].Record > 0 && kept != nil {
			records = append(records, kept)
		}
	}
	return plan.MeanOf(sizes), count.Candidates(f.set, records), nil
}

// Each calls visit for each row that will be written, on all workers. Before, it prefetches the row's text and calls
// ahead, unless that is nil.
func (f *Found) Each(ctx context.Context, ahead func(worker int, r *rows.Row),
	visit func(worker int, r *rows.Row) error) error {
	all := make([]*order.Index, len(f.indexes))
	total := 0
	for split := range all {
		all[split] = f.index(uint8(split))
		total += all[split].Len()
	}
	f.pool.Progress.Start(pool.ReadingClasses, int64(total))
	for split, x := range all {
		err := f.eachRanked(ctx, x, uint8(split), ahead, func(worker, _ int, r *rows.Row) error {
			return visit(worker, r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachRanked calls visit for the rows of an index with their ranks, as Each does.
func (f *Found) eachRanked(ctx context.Context, x *order.Index, split uint8, ahead func(worker int, r *rows.Row),
	visit func(worker, rank int, r *rows.Row) error) error {
	total := 0
	for _, x := range f.indexes {
		total += x.Len()
	}
	lines, ranks := prefetch.LinesOf(f.set.Mapped(), total), ranked{f.set, x, split}
	blocks := order.Blocks(order.Range{To: x.Len()})
	return f.pool.Each(ctx, len(blocks), func(worker, i int) error {
		block := ranks.Append(nil, blocks[i].From, blocks[i].To)
		for k := range block {
			if next := k + rows.Ahead; next < len(block) {
				prefetch.Lines(block[next].Data, lines)
				if ahead != nil {
					ahead(worker, &block[next])
				}
			}
			if err := visit(worker, blocks[i].From+k, &block[k]); err != nil {
				return err
			}
		}
		f.pool.Progress.Done(int64(len(block)), 0)
		return nil
	})
}
