package files

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// atOnce is how many files are looked at side by side: more than there are processors,
// for one that comes from afar is waited for.
const atOnce = 16

// Each calls f for each of n files, several at once. Its error is that of the first
// file that has one; no call begins after it.
func Each(ctx context.Context, n int, f func(i int) error) error {
	var group errgroup.Group
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, n)
	for range min(n, atOnce) {
		group.Go(func() error {
			for ctx.Err() == nil && !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					break
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
			return nil
		})
	}
	_ = group.Wait() // the errors are beside it
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
