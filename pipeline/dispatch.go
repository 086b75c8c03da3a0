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

// finishers is the number of shards that are synced in parallel with the workers; if there are
// more, workers do it themselves.
const finishers = 2

// A blockTask is a block for a worker.
type blockTask struct {
	block *task.Block
	done  func()
}

// A dispatch makes the workers write all blocks. All its goroutines are in one group; the first
// error stops all.
type dispatch struct {
	b         *build
	group     *errgroup.Group
	blocks    chan blockTask
	finishing chan struct{} // one element per shard that is finished in parallel with the workers
	reading   atomic.Int64  // workers that still read
}

// informReading says that invalid rows made the build fail. The message with the rows follows much
// later, when all rows are read.
func (b *build) informReading() {
	b.job.run.inform("some rows cannot be used: nothing more is written, and the others are read for an account of all")
}

// dispatch writes all blocks of the shards that are not reused.
func (b *build) dispatch(ctx context.Context) error {
	b.job.run.Progress.Start(pool.Writing, b.work.RowsToWrite())
	group, ctx := errgroup.WithContext(ctx)
	d := &dispatch{b: b, group: group, blocks: make(chan blockTask), finishing: make(chan struct{}, finishers)}
	late := time.AfterFunc(math.MaxInt64, b.informReading)
	defer late.Stop()
	defer b.work.Start(ctx, func() { late.Reset(cmp.Or(b.job.run.informAfter, 2*time.Second)) })()
	b.job.pool.Go(group, func() error {
		defer close(d.blocks)
		return b.rows.Dispatch(ctx, b.work, func(block *task.Block,
			done func()) error {
			return d.assign(ctx, blockTask{block, done})
		})
	})
	d.reading.Store(int64(b.job.pool.Size()))
	for range b.job.pool.Size() {
		b.job.pool.Go(group, func() error { return d.worker(ctx) })
	}
	return group.Wait()
}

// assign passes a block to a worker.
func (d *dispatch) assign(ctx context.Context, h blockTask) error {
	select {
	case d.blocks <- h:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// worker writes the blocks it receives. It creates its task.Worker when the first block arrives:
// by then all workers run on threads of their own, so that they do not share cache lines that they
// write for each row.
func (d *dispatch) worker(ctx context.Context) error {
	defer func() {
		if d.reading.Add(-1) == 0 && d.b.rebuild == nil { // a rebuild may read rows again
			d.b.job.set.Release() // in parallel with finishing the last shards
		}
	}()
	h, more := <-d.blocks
	if !more {
		return nil
	}
	w, err := d.b.work.NewWorker()
	if err != nil {
		h.done()
		return err
	}
	defer w.Close()
	for ; more; h, more = <-d.blocks {
		if err := d.block(ctx, w, h); err != nil {
			return err
		}
	}
	return nil
}

// block writes a block, and calls its done in any case.
func (d *dispatch) block(ctx context.Context, w *task.Worker, h blockTask) error {
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

// finish completes a shard, in parallel with the workers if possible.
func (d *dispatch) finish(sh *task.Shard) error {
	select {
	case d.finishing <- struct{}{}:
		d.b.job.pool.Go(d.group, func() error {
			defer func() { <-d.finishing }()
			return sh.Finish()
		})
		return nil
	default:
		return sh.Finish()
	}
}
