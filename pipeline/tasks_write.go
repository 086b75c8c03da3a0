package pipeline

import (
	"context"
	"errors"
	"time"

	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// write writes the shards of write task k.
func (t *Tasks) write(ctx context.Context, k int) (note *work.Note, err error) {
	began := time.Now()
	b, err := t.writer(ctx)
	if err != nil {
		return nil, err
	}
	b.stage, err = sink.Join(t.run.Storage, b.output(), sink.Options{
		Sync: t.run.Sync, Cold: t.run.Cold, Warn: t.run.warn, Readers: b.pool.Size(),
		Claim: b.claim, Attempt: t.folder.Attempt(), Scratch: t.run.Scratch,
	})
	if err != nil {
		return nil, claimError(b.output(), err)
	}
	defer func() {
		if closed := b.stage.Close(); err == nil && closed != nil {
			err = closed
		}
	}()
	if err := b.assign(t.merged, t.merged.Tasks[k]); err != nil {
		return nil, err
	}
	l, err := b.locate(ctx, t)
	if err == nil {
		err = b.stage.Reserve(b.work.BytesToWrite())
	}
	if err == nil {
		err = b.dispatch(ctx, l)
	}
	switch {
	case b.log.Failed() && (err == nil || errors.Is(err, errInvalidRow)):
		return nil, b.rowsError(ctx)
	case err != nil:
		return nil, b.warnPartial(err)
	}
	note = b.note()
	note.Seconds = time.Since(began).Seconds()
	return note, nil
}

// A writer is a build that writes only the shards of one task.
type writer struct{ *build }

// writer returns a writer with the class names of the merge.
func (t *Tasks) writer(ctx context.Context) (*writer, error) {
	j, err := t.open(ctx, partView)
	if err != nil {
		return nil, err
	}
	j.log = t.newLog()
	if len(t.merged.Plan.Classes) > 0 {
		if err := j.set.SetClasses(plan.DecodeNames(t.merged.Plan.Classes)); err != nil {
			return nil, err
		}
	}
	j.paths.Rejects = "" // the commit writes the rejects of all tasks
	b := &build{job: j}
	b.claim, err = t.plan.Claim()
	return &writer{b}, err
}

// locate returns the rows. The merge already has the rejects without a split.
func (b *writer) locate(ctx context.Context, t *Tasks) (located, error) {
	if scans(b.job) {
		return t.openSpill(t.merged, b.stage)
	}
	log := b.log
	b.log = t.newLog()
	l, err := t.find(ctx, func([]plan.Source) error { return nil })
	b.log = log
	return l, err
}

// restoreRejects sets the rejects without a split, and the budget, to their state after the merge.
func restoreRejects(b *build, m *work.Merged) error {
	without, err := rejects.Parse([]byte(m.Without), b.set.Files())
	if err != nil {
		return err
	}
	b.log.SetWithout(without)
	b.setBudget(m.Plan.Sources)
	return nil
}

// assign sets the work of the build to the shards of one task.
func (b *writer) assign(m *work.Merged, own work.Shards) error {
	if err := restoreRejects(b.build, m); err != nil {
		return err
	}
	b.work = unstartedWork(b.job, m.Plan, b.stage)
	b.work.Elsewhere = func(split, shard int) bool {
		return split != own.Split || shard < own.From || shard >= own.To
	}
	if err := b.work.Begin(nil); err != nil {
		return err
	}
	counting, err := count.New(b.set, m.Plan)
	if err == nil {
		err = b.work.Count(counting)
	}
	return err
}

// note returns a note with the shards that the task wrote.
func (b *writer) note() *work.Note {
	n := &work.Note{Rejects: int64(len(b.work.Rejects()))}
	for _, shards := range b.work.Shards() {
		for _, sh := range shards {
			if !sh.Kept {
				n.Written = append(n.Written, sh.Line())
				n.Rows += int64(sh.Ranks.Len())
				n.Bytes += sh.Sum.Bytes
			}
		}
	}
	return n
}
