package pipeline

import (
	"context"

	"tfr-build/pipeline/count"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
)

// writeShards writes the shards of the plan, or of one write task. It skips shards that a stopped
// build finished.
func (b *build) writeShards(ctx context.Context, k int) error {
	if err := b.beginWork(b.elsewhere(k)); err != nil {
		return err
	}
	if err := b.countRecords(); err != nil {
		return err
	}
	if b.rows == nil {
		if err := b.relocate(ctx); err != nil {
			return err
		}
	}
	bytes := b.work.BytesToWrite()
	if b.job.cfg.Compression != "none" {
		bytes /= 20 // the ratio is not known; a full disk is an error anyway
	}
	if err := b.out.stage.Reserve(bytes); err != nil {
		return err
	}
	if err := b.dispatch(ctx); err != nil {
		return err
	}
	if b.pass.log.Failed() {
		return errInvalidRow
	}
	return nil
}

// elsewhere returns a function that reports whether a shard is not in write task k, or not made again; nil if all are.
func (b *build) elsewhere(k int) func(split, shard int) bool {
	switch {
	case b.tasks != nil:
		own := b.tasks.merged.Tasks[k]
		return func(split, shard int) bool { return split != own.Split || shard < own.From || shard >= own.To }
	case b.rebuild != nil:
		return func(split, shard int) bool {
			return !b.rebuild.chosen[b.plan.ShardName(&b.plan.Splits[split], shard)]
		}
	}
	return nil
}

// beginWork creates the shards of the plan, with those that a stopped build finished. elsewhere
// reports whether another process writes a shard; it may be nil.
func (b *build) beginWork(elsewhere func(split, shard int) bool) error {
	j := b.job
	b.work = &task.Work{
		Set: j.set, Plan: b.plan, Stage: b.out.stage, Log: b.pass.log, Progress: j.run.Progress,
		Compression: task.CompressionOf(j.set.Framing, j.cfg.Compression), Digest: task.DigestOf(j.cfg.Digest),
		Index:     j.cfg.Index,
		Elsewhere: elsewhere,
	}
	if err := b.work.Begin(b.stopped.shards); err != nil {
		return err
	}
	b.pass.log.Resume(b.work.Rejects())
	return nil
}

// countRecords sets the statistics of the records.
func (b *build) countRecords() error {
	if b.rebuild.isSample() {
		return nil
	}
	counting, err := count.New(b.job.set, b.plan)
	if err != nil {
		return err
	}
	if err := b.work.Count(counting); err != nil {
		return err
	}
	return b.countKept()
}

// accounting returns the accounting of a plan and, if rows were written, of the work.
func (p *pass) accounting(value *plan.Plan, w *task.Work) *describe.Accounting {
	if w == nil {
		return describe.NewAccounting(p.job.set, value, nil, p.log.Without())
	}
	accounts := describe.NewAccounting(p.job.set, value, w.Shards(), p.log.Without())
	accounts.Keep(p.job.base)
	return accounts
}

// noteShards returns the note of a write task.
func (b *build) noteShards(int) (*work.Note, error) {
	n := &work.Note{Rejects: b.work.Rejects()}
	for _, shards := range b.work.Shards() {
		for _, sh := range shards {
			if !sh.Kept {
				n.Written = append(n.Written, sh.Line())
				n.Rows += int64(sh.Ranks.Len())
				n.Bytes += sh.Sum.Bytes
			}
		}
	}
	return n, nil
}
