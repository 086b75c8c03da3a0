package files

import (
	"cmp"
	"context"

	"tfr-build/internal/pool"
)

// maxConcurrent is the number of files that Each handles at once. It does not depend on the
// number of processors, because a remote file is mostly waited for.
const maxConcurrent = 16

// Each calls f for each of n files, several at once. It returns the error of the first file that
// failed. After an error no further call begins.
func Each(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	err := pool.Each(ctx, maxConcurrent, n, func(_ context.Context, _, i int) error {
		errs[i] = f(i)
		return errs[i]
	})
	return cmp.Or(cmp.Or(errs...), err)
}
