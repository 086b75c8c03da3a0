package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"tfr-build/internal/bug"
	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// readMerged reads the result of the merge, once.
func (t *Tasks) readMerged() error {
	if t.merged != nil {
		return nil
	}
	n, err := t.plan.Note(work.Merge, 0)
	if err != nil {
		return err
	}
	if n == nil {
		return &NotYetError{Phase: work.Merge, Of: 1}
	}
	t.merged = n.Merged
	return nil
}

// readWritten reads the lines of all shards. If some are missing, another process may have
// published the dataset before it was stopped: then the error is stored in t.early, and returned
// only if these tasks still have the output.
func (t *Tasks) readWritten() error {
	t.written = nil
	t.early = t.plan.Ready(work.Write, len(t.merged.Tasks))
	if t.early == nil {
		t.early = t.plan.Each(work.Write, len(t.merged.Tasks), func(k int, n *work.Note) error {
			t.written = append(t.written, n.Written)
			if t.merged.IsMade(k, n.Written) {
				return nil
			}
			if err := t.plan.Undo(work.Write, k); err != nil {
				return err
			}
			return &NotYetError{
				Phase: work.Write, Of: len(t.merged.Tasks),
				Why: fmt.Sprintf("write task %d is to be done again: its note names other shards", k),
			}
		})
	}
	if t.early == nil {
		return nil
	}
	claim, err := t.plan.Claim()
	if err != nil {
		return err
	}
	current, err := sink.ClaimOn(t.run.Storage, t.plan.Output)
	if err != nil || bytes.Equal(current, claim) {
		return cmp.Or(err, t.early)
	}
	return nil
}

// restoreUnread sets the splits and the class names to their state before a row was read. So
// measured sizes do not depend on earlier tasks of the process.
func (b *build) restoreUnread(context.Context) error {
	set := b.job.set
	set.Splits.Forget()
	set.ForgetPending()
	if len(set.Classes.Auto()) == 0 {
		return nil
	}
	return set.SetClasses(nil)
}

// restoreScans opens the spill files of the scan tasks. Without scans it does nothing.
func (b *build) restoreScans(context.Context) error {
	if len(b.results.plan.Scans) == 0 {
		return nil
	}
	m, err := b.mergeRuns(work.Scan)
	if err == nil && b.results.plan.Groups == 0 { // group tasks read the others
		err = b.openSpill(m)
	}
	if err != nil {
		return err
	}
	b.merged = m
	return b.pass.counted(m.Spill.Sources)
}

// mergeRuns merges the runs in the notes of the tasks of a phase, which scanned or grouped.
func (b *build) mergeRuns(phase work.Phase) (*work.Merged, error) {
	g, m := b.pass.newMerger(), &work.Merged{}
	err := b.results.each(phase, func(k int, n *work.Note) error {
		m.Files = append(m.Files, n.File)
		return g.Add(n.Scanned, b.results.files.SpillFile(phase, k, n.File))
	})
	if err == nil {
		m.Spill, err = g.Merged()
	}
	return m, err
}

// openSpill opens the spill files of the scan tasks, or of the group tasks.
func (b *build) openSpill(m *work.Merged) error {
	limit, phase := b.job.run.spillLimit(), b.results.plan.Sorted()
	if b.job.set.Groups() {
		limit = min(limit/2, groupedBytes) // the rows of an incomplete block are copied, and groups are long
	}
	if len(m.Tasks) > 0 {
		limit = min(limit, taskLimit(m))
	}
	if _, inMemory := b.results.files.(memoryFiles); inMemory {
		limit = math.MaxInt64 / 4 // all at once: a partition that is partitioned again would be in memory twice
	}
	s := b.pass.newSpill(limit)
	b.rows = s
	s.Create = func() (spill.NewFile, error) { return b.results.files.CreateSpillFile(work.Write, 0) }
	return s.Open(m.Spill, b.results.merged(phase, m))
}

// taskLimit returns how many bytes a write task loads at once. It is a part of what the task
// writes: the first and the last partition also have rows of other tasks.
func taskLimit(m *work.Merged) int64 {
	total, largest := int64(0), int64(0)
	for i := range m.Spill.Buckets {
		n := m.Spill.Buckets[i].Memory()
		total, largest = total+n, max(largest, n)
	}
	return max(total/int64(len(m.Tasks)*bucketsPerTask), largest)
}

// restorePlan sets the plan, the class names, the rejects without a split, and the budget to their
// state after the merge.
func (b *build) restorePlan(context.Context) error {
	m := b.tasks.merged
	b.plan = m.Plan
	if err := b.setClasses(); err != nil {
		return err
	}
	without, err := rejects.Decode(b.job.set.Files(), m.Without...)
	if err != nil {
		return err
	}
	b.pass.log.SetWithout(without)
	b.pass.setBudget(m.Plan.Sources)
	return nil
}

// relocate sets the rows as the merge located them: it opens the spill files, or finds the rows
// again in place, once in a process. The merge already has the rejects without a split.
func (b *build) relocate(ctx context.Context) error {
	t := b.tasks
	if b.job.scans() {
		return b.openSpill(t.merged)
	}
	if t.found == nil {
		found, err := newPass(b.job).find(ctx, func([]plan.Source) error { return nil })
		if err != nil {
			return err
		}
		t.found = found
	}
	b.rows = t.found
	return nil
}

// joinOutput opens the output for a write task. The rejects of all tasks are written by the
// commit.
func (b *build) joinOutput(context.Context) error {
	b.out.rejects = ""
	return b.out.join()
}

// reopenOutput opens the output for the commit. If another process has published the dataset and
// was stopped right after, that is the result.
func (b *build) reopenOutput(ctx context.Context) error {
	err := b.out.open()
	if err != nil {
		return err
	}
	if b.result, err = b.out.confirmUpToDate(ctx); err != nil {
		return err
	}
	if b.result != nil {
		return (sink.Shared{Stage: b.out.stage}).Release()
	}
	return b.tasks.early
}

// restoreShards takes the shards of the write tasks, with their reports and statistics.
func (b *build) restoreShards(ctx context.Context) error {
	t := b.tasks
	text, err := runstate.EncodeJob(t.plan.Job)
	if err != nil {
		return err
	}
	if err := b.beginWork(nil); err != nil {
		return err
	}
	if err := b.countRecords(); err != nil {
		return err
	}
	var lines []sink.FinishedShard
	for _, written := range t.written {
		lines = append(lines, written...)
	}
	b.job.run.Progress.Start(pool.CheckingShards, int64(len(lines)))
	keep := b.work.Keeper()
	err = (sink.Shared{Stage: b.out.stage}).Adopt(ctx, text, lines, task.DigestOf(b.job.cfg.Digest),
		func(k *sink.Reused) error {
			b.job.run.Progress.Done(1, k.Bytes)
			return keep(k)
		})
	if lacking, ok := errors.AsType[*sink.MissingShardsError](err); ok {
		return t.undoWrites(lacking)
	}
	if err != nil {
		return err
	}
	b.pass.log.Resume(b.work.Rejects())
	if done, planned := b.work.Finished(); done < planned {
		return bug.Errorf("the write tasks made %d of %s", done, plural.Of(planned, "shard"))
	}
	if b.pass.log.Failed() {
		return b.rowsError(ctx)
	}
	if b.job.cfg.Provenance {
		return b.restoreSums()
	}
	return nil
}

// undoWrites makes the write tasks run again whose shards are missing.
func (t *Tasks) undoWrites(lacking *sink.MissingShardsError) error {
	lacks := map[string]bool{}
	for _, name := range lacking.Names {
		lacks[name] = true
	}
	undone := 0
	for k, written := range t.written {
		for i := range written {
			if lacks[written[i].Name] {
				if err := t.plan.Undo(work.Write, k); err != nil {
					return err
				}
				undone++
				break
			}
		}
	}
	return &NotYetError{
		Phase: work.Write, Done: len(t.written) - undone, Of: len(t.written),
		Why: fmt.Sprintf("%s to be done again: %v", plural.Of(undone, "write task"), lacking),
	}
}

// restoreSums takes the SHA-256 of the inputs that the tasks read.
func (b *build) restoreSums() error {
	t := b.tasks
	add := func(_ int, n *work.Note) error { return b.job.inputs.AddSums(n.Sums) }
	if err := t.plan.Each(work.Scan, t.plan.Count(work.Scan), add); err != nil {
		return err
	}
	return t.plan.Each(work.Write, len(t.merged.Tasks), add)
}
