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

// A Result is what a build came to.
type Result struct {
	Output   string
	Summary  string // `train=8 validation=1 shards=2 digest=…`
	Digest   string // the one in the summary
	Manifest *dataset.Manifest
	UpToDate bool      // nothing had to be done, and nothing was touched
	Inputs   []string  // what the dataset is made from, for a Depfile
	Rejected *Rejected // rows that were left out; nil if none was

	RowsWritten int64 // by this run: without those of shards that were finished before
}

// Build makes the dataset that cfg describes. When it returns an error, the output
// is as it was before, but for one of the link to the versions and of those that are
// removed: that is mended by the next run. A Depfile that would be among the inputs or in the output is
// a [PlaceError].
func Build(ctx context.Context, cfg *config.Config, run Run) (*Result, error) {
	result, err := buildOnce(ctx, cfg, run)
	switch {
	case errors.Is(err, sink.ErrPublished): // perhaps the same: then there is nothing to do any more
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
	return (&build{job: j}).all(ctx)
}

// all is Build from where the sources are open.
func (b *build) all(ctx context.Context) (result *Result, err error) {
	known, stale, err := b.peek()
	if err != nil || known != nil && !stale {
		return known, err
	}
	if err := b.open(); err != nil {
		if known != nil && !b.unsettled {
			return known, nil // the times of the input cannot be noted, and that is all
		}
		return nil, err
	}
	defer func() {
		if closed := b.stage.Close(); err == nil && closed != nil {
			err = closed
		}
	}()
	if result, err := b.standing(ctx); result != nil || err != nil {
		return result, err
	}
	b.run.warnAll(b.cfg.UnmovedCoordinates().Warnings())
	begin, err := b.resume(ctx)
	if err != nil {
		return nil, err
	}
	if result, err = b.make(ctx, begin); err != nil {
		return nil, b.stopped(ctx, err)
	}
	return result, settle(b)
}

// A build is a job with an output.
type build struct {
	*job
	stage        *sink.Stage
	kept         []sink.Kept // shards that a stopped run finished
	left         *plan.Plan  // of a stopped run; nil where it had none
	work         *task.Work  // nil until there is a plan
	wrote        bool        // rows were written
	unsettled    bool        // the dataset is there, and the link to it or older versions are not as they are to be
	dependencies []string    // of the dataset, where a depfile is to name them
	claim        []byte      // of the tasks that it belongs to; nil where one process builds
	attempt      string      // tells this process from others then
}

// result is that of a build whose dataset has this state.
func (b *build) result(s *runstate.State, upToDate bool) *Result {
	return &Result{
		Output: b.output(), Summary: s.Summary, Digest: s.ShortDigest(), Manifest: s.Manifest,
		UpToDate: upToDate, Inputs: b.dependencies,
	}
}

// open locks the output.
func (b *build) open() (err error) {
	b.stage, err = sink.Open(b.run.Storage, b.output(), sink.Options{
		Sync: b.run.Sync, Cold: b.run.Cold, Overwrite: b.run.Overwrite, Scratch: b.run.Scratch, Warn: b.run.warn, Readers: b.pool.Size(),
		Claim: b.claim, Attempt: b.attempt, Takeover: b.run.Takeover,
	})
	return claimed(b.output(), err)
}

// resume takes what a stopped run finished, or has begin start afresh and says why.
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
		b.left, _ = plan.Parse(stored) // one that cannot be read is missing
	}
	if len(left.Shards) > 0 && b.left == nil { // nothing tells what they are of
		b.run.inform(fmt.Sprintf("starts afresh, without what a stopped run finished (%s): its plan cannot be read", plural.Of(len(left.Shards), "shard")))
		return afresh, nil
	}
	if b.kept, err = b.stage.Resume(ctx, task.DigestOf(b.cfg.Digest)); err != nil {
		return nil, err
	}
	if len(b.kept) > 0 {
		b.run.inform("resumes a stopped run: " + plural.Of(len(b.kept), "shard") + " of it kept")
	}
	return func() error { return nil }, err
}

// make finds the rows, writes the shards and publishes the dataset.
func (b *build) make(ctx context.Context, begin func() error) (*Result, error) {
	l, err := b.locate(ctx, begin)
	if err == nil {
		err = b.write(ctx, l)
	}
	switch {
	case b.left != nil && errors.Is(err, rows.ErrNewClass): // the stopped run collected the classes
		return nil, task.ErrOther
	case b.log.Failed() && (err == nil || errors.Is(err, errBadRow)):
		return nil, b.badRows(ctx)
	case err != nil:
		return nil, b.cutShort(err)
	}
	if err := b.set.Recheck(); err != nil {
		return nil, err
	}
	return (&publication{build: b}).all(ctx)
}

// locate finds the rows, or spills them. The dataset is begun beside the finding: one
// waits for the disk, and the other only reads.
func (b *build) locate(ctx context.Context, begin func() error) (l located, err error) {
	group, finding := errgroup.WithContext(ctx)
	b.pool.Go(group, begin)
	if err = b.ready(finding); err == nil && !b.spills() {
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

// ready reads what is read before all rows are.
func (b *build) ready(ctx context.Context) error {
	if _, err := b.sample(ctx); err != nil { // what is no fault is told at the end, of all rows
		return err
	}
	return b.set.LoadJoins(ctx)
}

// spill takes the spill runs of a stopped run, whose plan it makes to know which shards
// are kept, or makes them.
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
	b.work = nil // its plan was one of runs that are made again
	return b.pass(ctx, b.stage)
}

// plan makes the plan, and what is to be done of it.
func (b *build) plan(l located) error {
	p, err := b.newPlan(l)
	if err != nil {
		return err
	}
	if len(b.kept) > 0 && !p.SameInput(b.left) {
		return task.ErrOther
	}
	b.work, err = b.job.work(p, b.stage, b.kept)
	return err
}

// write plans the shards, and writes those that are not kept. What finding and planning
// leave makes room for the workers' buffers: that is collected while the plan, which is
// kept, waits for the disk.
func (b *build) write(ctx context.Context, l located) error {
	if err := b.prepare(ctx, l); err != nil {
		return err
	}
	var keeping errgroup.Group
	if !b.log.Failed() { // else rows are only read, for all that is wrong with them
		b.pool.Go(&keeping, b.keepPlan)
	}
	runtime.GC()
	if err := keeping.Wait(); err != nil {
		return err
	}
	bytes := b.work.BytesToWrite()
	if b.cfg.Compression != "none" {
		bytes /= 20 // nobody knows; a disk that is nearly full is found out all the same
	}
	if err := b.stage.Reserve(bytes); err != nil {
		return err
	}
	b.wrote = true
	return b.dispatch(ctx, l)
}

// prepare makes the plan, unless it is there, and all that is to be known for writing.
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

// keepPlan keeps the plan with what it is a plan of, for whoever builds shards of
// it.
func (b *build) keepPlan() error {
	text, err := b.work.Plan.Encode()
	if err != nil {
		return err
	}
	return b.stage.WritePlan(text, plan.EncodeListings(b.set.Listings()))
}

// books are the account of a plan and, where rows were written, of its work.
func (j *job) books(p *plan.Plan, w *task.Work) *describe.Books {
	if w == nil {
		return describe.NewBooks(j.set, p, nil, j.log.Without())
	}
	return describe.NewBooks(j.set, p, w.Shards(), j.log.Without())
}

// stopped handles what a run leaves that ended with err: what nobody can resume is
// dropped; else it is said what is finished.
func (b *build) stopped(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, task.ErrOther) {
		return err
	}
	var bad *RowsError
	var many *TooManyError
	if errors.As(err, &bad) && (!errors.As(err, &many) || many.Every) || errors.Is(err, files.ErrChanged) {
		_ = b.stage.Drop() // the config or the input has to change; the error that matters is in hand
		return err
	}
	finished, planned := 0, 0
	if b.work != nil {
		finished, planned = b.work.Finished()
		left := b.work.BytesToWrite()
		if errors.Is(err, syscall.ENOSPC) && b.wrote && left > 0 { // before that the error says it
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

// rejects are the rows that were left out so far, in source order.
func (b *build) rejects() []rejects.Reject {
	list := b.log.Without()
	if b.work != nil {
		list = append(list, b.work.Rejects()...)
	}
	rejects.Sort(list)
	return list
}
