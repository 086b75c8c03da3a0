package find

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"tfr-build/internal/order"
)

// chunkValues has the numbers of the values of each row of a chunk, in the columns of `limit`: of the
// first row, of the second row, and so on. It is nil if no row has one.
type chunkValues []uint32

// set stores the numbers of row n of a chunk with so many rows.
func (v *chunkValues) set(n, rows int, numbers []uint32) {
	if *v == nil {
		if !slices.ContainsFunc(numbers, func(number uint32) bool { return number > 0 }) {
			return
		}
		*v = make(chunkValues, rows*len(numbers))
	}
	copy((*v)[n*len(numbers):], numbers)
}

// keepValues makes the choosers store the values that limits need.
func (c *choosers) keepValues(chunks int) {
	if c.f.Set.Limits != nil {
		c.values = make([]chunkValues, chunks)
	}
}

// A valueIndex finds the values of a row by its position.
type valueIndex struct {
	chunks []order.Chunk
	values []chunkValues // by chunk
	sorted []int         // numbers of the chunks with values, by position
}

func newValueIndex(chunks []order.Chunk, values []chunkValues) *valueIndex {
	x := &valueIndex{chunks: chunks, values: values}
	for i := range chunks {
		if values[i] != nil {
			x.sorted = append(x.sorted, i)
		}
	}
	slices.SortFunc(x.sorted, func(a, b int) int {
		return cmp.Or(cmp.Compare(chunks[a].File, chunks[b].File), cmp.Compare(chunks[a].Offset, chunks[b].Offset))
	})
	return x
}

// number returns the number of the value of a row in a column; 0 if it has none.
func (x *valueIndex) number(p order.Position, column, columns int) uint32 {
	i := sort.Search(len(x.sorted), func(i int) bool {
		c := &x.chunks[x.sorted[i]]
		return c.File > p.File || c.File == p.File && c.Offset > p.Offset
	}) - 1
	if i < 0 {
		return 0
	}
	c := &x.chunks[x.sorted[i]]
	n := sort.Search(len(c.Starts), func(n int) bool {
		at := positionIn(c, n)
		return at.File > p.File || at.File == p.File && at.Offset >= p.Offset
	})
	if n == len(c.Starts) || positionIn(c, n) != p {
		return 0
	}
	return x.values[x.sorted[i]][n*columns+column]
}

// limit moves the rows beyond the limits of values from indexes to overLimit.
func (f *Found) limit(ctx context.Context, values *valueIndex) error {
	f.overLimit = make([]*order.Index, len(f.indexes))
	for split, x := range f.indexes {
		f.overLimit[split] = x.First(0)
		counter := f.set.Limits.NewCounter(f.set.Splits.Name(uint8(split)))
		if counter == nil {
			continue
		}
		numbers, err := f.numbers(ctx, x, values, counter.Column)
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

// numbers returns the numbers of the values of all rows of an index in a column, by rank.
func (f *Found) numbers(ctx context.Context, x *order.Index, values *valueIndex, column int) ([]uint32, error) {
	numbers, columns := make([]uint32, x.Len()), f.set.Limits.Columns()
	blocks := order.Blocks(order.Range{To: x.Len()})
	return numbers, f.pool.Each(ctx, len(blocks), func(_, i int) error {
		for k, p := range x.Positions(nil, blocks[i].From, blocks[i].To) {
			numbers[blocks[i].From+k] = values.number(p, column, columns)
		}
		return nil
	})
}
