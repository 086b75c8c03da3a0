package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A Result says what a build did.
type Result struct {
	Output   string
	Summary  string // `train=8 validation=1 shards=2 digest=…`
	Digest   string // short digest, as in the summary
	Manifest *dataset.Manifest
	UpToDate bool      // nothing had to be done, and nothing was changed
	Inputs   []string  // files that the dataset depends on, for a Depfile
	Rejected *Rejected // rows that were skipped as invalid; nil if no row was

	RowsWritten int64 // by this run, without shards that were finished before
}

// Build builds the dataset that cfg describes. If it returns an error, the output is as before. An
// exception is an error of the link to the versions or of removing old versions: the next run
// repairs it. A Depfile that would be among the inputs or in the output is a [BadPathError].
func Build(ctx context.Context, cfg *config.Config, run Run) (*Result, error) {
	result, err := buildOnce(ctx, cfg, run)
	switch {
	case errors.Is(err, sink.ErrPublished): // another process published; it may be the same dataset
		return buildOnce(ctx, cfg, run)
	case errors.Is(err, task.ErrOther):
		run.inform("starts afresh, without what a stopped run finished: the contents of the input changed")
		run.Fresh = true
		return buildOnce(ctx, cfg, run)
	}
	if _, damaged := errors.AsType[*work.DamagedError](err); damaged {
		run.warn("the spill files are written again: " + err.Error())
		return buildOnce(ctx, cfg, run)
	}
	return result, err
}

func buildOnce(ctx context.Context, cfg *config.Config, run Run) (*Result, error) {
	run.phases = phasesOfBuild
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.close()
	if result, err := j.nothingNew(ctx); result != nil || err != nil {
		return result, err
	}
	return newBuild(j).doAll(ctx)
}

// A build is what the steps of a build made until now.
type build struct {
	job     *job
	pass    *pass
	out     *output
	tasks   *Tasks   // that share the build; nil if this process does all steps
	rebuild *rebuild // that the build is a part of, or nil
	stopped stopped
	results results

	merged *work.Merged // has the merged scans, or their groups; nil without scans
	rows   located      // nil until all rows are scanned or found
	plan   *plan.Plan
	work   *task.Work // nil until shards are planned or written
	result *Result    // the dataset exists, and no more steps are needed
}

// newBuild returns a build that has done nothing.
func newBuild(j *job) *build {
	b := &build{job: j, pass: newPass(j), out: &output{job: j, rejects: j.paths.Rejects},
		results: results{made: map[work.Phase]*work.Note{}}}
	b.pass.match = b.matchOnce
	return b
}

// close closes the output, and the files of a build by one process.
func (b *build) close() error {
	if dir, ok := b.results.files.(*work.Directory); ok && b.tasks == nil {
		dir.Close()
	}
	return b.out.close()
}

// doAll does all steps in this process.
func (b *build) doAll(ctx context.Context) (result *Result, err error) {
	defer func() { err = cmp.Or(err, b.close()) }()
	for i := range steps {
		s := &steps[i]
		err := b.doOnce(ctx, s)
		switch {
		case b.result != nil:
			return b.result, err
		case err != nil && s.phase != planning:
			return nil, b.handleError(ctx, err)
		case err != nil:
			return nil, err
		}
	}
	return b.result, nil
}

// explain returns the error of a step. For invalid rows, it is the error that names them.
func (b *build) explain(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case b.stopped.plan != nil && errors.Is(err, rows.ErrNewClass): // classes of the stopped build
		return task.ErrOther
	case errors.Is(err, errInvalidRow):
		return b.rowsError(ctx)
	}
	return b.warnPartial(err)
}

// handleError completes a run that ends with an error: it drops shards that cannot be reused, or
// says how many are finished.
func (b *build) handleError(ctx context.Context, err error) error {
	if errors.Is(err, task.ErrOther) {
		return err
	}
	if _, damaged := errors.AsType[*work.DamagedError](err); damaged {
		return cmp.Or(b.out.stage.DropSpillFiles(), err)
	}
	var bad *RowsError
	var many *TooManyError
	if errors.As(err, &bad) && (!errors.As(err, &many) || many.Every) || errors.Is(err, files.ErrChanged) {
		_ = b.out.stage.Drop() // the config or the input must change; err is the error that matters
		return err
	}
	finished, wrote := len(b.stopped.shards), false
	shards := plural.Of(finished, "shard")
	if b.work != nil {
		var planned int
		finished, planned = b.work.Finished()
		shards = fmt.Sprintf("%d of %s", finished, plural.Of(planned, "shard"))
		left := b.work.BytesToWrite()
		wrote = b.work.IsStarted()
		if errors.Is(err, syscall.ENOSPC) && wrote && left > 0 { // else the error says it
			b.job.run.warn(fmt.Sprintf("about %d bytes are still to be written", left))
		}
	}
	_, misfits := errors.AsType[*input.MismatchError](err)
	switch {
	case finished > 0 && misfits: // the config must change: allow_empty does not change the shards
		b.job.run.inform(shards + " finished and kept")
	case finished > 0:
		b.job.run.inform(shards + " finished and kept: the same command resumes with them")
	case ctx.Err() == nil: // the error says what happened
	case wrote && b.job.spills():
		b.job.run.inform("no shard is finished, but the sorted rows are kept: the same command resumes with them")
	case b.job.set.Skips() != nil:
		b.job.run.inform("no shard is finished, but the compared rows are kept: the same command resumes with them")
	default:
		b.job.run.inform("no shard is finished: the same command starts from the beginning")
	}
	return err
}

// rejects returns the rejected rows until now.
func (b *build) rejects() *rejects.List {
	list := b.pass.log.Without()
	if b.work != nil {
		b.work.AddRejects(list)
	}
	return list
}
