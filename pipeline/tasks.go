package pipeline

import (
	"context"
	"errors"

	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// Tasks are the tasks of one build, as one process does them: any number of processes
// make the dataset together, with the bytes that Build gives it.
//
//	result, err := pipeline.PlanTasks(ctx, cfg, run, dir)       // once
//	t, err := pipeline.OpenTasks(ctx, run, dir)                 // in each process
//	defer t.Close()
//	done, err := t.Do(ctx, work.Scan, share)                    // then Merge, Write, Commit
//
// A task before its time is a *[NotYetError], and one that is done already nothing.
type Tasks struct {
	run       Run
	storage   *store.Storage // nil if the output is local
	folder    *work.Folder
	plan      *work.Plan      // nil where the tasks have committed
	committed *work.Committed // nil where they have not
	job       *job            // nil until a task needs it
	merged    *work.Merged    // likewise
	found     located         // likewise, where rows are files
}

// TasksDone is what a process did of a phase.
type TasksDone struct {
	Did, Before, Of int     // tasks that it did, those of its share that were done before, and all of the phase
	Output, Summary string  // of a dataset that is committed; else empty
	Result          *Result // of the commit, where this process did it
}

// OpenTasks looks for the plan in the work folder dir, which may be a URL. All that is
// asked of buckets ends with ctx.
func OpenTasks(ctx context.Context, run Run, dir string) (*Tasks, error) {
	t := &Tasks{run: run}
	var err error
	if t.folder, err = folderAt(ctx, &run, dir); err != nil {
		return nil, err
	}
	if t.committed, err = work.ReadCommitted(t.folder); err != nil {
		return nil, err
	}
	if t.plan, err = work.ReadPlan(t.folder); err != nil {
		return nil, err
	}
	switch {
	case t.plan == nil && t.committed == nil:
		return nil, &NotYetError{}
	case t.plan == nil:
		return t, nil
	case t.committed != nil && t.committed.Plan == t.plan.Digest():
		t.plan = nil
		return t, nil
	}
	t.committed = nil
	t.run.Output, t.run.Overwrite, t.run.listed = t.plan.Output, t.plan.Overwrite, t.plan.Listings
	t.storage, err = t.run.reachPlanned(ctx, t.plan)
	return t, err
}

// reachPlanned reaches the store of a plan's output, as the config says. It returns nil if that is
// the local one.
func (r *Run) reachPlanned(ctx context.Context, p *work.Plan) (*store.Storage, error) {
	if r.Storage.IsLocal(p.Output) {
		return nil, nil
	}
	cfg, err := p.Config.Parse()
	if err != nil {
		return nil, err
	}
	storage := objects.Reach(ctx, r.Storage, r.stores(cfg))
	if err := r.reachOutput(cfg, storage); err != nil {
		storage.Close()
		return nil, err
	}
	return storage, nil
}

// Close gives back what the tasks hold open.
func (t *Tasks) Close() {
	t.folder.Close()
	if t.job != nil {
		t.job.close()
	}
	t.storage.Close()
}

// Phases are those of the tasks, in their order.
func Phases() []work.Phase { return []work.Phase{work.Scan, work.Merge, work.Write, work.Commit} }

// Do does the tasks of a phase that are in the share and not done yet.
func (t *Tasks) Do(ctx context.Context, phase work.Phase, share work.Share) (*TasksDone, error) {
	if t.plan == nil {
		return t.isCommitted(), nil
	}
	done, err := t.phase(ctx, phase, share)
	if err == nil {
		return done, nil
	}
	// Others may have done it meanwhile, and have taken away what this one needed.
	if late, failed := work.ReadCommitted(t.folder); failed == nil && late != nil && late.Plan == t.plan.Digest() {
		t.plan, t.committed = nil, late
		return t.isCommitted(), nil
	}
	if errors.Is(err, sink.ErrNoClaim) {
		return nil, &NotYetError{Why: "the tasks do not have the output: their plan is to be made again, or given up"}
	}
	return nil, err
}

func (t *Tasks) isCommitted() *TasksDone {
	return &TasksDone{Output: t.committed.Output, Summary: t.committed.Summary}
}

func (t *Tasks) phase(ctx context.Context, phase work.Phase, share work.Share) (*TasksDone, error) {
	switch phase {
	case work.Scan:
		return t.each(ctx, phase, share, len(t.plan.Scans), t.scan)
	case work.Merge:
		return t.each(ctx, phase, share, 1, func(ctx context.Context, _ int) (*work.Note, error) { return t.merge(ctx) })
	case work.Write:
		if err := t.readMerged(); err != nil {
			return nil, err
		}
		return t.each(ctx, phase, share, len(t.merged.Tasks), t.write)
	}
	if share.Index != 0 {
		return &TasksDone{Of: 1}, nil
	}
	return t.commit(ctx)
}

// longest are the phases of a task that take long.
var longest = map[work.Phase][]pool.Phase{
	work.Scan:  {{Name: pool.SortingToDisk, Bytes: 1}},
	work.Write: {{Name: pool.Writing, Bytes: 1}},
}

// each does the tasks of a share that have no note.
func (t *Tasks) each(ctx context.Context, phase work.Phase, share work.Share, tasks int, do func(ctx context.Context, k int) (*work.Note, error)) (*TasksDone, error) {
	done := &TasksDone{Of: tasks}
	own := share.Tasks(tasks)
	for i, k := range own {
		t.run.Progress.PlanPart(i, len(own), longest[phase]...)
		note, err := t.plan.Note(t.folder, phase, k)
		if err != nil {
			return nil, err
		}
		if note != nil {
			done.Before++
			continue
		}
		note, err = t.healed(ctx, func() (*work.Note, error) { return do(ctx, k) })
		if err == nil {
			err = t.plan.Done(t.folder, phase, k, note)
		}
		if err != nil {
			return nil, err
		}
		done.Did++
	}
	return done, nil
}

// readMerged reads what the merge came to.
func (t *Tasks) readMerged() error {
	if t.merged != nil {
		return nil
	}
	n, err := t.plan.Note(t.folder, work.Merge, 0)
	if err != nil {
		return err
	}
	if n == nil {
		return &NotYetError{Phase: work.Merge, Of: 1}
	}
	t.merged = n.Merged
	return nil
}

// A view is how much of the input a task compares with the plan.
type view bool

const (
	near  view = false // what every task reads, and its own part when it reads that
	whole view = true  // all of it
)

// open opens the sources as they were listed for the plan. Tasks of which there are many
// have a near view: what they do must not take longer the more inputs there are.
func (t *Tasks) open(ctx context.Context, v view) (*job, error) {
	if t.job != nil {
		if v == near || t.job.state != nil {
			return t.job, nil
		}
		t.job.close()
		t.job, t.found = nil, nil
	}
	cfg, err := t.plan.Config.Parse()
	if err != nil {
		return nil, err
	}
	t.run.near = v == near
	j, err := prepare(ctx, cfg, &t.run)
	if err != nil {
		return nil, err
	}
	if err = t.same(j); err == nil && scans(j) != (len(t.plan.Scans) > 0) {
		err = &BrokenError{Path: t.folder.Path(), Err: errors.New("the plan scans no rows, or rows that are not to be scanned")}
	}
	if err == nil {
		err = j.set.LoadJoins(ctx)
	}
	if err != nil {
		j.close()
		return nil, err
	}
	t.job = j
	return j, nil
}

// same compares what a job was opened with and the plan.
func (t *Tasks) same(j *job) error {
	planned := t.plan.Job
	// First, for names of classes in files are part of the config's digest.
	if err := j.inputs.AsideChanged(t.plan.Asides); err != nil {
		return err
	}
	if j.inputs.Program() != (plan.Job{ConfigDigest: planned.ConfigDigest, BytesVersion: planned.BytesVersion}) {
		return errOtherProgram
	}
	if j.state == nil {
		return nil
	}
	now := j.inputs.Job(j.state)
	if !t.run.HashInputs {
		now.ContentsDigest = planned.ContentsDigest
	}
	if now != planned {
		return j.inputs.Changed()
	}
	return nil
}

// errOtherProgram says that the plan is not what this program would make.
var errOtherProgram = &PlaceError{Text: "the plan was made by another version of tfr-build: all tasks are to be done by one"}

// find finds the rows of trees, once.
func (t *Tasks) find(ctx context.Context, counted func([]plan.Source) error) (located, error) {
	if t.found != nil {
		return t.found, nil
	}
	l, err := t.job.find(ctx, counted)
	if err == nil {
		t.found = l
	}
	return l, err
}

// claimed is an error of the sink; that of an output which tasks have claimed names
// them.
func claimed(output string, err error) error {
	held, ok := errors.AsType[*sink.ClaimedError](err)
	if !ok {
		return err
	}
	c := work.ParseClaim(held.Claim)
	if c == nil {
		return &BrokenError{
			Path: held.Path,
			Err:  errors.New("the claim of the tasks that make it is damaged, or of another version of tfr-build"),
		}
	}
	return &TasksError{Output: output, Work: c.Work, Config: c.Config}
}

// close notes what was committed, and clears a work folder. What cannot be removed is no
// reason for a task to be tried again.
func (r *Run) close(f *work.Folder, c *work.Committed) error {
	if err := work.Close(f, c); err != nil {
		return err
	}
	if err := f.Clear(work.CommittedName); err != nil {
		r.warn("the dataset is complete, but what its tasks told one another could not be removed: " + err.Error())
	}
	return nil
}

// newLog is a log for one task.
func (t *Tasks) newLog() *rejects.Log { return rejects.NewLog(t.job.cfg.OnError != "fail") }
