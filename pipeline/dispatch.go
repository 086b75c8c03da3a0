package pipeline

import (
	"cmp"
	"context"
	"math"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/task"
)

// finishers is how many shards are brought to the disk beside the workers'
// encoding; when there are more, the workers do it themselves.
const finishers = 2

// A handout is a block that a worker takes.
type handout struct {
	block *task.Block
	done  func()
}

// A dispatch has the workers write all blocks: they and everything else that runs
// stand in one group, whose first error stops all.
type dispatch struct {
	b         *build
	group     *errgroup.Group
	out       chan handout
	finishing chan struct{} // holds one for each shard that is finished beside the workers
	reading   atomic.Int64  // workers that are not through
}

// readsOn says that rows which cannot be used have ended the run, long before it
// can say which.
func (b *build) readsOn() {
	b.run.inform("some rows cannot be used: nothing more is written, and the others are read for an account of all")
}

// dispatch writes all blocks of rows that are located.
func (b *build) dispatch(ctx context.Context, l located) error {
	b.run.Progress.Start(pool.Writing, b.work.RowsToWrite())
	group, ctx := errgroup.WithContext(ctx)
	d := &dispatch{b: b, group: group, out: make(chan handout), finishing: make(chan struct{}, finishers)}
	late := time.AfterFunc(math.MaxInt64, b.readsOn)
	defer late.Stop()
	defer b.work.Start(ctx, func() { late.Reset(cmp.Or(b.run.readsOn, 2*time.Second)) })()
	b.pool.Go(group, func() error {
		defer close(d.out)
		return l.Dispatch(ctx, b.work, func(block *task.Block, done func()) error { return d.give(ctx, handout{block, done}) })
	})
	d.reading.Store(int64(b.pool.Size()))
	for range b.pool.Size() {
		b.pool.Go(group, func() error { return d.worker(ctx) })
	}
	return group.Wait()
}

func (d *dispatch) give(ctx context.Context, h handout) error {
	select {
	case d.out <- h:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// worker writes the blocks that it is given. It makes its task.Worker when the
// first one is there: by then the others are at work on threads of their own, and
// what two workers write to for each row is not in one line of memory.
func (d *dispatch) worker(ctx context.Context) error {
	defer func() {
		if d.reading.Add(-1) == 0 {
			d.b.set.Release() // beside the last shards' finishing
		}
	}()
	h, more := <-d.out
	if !more {
		return nil
	}
	w, err := d.b.work.NewWorker()
	if err != nil {
		h.done()
		return err
	}
	defer w.Close()
	for ; more; h, more = <-d.out {
		if err := d.block(ctx, w, h); err != nil {
			return err
		}
	}
	return nil
}

// block writes a block; whatever comes of it, it is done.
func (d *dispatch) block(ctx context.Context, w *task.Worker, h handout) error {
	defer h.done()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	last, err := w.Block(ctx, h.block)
	if err != nil || !last {
		return err
	}
	return d.finish(h.block.Shard)
}

// finish completes a shard, beside the workers if there is room.
func (d *dispatch) finish(sh *task.Shard) error {
	select {
	case d.finishing <- struct{}{}:
		d.b.pool.Go(d.group, func() error {
			defer func() { <-d.finishing }()
			return sh.Finish()
		})
		return nil
	default:
		return sh.Finish()
	}
}
