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

// commit publishes the dataset, once all shards are there.
func (t *Tasks) commit(ctx context.Context) (*TasksDone, error) {
	if err := t.readMerged(); err != nil {
		return nil, err
	}
	claim, err := t.plan.Claim()
	if err != nil {
		return nil, err
	}
	var made [][]sink.LeftShard
	early := t.plan.Ready(t.folder, work.Write, len(t.merged.Tasks))
	if early == nil {
		early = t.plan.Each(t.folder, work.Write, len(t.merged.Tasks), func(k int, n *work.Note) error {
			made = append(made, n.Written)
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
	if early != nil { // unless another process has published the dataset, and was stopped right after
		held, err := sink.ClaimOn(t.run.Storage, t.plan.Output)
		if err != nil || bytes.Equal(held, claim) {
			return nil, cmp.Or(err, early)
		}
	}
	t.run.HashInputs = t.plan.Hashed
	t.run.Progress.Plan(pool.Phase{Name: pool.CheckingShards, Bytes: 1})
	j, err := t.open(ctx, whole)
	if err != nil {
		return nil, err
	}
	j.log = t.newLog()
	c := &committer{build: &build{job: j, claim: claim, attempt: t.folder.Attempt()}, tasks: t, made: made, early: early}
	result, err := c.all(ctx)
	if locked, held := errors.AsType[*sink.LockedError](err); held {
		return nil, &NotYetError{Phase: work.Commit, Of: 1, Why: locked.Error()}
	}
	if err != nil {
		return nil, err
	}
	done := &TasksDone{Did: 1, Of: 1, Output: result.Output, Summary: result.Summary, Result: result}
	return done, t.run.close(t.folder, &work.Committed{Plan: t.plan.Digest(), Output: result.Output, Summary: result.Summary})
}

// A committer publishes what tasks have made.
type committer struct {
	*build
	tasks *Tasks
	made  [][]sink.LeftShard // by write task
	early error              // that some of them are lacking
}

// all publishes the dataset, unless it is there: then the task that did it was stopped
// right after.
func (c *committer) all(ctx context.Context) (result *Result, err error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	defer func() {
		switch closed := c.stage.Close(); {
		case closed == nil || err != nil:
		case result != nil: // others may just have been late
			c.run.warn("the dataset is complete, but what its tasks made could not be removed: " + closed.Error())
		default:
			err = closed
		}
	}()
	if result, err := c.standing(ctx); result != nil || err != nil {
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
		return nil, c.badRows(ctx)
	}
	if err := c.set.Recheck(); err != nil {
		return nil, err
	}
	if result, err = (&publication{build: c.build}).all(ctx); err != nil {
		return nil, err
	}
	return result, settle(c.build)
}

// adopt takes the shards that the tasks have made, and what they told about them.
func (c *committer) adopt(ctx context.Context) error {
	text, err := runstate.EncodeJob(c.tasks.plan.Job)
	if err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	var lines []sink.LeftShard
	for _, made := range c.made {
		lines = append(lines, made...)
	}
	c.run.Progress.Start(pool.CheckingShards, int64(len(lines)))
	keep := c.work.Keeper()
	err = (sink.Shared{Stage: c.stage}).Adopt(ctx, text, lines, task.DigestOf(c.cfg.Digest), func(k *sink.Kept) error {
		c.run.Progress.Done(1, k.Bytes)
		return keep(k)
	})
	if lacking, ok := errors.AsType[*sink.LackingError](err); ok {
		return c.again(lacking)
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

// begin names the shards, and says what is counted of them.
func (c *committer) begin() error {
	m := c.tasks.merged
	if err := recall(c.build, m); err != nil {
		return err
	}
	if len(m.Plan.Classes) > 0 {
		if err := c.set.SetClasses(plan.DecodeNames(m.Plan.Classes)); err != nil {
			return err
		}
	}
	c.work = newWork(c.job, m.Plan, c.stage)
	if err := c.work.Begin(nil); err != nil {
		return err
	}
	counting, err := count.New(c.set, m.Plan)
	if err != nil {
		return err
	}
	return c.work.Count(counting)
}

// again has the tasks done again whose shards are lacking.
func (c *committer) again(lacking *sink.LackingError) error {
	lacks := map[string]bool{}
	for _, name := range lacking.Names {
		lacks[name] = true
	}
	undone := 0
	for k, made := range c.made {
		for i := range made {
			if lacks[made[i].Name] {
				if err := c.tasks.plan.Undo(c.tasks.folder, work.Write, k); err != nil {
					return err
				}
				undone++
				break
			}
		}
	}
	return &NotYetError{
		Phase: work.Write, Done: len(c.made) - undone, Of: len(c.made),
		Why: fmt.Sprintf("%s to be done again: %v", plural.Of(undone, "write task"), lacking),
	}
}
