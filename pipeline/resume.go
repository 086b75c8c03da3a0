package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
)

// openOutput opens the output and locks it, unless the dataset is up to date. One process then
// finds what a stopped build finished.
func (b *build) openOutput(ctx context.Context, _ int) error {
	defer func() {
		if b.result != nil {
			b.out.informMissing(b.result.Manifest)
		}
	}()
	known, stale, err := b.out.findUpToDate(ctx)
	if err != nil || known != nil && !stale {
		b.result = known
		return err
	}
	if err := b.lockOutput(ctx); err != nil {
		if known != nil && !b.out.staleVersions { // only the new times of the input cannot be stored
			b.result = known
			return nil
		}
		return err
	}
	if b.result, err = b.out.confirmUpToDate(ctx); b.result != nil || err != nil {
		return err
	}
	if b.job.appendsToItself {
		return b.job.itselfError()
	}
	if b.job.base != nil && !b.rebuild.isSample() {
		if err := b.job.inputs.CompareBase(ctx, b.job.pool, b.job.base); err != nil {
			return err
		}
	}
	if b.tasks == nil && b.job.set.Compares() { // before a misspelled column of dedupe makes all rows equal
		if _, err := b.job.sample(ctx); err != nil {
			return err
		}
	}
	b.job.run.warnAll(describe.Lines(b.job.set, describe.ConfigWarnings(b.job.cfg)))
	for _, text := range b.job.appendNotes() {
		b.job.run.inform(text)
	}
	if b.tasks == nil {
		b.stopped, err = b.out.resume(ctx)
	}
	return err
}

// lockOutput opens the output. For tasks it retries while another process has the lock, because
// that may be planning the same tasks, which takes a moment.
func (b *build) lockOutput(ctx context.Context) error {
	if b.tasks == nil {
		return b.out.open()
	}
	if err := b.job.sampleWarned(ctx); err != nil { // before the lock: it can take longer than the retries
		return err
	}
	const tries, moment = 50, 100 * time.Millisecond
	for try := 1; ; try++ {
		err := b.out.open()
		if _, locked := errors.AsType[*sink.LockedError](err); !locked || try == tries {
			return err
		}
		select {
		case <-time.After(moment):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// stopped is what a build reuses of a stopped one.
type stopped struct {
	plan   *plan.Plan    // nil if it is not known
	shards []sink.Reused // that it finished
}

// resume returns what a stopped build left. If it cannot be used, resume says why, and begin starts a new build.
func (o *output) resume(ctx context.Context) (was stopped, err error) {
	run := o.job.run
	if !run.Sync && run.compared == "" {
		run.inform("without syncing: a loss of power can cost the dataset, even after the run")
	}
	job := o.job.inputs.Job(o.job.state)
	text, err := runstate.EncodeJob(job)
	if err != nil {
		return was, err
	}
	o.begin = func() error { return o.stage.Begin(text) }
	left := o.stage.Leftovers()
	if left == nil || run.Fresh {
		return was, nil
	}
	stored, err := left.Plan()
	if err != nil {
		return was, err
	}
	known, listings, unreadable := plan.Parse(stored)
	why := runstate.Differs(job, left.Job, runstate.ChangedSince(listings, o.job.set))
	switch {
	case why != "":
	case left.Foreign:
		why = "another version of tfr-build wrote its journal"
	case unreadable == nil:
		was.plan = known
	case len(left.Shards) > 0: // their rows are not known
		why = "its plan cannot be read"
	}
	if why != "" {
		finished := plural.Of(len(left.Shards), "shard")
		if left.Foreign {
			finished = "of which not all is known"
		}
		if left.Foreign || len(left.Shards) > 0 {
			run.inform(fmt.Sprintf("starts afresh, without what a stopped run finished (%s): %s", finished, why))
		}
		return was, nil
	}
	o.begin = nil
	was.shards, err = o.stage.Resume(ctx, task.DigestOf(o.job.cfg.Digest))
	if len(was.shards) > 0 {
		run.inform("resumes a stopped run: " + plural.Of(len(was.shards), "shard") + " of it kept")
	}
	return was, err
}
