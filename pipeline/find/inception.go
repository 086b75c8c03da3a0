package find

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tfr-build/order"
	"tfr-build/order/inception"
	"tfr-build/schema"
)

// deal shuffles the rows of a split, sorted by class and name, as Inception's script
// did; nil for other orders.
func (f *Finder) deal() func(n int, swap func(i, j int)) {
	cfg := f.Set.Config
	python, ok := cfg.Inception()
	if !ok {
		return nil
	}
	return func(n int, swap func(i, j int)) { inception.Shuffle(python, cfg.Seed, n, swap) }
}

// rankClasses has the classes of all rows sorted by name, where nothing lists them.
// Rows without a class are passed over: they are rejected when their key is asked for.
func (c *choosers) rankClasses(ctx context.Context, chunks []order.Chunk) error {
	seen := make([]map[string]bool, len(c.list)) // by worker
	for i := range seen {
		seen[i] = map[string]bool{}
	}
	err := c.f.Pool.Each(ctx, len(chunks), func(worker, i int) error {
		for n := range chunks[i].Starts {
			r := c.f.Set.At(placeIn(&chunks[i], n), order.NoSplit)
			class, err := c.list[worker].Class(&r)
			if err == nil {
				seen[worker][string(class)] = true
			} else if _, bad := errors.AsType[*schema.RowError](err); !bad {
				return err
			}
		}
		return nil
	})
	all := map[string]bool{}
	for _, some := range seen {
		maps.Copy(all, some)
	}
	c.f.Set.Ranks.Set(slices.Sorted(maps.Keys(all)))
	return err
}
