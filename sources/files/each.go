package files

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// maxConcurrent is the number of files that Each handles at once. It does not depend on the
// number of processors, because a remote file is mostly waited for.
const maxConcurrent = 16

// Each calls f for each of n files, several at once. It returns the error of the first file that
// failed. After an error no further call begins.
func Each(ctx context.Context, n int, f func(i int) error) error {
	var group errgroup.Group
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, n)
	for range min(n, maxConcurrent) {
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
	_ = group.Wait() // the errors are in errs
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
