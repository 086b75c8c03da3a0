package find

import (
	"context"
	"maps"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/internal/order/inception"
	"tfr-build/pipeline/rows"
)

// reshuffler returns a function that shuffles the rows of a split, sorted by class and name, in
// the way of Inception's script; nil for other orders.
func (f *Finder) reshuffler() func(n int, swap func(i, j int)) {
	cfg := f.Set.Config
	python, ok := cfg.Inception()
	if !ok {
		return nil
	}
	return func(n int, swap func(i, j int)) { inception.Shuffle(python, cfg.Seed, n, swap) }
}

// rankClasses finds the classes of all rows and ranks them by name, for a config that does not
// list them. It ignores rows without a class: they are rejected later, when their key is needed.
func (c *choosers) rankClasses(ctx context.Context, chunks []order.Chunk) error {
	seen := make([]map[string]bool, len(c.list)) // by worker
	for i := range seen {
		seen[i] = map[string]bool{}
	}
	err := c.f.Pool.Each(ctx, len(chunks), func(worker, i int) error {
		return c.f.eachRow(&chunks[i], 0, len(chunks[i].Starts), func(_ int, r *rows.Row) error {
			class, err := c.list[worker].Class(r)
			if err == nil {
				seen[worker][string(class)] = true
			} else if !rows.IsInvalid(err) {
				return err
			}
			return nil
		})
	})
	all := map[string]bool{}
	for _, some := range seen {
		maps.Copy(all, some)
	}
	c.f.Set.Ranks.Set(slices.Sorted(maps.Keys(all)))
	return err
}
