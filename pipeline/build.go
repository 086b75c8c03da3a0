package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall"

	"golang.org/x/sync/errgroup"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
	"tfr-build/sources/files"
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
// repairs it. A Depfile that would be among the inputs or in the output is a [PlaceError].
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
	return result, err
}

func buildOnce(ctx context.Context, cfg *config.Config, run Run) (*Result, error) {
	run.phases = phasesOfBuild
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.close()
	return (&build{job: j}).buildDataset(ctx)
}

// buildDataset builds the dataset once the sources are open.
func (b *build) buildDataset(ctx context.Context) (result *Result, err error) {
	known, stale, err := b.peekUpToDate()
	if err != nil || known != nil && !stale {
		return known, err
	}
	if err := b.open(); err != nil {
		if known != nil && !b.staleVersions {
			return known, nil // only the new times of the input cannot be stored
		}
		return nil, err
	}
	defer func() {
		if closed := b.stage.Close(); err == nil && closed != nil {
			err = closed
		}
	}()
	if result, err := b.upToDate(ctx); result != nil || err != nil {
		return result, err
	}
	b.run.warnAll(b.cfg.UnmovedCoordinates().Warnings())
	begin, err := b.resume(ctx)
	if err != nil {
		return nil, err
	}
	if result, err = b.makeDataset(ctx, begin); err != nil {
		return nil, b.handleError(ctx, err)
	}
	return result, updateVersions(b)
}

// A build is a job that writes an output.
type build struct {
	*job
	stage         *sink.Stage
	reused        []sink.Kept // shards that a stopped build finished
	oldPlan       *plan.Plan  // of a stopped build, or nil
	work          *task.Work  // nil until the plan is made
	wrote         bool        // workers started to write rows
	staleVersions bool        // the dataset exists, but the link or the number of versions is wrong
	dependencies  []string    // of the dataset, for a depfile
	claim         []byte      // of the tasks of this build; nil if one process builds
	attempt       string      // identifies this process among those tasks
}

// result returns the result of a build whose dataset has the state s.
func (b *build) result(s *runstate.State, upToDate bool) *Result {
	return &Result{
		Output: b.output(), Summary: s.Summary, Digest: s.ShortDigest(), Manifest: s.Manifest,
		UpToDate: upToDate, Inputs: b.dependencies,
	}
}

// open opens the output and locks it.
func (b *build) open() (err error) {
	b.stage, err = sink.Open(b.run.Storage, b.output(), sink.Options{
		Sync: b.run.Sync, Cold: b.run.Cold, Overwrite: b.run.Overwrite, Scratch: b.run.Scratch, Warn: b.run.warn, Readers: b.pool.Size(),
		Claim: b.claim, Attempt: b.attempt, Takeover: b.run.Takeover,
	})
	return claimError(b.output(), err)
}

// resume finds the finished shards of a stopped build. If it cannot use them, it says why, and
// begin starts a new build.
func (b *build) resume(ctx context.Context) (begin func() error, err error) {
	if !b.run.Sync {
		b.run.inform("without syncing: a loss of power can cost the dataset, even after the run")
	}
	job := b.inputs.Job(b.state)
	text, err := runstate.EncodeJob(job)
	if err != nil {
		return nil, err
	}
	afresh := func() error { return b.stage.Begin(text) }
	left := b.stage.Left()
	if left == nil || b.run.Fresh {
		return afresh, nil
	}
	stored, listing, ok, err := left.Plan()
	if err != nil {
		return nil, err
	}
	if why := runstate.Differs(job, left.Job, runstate.ChangedSince(listing, b.set)); why != "" {
		if len(left.Shards) > 0 {
			b.run.inform(fmt.Sprintf("starts afresh, without what a stopped run finished (%s): %s", plural.Of(len(left.Shards), "shard"), why))
		}
		return afresh, nil
	}
	if ok {
		b.oldPlan, _ = plan.Parse(stored) // an unreadable plan counts as missing
	}
	if len(left.Shards) > 0 && b.oldPlan == nil { // their rows are not known
		b.run.inform(fmt.Sprintf("starts afresh, without what a stopped run finished (%s): its plan cannot be read", plural.Of(len(left.Shards), "shard")))
		return afresh, nil
	}
	if b.reused, err = b.stage.Resume(ctx, task.DigestOf(b.cfg.Digest)); err != nil {
		return nil, err
	}
	if len(b.reused) > 0 {
		b.run.inform("resumes a stopped run: " + plural.Of(len(b.reused), "shard") + " of it kept")
	}
	return func() error { return nil }, err
}

// makeDataset finds the rows, writes the shards, and publishes the dataset.
func (b *build) makeDataset(ctx context.Context, begin func() error) (*Result, error) {
	l, err := b.locate(ctx, begin)
	if err == nil {
		err = b.write(ctx, l)
	}
	switch {
	case b.oldPlan != nil && errors.Is(err, rows.ErrNewClass): // classes of the stopped build
		return nil, task.ErrOther
	case b.log.Failed() && (err == nil || errors.Is(err, errInvalidRow)):
		return nil, b.rowsError(ctx)
	case err != nil:
		return nil, b.warnPartial(err)
	}
	if err := b.set.Recheck(); err != nil {
		return nil, err
	}
	return (&publication{build: b}).publishAll(ctx)
}

// locate finds the rows, or spills them. It calls begin in parallel with the finding: begin waits for
// the disk, and finding only reads.
func (b *build) locate(ctx context.Context, begin func() error) (l located, err error) {
	group, finding := errgroup.WithContext(ctx)
	b.pool.Go(group, begin)
	if err = b.sampleAndLoad(finding); err == nil && !b.spills() {
		l, err = b.find(finding, b.counted)
	}
	if err = cmp.Or(group.Wait(), err); err != nil {
		return nil, err
	}
	if l == nil {
		return b.spill(ctx)
	}
	return l, b.stage.DropRuns()
}

// sampleAndLoad reads what is needed before all rows are read: the first rows and the lookup
// tables.
func (b *build) sampleAndLoad(ctx context.Context) error {
	// The notes about missing columns are ignored: at the end, all rows are known.
	if _, err := b.sample(ctx); err != nil {
		return err
	}
	return b.set.LoadJoins(ctx)
}

// spill reopens the spill file of a stopped build, or writes a new one. Reopening needs the plan,
// to know which shards are reused.
func (b *build) spill(ctx context.Context) (located, error) {
	old := b.newSpill(b.stage)
	ok, err := old.Reopen(ctx, func(found []plan.Source) (*task.Work, error) {
		b.setBudget(found)
		err := b.plan(old)
		return b.work, err
	})
	if err != nil || ok {
		return old, err
	}
	b.work = nil // its plan belongs to the old spill file
	return b.spillAll(ctx, b.stage)
}

// plan makes the plan, and the work that it needs.
func (b *build) plan(l located) error {
	p, err := b.newPlan(l)
	if err != nil {
		return err
	}
	if len(b.reused) > 0 && !p.SameInput(b.oldPlan) {
		return task.ErrOther
	}
	b.work, err = b.job.newWork(p, b.stage, b.reused)
	return err
}

// write makes the plan and writes the shards that are not reused.
func (b *build) write(ctx context.Context, l located) error {
	if err := b.prepare(ctx, l); err != nil {
		return err
	}
	if !b.log.Failed() { // else rows are only read, to find all errors
		if err := b.storePlan(); err != nil {
			return err
		}
	}
	runtime.GC() // the planning's garbage would count besides the workers' memory: 25 MB with images
	bytes := b.work.BytesToWrite()
	if b.cfg.Compression != "none" {
		bytes /= 20 // the ratio is not known; a full disk is an error anyway
	}
	if err := b.stage.Reserve(bytes); err != nil {
		return err
	}
	b.wrote = true
	return b.dispatch(ctx, l)
}

// prepare makes the plan unless it exists, collects the class names, and sets the statistics.
func (b *build) prepare(ctx context.Context, l located) error {
	if b.work == nil {
		if err := b.plan(l); err != nil {
			return err
		}
	}
	if err := b.complete(ctx, l); err != nil {
		return err
	}
	counting, err := count.New(b.set, b.work.Plan)
	if err == nil {
		err = b.work.Count(counting)
	}
	return err
}

// storePlan stores the plan and the listings in the staging directory, for processes that build
// shards of it.
func (b *build) storePlan() error {
	text, err := b.work.Plan.Encode()
	if err != nil {
		return err
	}
	return b.stage.WritePlan(text, plan.EncodeListings(b.set.Listings()))
}

// accounting returns the accounting of a plan and, if rows were written, of the work.
func (j *job) accounting(p *plan.Plan, w *task.Work) *describe.Books {
	if w == nil {
		return describe.NewBooks(j.set, p, nil, j.log.Without())
	}
	return describe.NewBooks(j.set, p, w.Shards(), j.log.Without())
}

// handleError completes a run that ends with an error: it drops shards that cannot be reused, or
// says how many are finished.
func (b *build) handleError(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, task.ErrOther) {
		return err
	}
	var bad *RowsError
	var many *TooManyError
	if errors.As(err, &bad) && (!errors.As(err, &many) || many.Every) || errors.Is(err, files.ErrChanged) {
		_ = b.stage.Drop() // the config or the input must change; err is the error that matters
		return err
	}
	finished, planned := 0, 0
	if b.work != nil {
		finished, planned = b.work.Finished()
		left := b.work.BytesToWrite()
		if errors.Is(err, syscall.ENOSPC) && b.wrote && left > 0 { // else the error says it
			b.run.warn(fmt.Sprintf("about %d bytes are still to be written", left))
		}
	}
	switch {
	case finished > 0:
		b.run.inform(fmt.Sprintf("%d of %s finished and kept: the same command resumes with them", finished, plural.Of(planned, "shard")))
	case ctx.Err() == nil: // the error says what happened
	case b.wrote && b.spills():
		b.run.inform("no shard is finished, but the sorted rows are kept: the same command resumes with them")
	default:
		b.run.inform("no shard is finished: the same command starts from the beginning")
	}
	return err
}

// rejects returns the rejected rows until now, in source order.
func (b *build) rejects() []rejects.Reject {
	list := b.log.Without()
	if b.work != nil {
		list = append(list, b.work.Rejects()...)
	}
	rejects.Sort(list)
	return list
}
