package files

import (
	"cmp"
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
	group.SetLimit(maxConcurrent)
	var failed atomic.Bool
	errs := make([]error, n)
	for i := 0; i < n && ctx.Err() == nil && !failed.Load(); i++ {
		group.Go(func() error {
			if errs[i] = f(i); errs[i] != nil {
				failed.Store(true)
			}
			return nil
		})
	}
	_ = group.Wait() // the errors are in errs
	return cmp.Or(cmp.Or(errs...), context.Cause(ctx))
}
