package find

import (
	"context"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/strata"
)

// divided has the numbers of the strata of the rows of a chunk, by chunk: 0 for a row without a
// split. A chunk whose rows must be chosen, now that all strata are known, has none.
type divided [][]uint32

func (d divided) of(chunk int) []uint32 {
	if d == nil {
		return nil
	}
	return d[chunk]
}

// divide finds the strata of all rows of stratified sources, and divides the rows among the splits.
// It stores the strata of rows whose points the row ID determines. Other rows are read again for
// their split.
func (c *choosers) divide(ctx context.Context, o *order.Rows) (divided, error) {
	all := c.f.Set.Strata
	if all == nil {
		return nil, nil
	}
	all.Forget()
	again := newChoosers(c.f, c.f.Set.NewChooser) // does not count the rows that are skipped
	defer again.close()
	kept, found := make(divided, len(o.Chunks)), make(strata.Memories, len(c.list))
	n := 0
	for i := range o.Chunks {
		n += len(o.Chunks[i].Starts)
	}
	for i := range found {
		found[i] = strata.NewMemory(n * 9 / 8 / len(found)) // workers do not read equally many
	}
	err := c.f.Pool.Each(ctx, len(o.Chunks), func(worker, i int) error {
		chunk := &o.Chunks[i]
		src, _ := c.f.Set.File(chunk.File)
		if !src.Stratified() || len(chunk.Starts) == 0 {
			return nil
		}
		if o.Mode != order.Keyed && src.Config.Split.By == "" {
			kept[i] = make([]uint32, len(chunk.Starts))
			return c.collectChosen(worker, o.Chunks, i, kept[i], found[worker])
		}
		return again.collect(worker, chunk, found[worker])
	})
	if err != nil {
		return nil, err
	}
	return kept, all.Decide(found)
}

// collectChosen chooses the rows of a chunk, and stores their strata.
func (c *choosers) collectChosen(worker int, chunks []order.Chunk, i int, numbers []uint32, to *strata.Memory) error {
	return c.choose(worker, chunks, i, 0, len(numbers), func(n int, of *rows.Facts) {
		if numbers[n] = of.Stratum.Number; numbers[n] > 0 {
			to.Add(of.Stratum.Point, numbers[n]-1, 1)
		}
	})
}

// collect reads the strata of the rows of a chunk. It ignores invalid rows: they are rejected later,
// when they are chosen.
func (c *choosers) collect(worker int, chunk *order.Chunk, to *strata.Memory) error {
	return c.f.eachRow(chunk, 0, len(chunk.Starts), func(_ int, r *rows.Row) error {
		of, err := c.list[worker].Choose(r)
		if err != nil && !rows.IsInvalid(err) {
			return err
		}
		if of.Stratum.Number > 0 {
			to.Add(of.Stratum.Point, of.Stratum.Number-1, 1)
		}
		return nil
	})
}

// splitByStrata sets the splits of the rows of a chunk from their strata.
func (c *choosers) splitByStrata(chunk *order.Chunk, numbers []uint32, splits []uint8) {
	set := c.f.Set
	for n, number := range numbers {
		splits[n] = order.NoSplit
		if number > 0 {
			p := positionIn(chunk, n)
			splits[n] = set.Strata.Split(rows.Stratum{Number: number,
				Point: order.SplitPoint(set.Space.Address(p.File, p.Offset))})
		}
	}
}
