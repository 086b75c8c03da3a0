package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// commit publishes the dataset, once all shards are written.
func (t *Tasks) commit(ctx context.Context) (*TasksDone, error) {
	if err := t.readMerged(); err != nil {
		return nil, err
	}
	claim, err := t.plan.Claim()
	if err != nil {
		return nil, err
	}
	var written [][]sink.LeftShard
	early := t.plan.Ready(t.folder, work.Write, len(t.merged.Tasks))
	if early == nil {
		early = t.plan.Each(t.folder, work.Write, len(t.merged.Tasks), func(k int, n *work.Note) error {
			written = append(written, n.Written)
			if t.merged.IsMade(k, n.Written) {
				return nil
			}
			if err := t.plan.Undo(t.folder, work.Write, k); err != nil {
				return err
			}
			return &NotYetError{
				Phase: work.Write, Of: len(t.merged.Tasks),
				Why: fmt.Sprintf("write task %d is to be done again: its note names other shards", k),
			}
		})
	}
	if early != nil { // another process may have published the dataset before it was stopped
		held, err := sink.ClaimOn(t.run.Storage, t.plan.Output)
		if err != nil || bytes.Equal(held, claim) {
			return nil, cmp.Or(err, early)
		}
	}
	t.run.HashInputs = t.plan.Hashed
	t.run.Progress.Plan(pool.Phase{Name: pool.CheckingShards, Bytes: 1})
	j, err := t.open(ctx, fullView)
	if err != nil {
		return nil, err
	}
	j.log = t.newLog()
	c := &committer{build: &build{job: j, claim: claim, attempt: t.folder.Attempt()}, tasks: t, written: written, early: early}
	result, err := c.commitAll(ctx)
	if locked, held := errors.AsType[*sink.LockedError](err); held {
		return nil, &NotYetError{Phase: work.Commit, Of: 1, Why: locked.Error()}
	}
	if err != nil {
		return nil, err
	}
	done := &TasksDone{Did: 1, Of: 1, Output: result.Output, Summary: result.Summary, Result: result}
	return done, t.run.closeWork(t.folder, &work.Committed{Plan: t.plan.Digest(), Output: result.Output, Summary: result.Summary})
}

// A committer publishes the shards that tasks wrote.
type committer struct {
	*build
	tasks   *Tasks
	written [][]sink.LeftShard // by write task
	early   error              // says that some shards are missing
}

// commitAll publishes the dataset, unless it exists: then the task that published it was stopped
// right after.
func (c *committer) commitAll(ctx context.Context) (result *Result, err error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	defer func() {
		switch closed := c.stage.Close(); {
		case closed == nil || err != nil:
		case result != nil: // a late task may have written files
			c.run.warn("the dataset is complete, but what its tasks made could not be removed: " + closed.Error())
		default:
			err = closed
		}
	}()
	if result, err := c.upToDate(ctx); result != nil || err != nil {
		if err == nil {
			err = (sink.Shared{Stage: c.stage}).Release()
		}
		return result, err
	}
	if c.early != nil {
		return nil, c.early
	}
	if err := c.adopt(ctx); err != nil {
		return nil, err
	}
	if c.log.Failed() {
		return nil, c.rowsError(ctx)
	}
	if err := c.set.Recheck(); err != nil {
		return nil, err
	}
	if result, err = (&publication{build: c.build}).publishAll(ctx); err != nil {
		return nil, err
	}
	return result, updateVersions(c.build)
}

// adopt takes the shards of the write tasks, with their reports and statistics.
func (c *committer) adopt(ctx context.Context) error {
	text, err := runstate.EncodeJob(c.tasks.plan.Job)
	if err != nil {
		return err
	}
	if err := c.beginWork(); err != nil {
		return err
	}
	var lines []sink.LeftShard
	for _, written := range c.written {
		lines = append(lines, written...)
	}
	c.run.Progress.Start(pool.CheckingShards, int64(len(lines)))
	keep := c.work.Keeper()
	err = (sink.Shared{Stage: c.stage}).Adopt(ctx, text, lines, task.DigestOf(c.cfg.Digest), func(k *sink.Kept) error {
		c.run.Progress.Done(1, k.Bytes)
		return keep(k)
	})
	if lacking, ok := errors.AsType[*sink.LackingError](err); ok {
		return c.redo(lacking)
	}
	if err != nil {
		return err
	}
	c.log.Resume(len(c.work.Rejects()))
	if done, planned := c.work.Finished(); done < planned {
		return fmt.Errorf("internal error: the write tasks made %d of %s", done, plural.Of(planned, "shard"))
	}
	return nil
}

// beginWork creates the shards of the plan, and sets their statistics.
func (c *committer) beginWork() error {
	m := c.tasks.merged
	if err := restoreRejects(c.build, m); err != nil {
		return err
	}
	if len(m.Plan.Classes) > 0 {
		if err := c.set.SetClasses(plan.DecodeNames(m.Plan.Classes)); err != nil {
			return err
		}
	}
	c.work = unstartedWork(c.job, m.Plan, c.stage)
	if err := c.work.Begin(nil); err != nil {
		return err
	}
	counting, err := count.New(c.set, m.Plan)
	if err != nil {
		return err
	}
	return c.work.Count(counting)
}

// redo makes the write tasks run again whose shards are missing.
func (c *committer) redo(lacking *sink.LackingError) error {
	lacks := map[string]bool{}
	for _, name := range lacking.Names {
		lacks[name] = true
	}
	undone := 0
	for k, written := range c.written {
		for i := range written {
			if lacks[written[i].Name] {
				if err := c.tasks.plan.Undo(c.tasks.folder, work.Write, k); err != nil {
					return err
				}
				undone++
				break
			}
		}
	}
	return &NotYetError{
		Phase: work.Write, Done: len(c.written) - undone, Of: len(c.written),
		Why: fmt.Sprintf("%s to be done again: %v", plural.Of(undone, "write task"), lacking),
	}
}
