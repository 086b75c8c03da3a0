// Package pool runs steps of work on a bounded number of goroutines, and tracks their progress:
//
//	p := pool.Pool{Workers: 8, Progress: progress, Changed: changed}
//	p.Progress.Start(pool.FindingRows, n)
//	err := p.Each(ctx, n, func(worker, i int) error { … })
//
// A panic of a step becomes an error. A SIGBUS or SIGSEGV in mapped memory means that a mapped file
// was truncated. Any other panic is a bug of the program, which must not leave files behind.
package pool

import (
	"context"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/bug"
)

// A Pool runs work on a number of workers.
type Pool struct {
	Workers  int
	Progress *Progress    // may be nil
	Changed  func() error // returns the error of a truncated mapped file
}

// Size returns the number of workers, at least 1.
func (p *Pool) Size() int { return max(1, p.Workers) }

// Each calls f for every i below n, on all workers. The first error cancels the remaining calls and
// is returned. If ctx ends, Each returns its cause.
func (p *Pool) Each(ctx context.Context, n int, f func(worker, i int) error) error {
	return p.EachOf(ctx, p.Size(), n, f)
}

// EachOf is Each with another number of workers.
func (p *Pool) EachOf(ctx context.Context, workers, n int, f func(worker, i int) error) error {
	return Each(ctx, workers, n, func(_ context.Context, worker, i int) error {
		return p.Guard(func() error { return f(worker, i) })
	})
}

// Each calls f for every i below n, from at most workers goroutines, which are numbered. The first
// error cancels the context of the other calls, no further call begins, and it is returned after
// all calls have returned. If ctx ends, Each returns its cause.
func Each(ctx context.Context, workers, n int, f func(ctx context.Context, worker, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for worker := range max(1, min(workers, n)) {
		group.Go(func() error {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := f(ctx, worker, i); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return group.Wait()
}

// Go runs f in a group. Its panics become errors.
func (p *Pool) Go(group *errgroup.Group, f func() error) {
	group.Go(func() error { return p.Guard(f) })
}

// Guard runs f. Its panics become errors.
func (p *Pool) Guard(f func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		switch r := recover(); {
		case r == nil:
		case bug.IsFault(r):
			err = p.Changed()
		default:
			err = bug.Of(r, "")
		}
	}()
	return f()
}
