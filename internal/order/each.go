package order

import (
	"context"
	"sync"
	"sync/atomic"
)

// each calls f for every i below n, from at most workers goroutines, and returns after all calls
// have returned. The first error cancels the context, and no further calls begin. f gets the
// number of its goroutine.
func each(ctx context.Context, workers, n int, f func(ctx context.Context, worker, i int) error) error {
	workers = max(1, min(workers, n))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func(worker int) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if err := f(ctx, worker, i); err != nil {
				cancel(err)
			}
		}
	}
	var group sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { work(worker) })
	}
	work(0)
	group.Wait()
	return context.Cause(ctx)
}
