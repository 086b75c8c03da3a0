package find

import (
	"context"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/rows"
)

// limit moves the rows beyond the limits of values from indexes to overLimit. It reads the values again, in output
// order: stored ones would take memory, and time to find the value of a row by its position.
func (f *Found) limit(ctx context.Context, of *Finder) error {
	again := newChoosers(of, of.Set.NewKeptChooser) // does not count the rows that are skipped
	defer again.close()
	f.overLimit = make([]*order.Index, len(f.indexes))
	for split, x := range f.indexes {
		f.overLimit[split] = x.First(0)
		counter := f.set.Limits.NewCounter(f.set.Splits.Name(uint8(split)))
		if counter == nil {
			continue
		}
		numbers := make([]uint32, x.Len())
		f.pool.Progress.Start(pool.FindingRows, int64(x.Len()))
		err := f.eachRanked(ctx, x, uint8(split), nil, func(worker, rank int, r *rows.Row) error {
			of, err := again.list[worker].Choose(r)
			if err == nil {
				numbers[rank] = of.Values[counter.Column]
			} else if !rows.IsInvalid(err) { // else the row is rejected when it is written
				return err
			}
			return nil
		})
		if err != nil {
			return err
		}
		kept := 0
		for rank, number := range numbers {
			within, _ := counter.Add(number, 1)
			numbers[rank] = within
			kept += int(within)
		}
		if kept < x.Len() {
			f.indexes[split], f.overLimit[split] = x.Divide(kept, func(rank int) bool { return numbers[rank] > 0 })
		}
	}
	return nil
}
