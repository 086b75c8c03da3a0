// Package find finds the position of each row in place, and sorts the positions. Then each row is
// read once more, and written to its final offset:
//
//	sources ─Find─► chunks, in parallel ─► starts of rows ─► deciding columns ─► order.Rows ─► indexes
//	                                                         splits and keys                  one per split
//
// It needs input that can be read at random offsets. Package spill handles other input.
package find

import (
	"context"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/input"
)

// stepSize is the number of bytes of a table that a worker searches per step.
const stepSize = 1 << 20

// A Finder finds the rows of a set, with the workers of Pool. Rejects without a split are added to
// Log.
type Finder struct {
	Set  *rows.Set
	Pool *pool.Pool
	Log  *rejects.Log
	Step int // bytes searched per step; 0 for the default

	// Compare is called with all rows before they are chosen, n of them. each calls visit for each
	// row, on all workers. It is nil if rows are not compared.
	Compare func(ctx context.Context, n int64, each func(visit func(worker int, r *rows.Row) error) error) error
}

// Found has the positions of the rows, sorted.
type Found struct {
	Sources   []plan.Source
	indexes   []*order.Index // by number of the split; includes rows beyond the limit of the split
	overLimit []*order.Index // by number of the split: rows beyond the limits of values; nil if no row is

	set  *rows.Set
	pool *pool.Pool
}

// Find finds all rows. It calls counted with the number of rows of each source, before it reads
// deciding columns.
func (f *Finder) Find(ctx context.Context, counted func([]plan.Source) error) (*Found, error) {
	searches, err := f.startSearches(ctx)
	if err != nil {
		return nil, err
	}
	found := &Found{set: f.Set, pool: f.Pool}
	if found.Sources, err = f.search(ctx, searches); err != nil {
		return nil, err
	}
	if err := counted(found.Sources); err != nil {
		return nil, err
	}
	o := &order.Rows{Mode: f.Set.Mode(), Shuffle: f.Set.Shuffle, Space: f.Set.Space, Sequence: f.Set.Sequence,
		Chunks: f.chunks(searches)}
	if f.Compare != nil {
		if err := f.compare(ctx, o.Chunks); err != nil {
			return nil, err
		}
	}
	choosers := newChoosers(f, f.Set.NewChooser)
	defer choosers.close()
	if f.Set.Ranks.ByName() {
		if err := choosers.rankClasses(ctx, o.Chunks); err != nil {
			return nil, err
		}
	}
	divided, err := choosers.divide(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.Mode == order.Keyed {
		o.Splits, o.Keys, o.Deal = f.Set.Splits.Known(), choosers.keys(o), f.reshuffler()
	} else {
		if err := choosers.markSplits(ctx, o.Chunks, divided); err != nil {
			return nil, err
		}
		o.Splits = len(f.Set.Splits.Names())
	}
	found.indexes, err = o.Index(ctx, f.Pool.Size())
	if err == nil && f.Set.Limits != nil {
		err = found.limit(ctx, f)
	}
	for _, ch := range choosers.list {
		ch.AddSkipped(found.Sources)
	}
	return found, err
}

// startSearches starts the search in each source, and maps their files.
func (f *Finder) startSearches(ctx context.Context) ([]input.Search, error) {
	step := f.Step
	if step <= 0 {
		step = stepSize
	}
	var list []input.Search
	for _, src := range f.Set.Sources {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s, err := src.Find(step)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	f.Set.SetTexts()
	return list, nil
}

// search searches all sources in parallel. Then it combines the results for each file, and returns
// the number of rows of each source.
func (f *Finder) search(ctx context.Context, searches []input.Search) ([]plan.Source, error) {
	type step struct{ source, number int }
	var steps []step
	for i, s := range searches {
		for n := range s.Steps() {
			steps = append(steps, step{i, n})
		}
	}
	f.Pool.Progress.Start(pool.FindingRows, int64(len(steps)))
	err := f.Pool.Each(ctx, len(steps), func(_, i int) error {
		searches[steps[i].source].Step(steps[i].number)
		f.Pool.Progress.Done(1, 0)
		return nil
	})
	if err != nil {
		return nil, err
	}
	files := make([]input.Found, f.Set.Files())
	err = f.Pool.Each(ctx, len(files), func(_, i int) error {
		src, local := f.Set.File(i)
		files[i] = searches[src.Number].Finish(local)
		return files[i].Err
	})
	found := make([]plan.Source, len(searches))
	for i, n := range files {
		src, _ := f.Set.File(i)
		found[src.Number].Found += int64(n.Rows)
		found[src.Number].Blank += int64(n.Blank)
	}
	return found, err
}

// chunks returns the rows found, in source order.
func (f *Finder) chunks(searches []input.Search) []order.Chunk {
	var all []order.Chunk
	for i, src := range f.Set.Sources {
		split, cuts := src.Fixed()
		for _, c := range searches[i].Chunks() {
			c.File += src.First
			c.Split, c.Cuts = split, cuts
			all = append(all, c)
		}
	}
	return all
}

// choosers reads the columns that determine splits and keys, with one chooser per worker.
type choosers struct {
	f    *Finder
	list []*rows.Chooser
}

func newChoosers(f *Finder, newChooser func() *rows.Chooser) *choosers {
	c := &choosers{f: f}
	for range f.Pool.Size() {
		c.list = append(c.list, newChooser())
	}
	return c
}

func (c *choosers) close() {
	for _, ch := range c.list {
		ch.Close()
	}
}

// choose calls use with the facts of the rows from from to to-1 of a chunk. A row without a split is rejected, or
// skipped by `where` or `sample`.
func (c *choosers) choose(worker int, chunks []order.Chunk, i, from, to int, use func(n int, of *rows.Facts)) error {
	chunk := &chunks[i]
	return c.f.eachRow(chunk, from, to, func(n int, r *rows.Row) error {
		of, err := c.list[worker].Choose(r)
		if err != nil {
			err = c.f.Log.AddWithout(r.Locator(), err)
		}
		if err == nil {
			use(n, of)
		}
		return err
	})
}

// eachRow calls visit with the rows from from to to-1 of a chunk. A panic names its row.
func (f *Finder) eachRow(chunk *order.Chunk, from, to int, visit func(n int, r *rows.Row) error) error {
	r := new(rows.Row) // one for all: visit makes it escape
	defer f.Set.LocatePanic(&r)
	for n := from; n < to; n++ {
		f.Set.SetAt(r, positionIn(chunk, n), order.NoSplit)
		if err := visit(n, r); err != nil {
			return err
		}
	}
	return nil
}

// markSplits sets the split of each row of the sources that need columns to determine it. divided
// has the strata of rows that are chosen already.
func (c *choosers) markSplits(ctx context.Context, chunks []order.Chunk, divided divided) error {
	return c.f.Pool.Each(ctx, len(chunks), func(worker, i int) (err error) {
		chunk := &chunks[i]
		src, _ := c.f.Set.File(chunk.File)
		if !src.Decides() || len(chunk.Starts) == 0 {
			return nil
		}
		splits := make([]uint8, len(chunk.Starts))
		if strata := divided.of(i); strata != nil {
			c.splitByStrata(chunk, strata, splits)
			return chunk.Mark(splits)
		}
		err = c.choose(worker, chunks, i, 0, len(splits), func(n int, of *rows.Facts) { splits[n] = of.Split })
		if err != nil {
			return err
		}
		return chunk.Mark(splits)
	})
}

// keys returns the function by which package order gets the key and the split of each row, once.
func (c *choosers) keys(o *order.Rows) func(worker, chunk, from int, keys []uint64, splits []uint8) error {
	return func(worker, chunk, from int, keys []uint64, splits []uint8) error {
		return c.f.Pool.Guard(func() error {
			return c.choose(worker, o.Chunks, chunk, from, from+len(keys), func(n int, of *rows.Facts) {
				splits[n-from], keys[n-from] = of.Split, of.Key
			})
		})
	}
}

// positionIn returns the position of row n of a chunk.
func positionIn(c *order.Chunk, n int) order.Position {
	if c.Files {
		return order.Position{File: c.File + int(c.Start(n))}
	}
	return order.Position{File: c.File, Offset: c.Offset + int64(c.Start(n))}
}
