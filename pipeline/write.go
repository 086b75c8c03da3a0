package pipeline

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// finishers is how many shards are brought to the disk beside the workers'
// encoding; when there are more, the workers do it themselves.
const finishers = 2

// write encodes and writes all blocks: the workers and everything else that
// runs stand in one group, whose first error stops all.
func (j *job) write(ctx context.Context, blocks []block, rows int64) error {
	j.run.Progress.start("writing", rows)
	group, ctx := errgroup.WithContext(ctx)
	j.startWriting(ctx, group)
	defer j.stopWriting()
	var next, reading atomic.Int64
	reading.Store(int64(max(1, j.run.Workers)))
	for range max(1, j.run.Workers) {
		group.Go(func() (err error) {
			defer func() {
				if reading.Add(-1) == 0 {
					j.unmap() // beside the last shards' finishing
				}
			}()
			defer j.guard(&err)()
			w, err := j.newWorker()
			if err != nil {
				return err
			}
			defer w.close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(blocks) {
					return nil
				}
				if err := w.block(ctx, &blocks[i]); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return group.Wait()
}

// startWriting makes the context that stops the writing, and not the looking,
// at the first bad row.
func (j *job) startWriting(ctx context.Context, group *errgroup.Group) {
	j.firstMu.Lock()
	defer j.firstMu.Unlock()
	j.group = group
	j.finishing = make(chan struct{}, finishers)
	j.writing, j.stopWriting = context.WithCancel(ctx)
	if j.looking.Load() {
		j.stopWriting()
	}
}

// finish completes a shard, beside the workers if there is room.
func (j *job) finish(s *shard) error {
	done := func() error {
		err := s.finish(j)
		if err != nil && j.looking.Load() {
			return nil // a bad row stopped the writing
		}
		return err
	}
	select {
	case j.finishing <- struct{}{}:
		j.group.Go(func() error {
			defer func() { <-j.finishing }()
			return done()
		})
		return nil
	default:
		return done()
	}
}
