package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"tfr-build/internal/plural"
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
	claim, err := claimOf(t.plan)
	if err != nil {
		return nil, err
	}
	notes, err := t.plan.Notes(t.folder, work.Write, len(t.merged.Tasks))
	early := err
	if early != nil { // unless another process has published the dataset, and was stopped right after
		held, err := sink.ClaimOn(t.run.FS, t.plan.Output)
		if err != nil || bytes.Equal(held, claim) {
			return nil, cmp.Or(err, early)
		}
	}
	t.run.HashInputs = t.plan.Hashed
	j, err := t.open(ctx, whole)
	if err != nil {
		return nil, err
	}
	j.log = t.newLog()
	c := &committer{build: &build{job: j, claim: claim, attempt: t.folder.Attempt()}, tasks: t, notes: notes, early: early}
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
	notes []*work.Note // of the write tasks
	early error        // that some of them are lacking
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
	return (&publication{build: c.build}).all(ctx)
}

// adopt takes the shards that the tasks have made, and what they told about them.
func (c *committer) adopt(ctx context.Context) error {
	text, err := runstate.EncodeJob(c.tasks.plan.Job)
	if err != nil {
		return err
	}
	var lines []sink.LeftShard
	for _, n := range c.notes {
		lines = append(lines, n.Written...)
	}
	c.kept, err = (sink.Shared{Stage: c.stage}).Adopt(ctx, text, lines, task.DigestOf(c.cfg.Digest))
	if lacking, ok := errors.AsType[*sink.LackingError](err); ok {
		return c.again(lacking)
	}
	if err != nil {
		return err
	}
	m := c.tasks.merged
	if err := recall(c.build, m); err != nil {
		return err
	}
	if len(m.Plan.Classes) > 0 {
		if err := c.set.SetClasses(plan.DecodeNames(m.Plan.Classes)); err != nil {
			return err
		}
	}
	if c.work, err = c.job.work(m.Plan, c.stage, c.kept); err != nil {
		return err
	}
	if done, planned := c.work.Finished(); done < planned {
		return fmt.Errorf("internal error: the write tasks made %d of %s", done, plural.Of(planned, "shard"))
	}
	counting, err := count.New(c.set, m.Plan)
	if err == nil {
		err = c.work.Count(counting)
	}
	return err
}

// again has the tasks done again whose shards are lacking.
func (c *committer) again(lacking *sink.LackingError) error {
	lacks := map[string]bool{}
	for _, name := range lacking.Names {
		lacks[name] = true
	}
	undone := 0
	for k, n := range c.notes {
		for i := range n.Written {
			if lacks[n.Written[i].Name] {
				if err := c.tasks.plan.Undo(c.tasks.folder, work.Write, k); err != nil {
					return err
				}
				undone++
				break
			}
		}
	}
	return &NotYetError{
		Phase: work.Write, Done: len(c.notes) - undone, Of: len(c.notes),
		Why: fmt.Sprintf("%s to be done again: %v", plural.Of(undone, "write task"), lacking),
	}
}
