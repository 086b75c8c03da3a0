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

// Tasks has the tasks of one build, for one process. Any number of processes build the dataset
// together, with the same bytes as Build.
//
//	result, err := pipeline.PlanTasks(ctx, cfg, run, dir)       // once
//	t, err := pipeline.OpenTasks(ctx, run, dir)                 // in each process
//	defer t.Close()
//	done, err := t.Do(ctx, work.Scan, share)                    // then Merge, Write, Commit
//
// A task that cannot start yet is a *[NotYetError]. A task that is already done does nothing.
type Tasks struct {
	run       Run
	storage   *store.Storage // nil if the output is local
	folder    *work.Folder
	plan      *work.Plan      // nil if the tasks have committed
	committed *work.Committed // nil if they have not
	job       *job            // nil until a task needs it
	merged    *work.Merged    // nil until a task needs it
	found     located         // of trees; nil until a task needs it
}

// TasksDone says what a process did in a phase.
type TasksDone struct {
	Did, Before, Of int     // tasks done now, own tasks done before, and all tasks
	Output, Summary string  // of a committed dataset; else empty
	Result          *Result // of the commit, if this process did it
}

// OpenTasks reads the plan in the work directory dir, which may be a URL. Requests to buckets end
// with ctx. Close the tasks.
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

// reachPlanned returns the storage of a plan's output in a remote store; nil for a local output.
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

// Close closes the files and stores that the tasks have open.
func (t *Tasks) Close() {
	t.folder.Close()
	if t.job != nil {
		t.job.close()
	}
	t.storage.Close()
}

// Phases returns the phases of tasks, in order.
func Phases() []work.Phase { return []work.Phase{work.Scan, work.Merge, work.Write, work.Commit} }

// Do does the tasks of a phase that are in the share and not done yet.
func (t *Tasks) Do(ctx context.Context, phase work.Phase, share work.Share) (*TasksDone, error) {
	if t.plan == nil {
		return t.committedDone(), nil
	}
	done, err := t.doPhase(ctx, phase, share)
	if err == nil {
		return done, nil
	}
	// Another process may have committed, and removed files that this task needed.
	if late, failed := work.ReadCommitted(t.folder); failed == nil && late != nil && late.Plan == t.plan.Digest() {
		t.plan, t.committed = nil, late
		return t.committedDone(), nil
	}
	if errors.Is(err, sink.ErrNoClaim) {
		return nil, &NotYetError{Why: "the tasks do not have the output: their plan is to be made again, or given up"}
	}
	return nil, err
}

// committedDone returns the result of a phase whose tasks have committed.
func (t *Tasks) committedDone() *TasksDone {
	return &TasksDone{Output: t.committed.Output, Summary: t.committed.Summary}
}

func (t *Tasks) doPhase(ctx context.Context, phase work.Phase, share work.Share) (*TasksDone, error) {
	switch phase {
	case work.Scan:
		return t.doTasks(ctx, phase, share, len(t.plan.Scans), t.scan)
	case work.Merge:
		return t.doTasks(ctx, phase, share, 1, func(ctx context.Context, _ int) (*work.Note, error) { return t.merge(ctx) })
	case work.Write:
		if err := t.readMerged(); err != nil {
			return nil, err
		}
		return t.doTasks(ctx, phase, share, len(t.merged.Tasks), t.write)
	}
	if share.Index != 0 {
		return &TasksDone{Of: 1}, nil
	}
	return t.commit(ctx)
}

// longPhases has the progress phases of tasks that take long.
var longPhases = map[work.Phase][]pool.Phase{
	work.Scan:  {{Name: pool.SortingToDisk, Bytes: 1}},
	work.Write: {{Name: pool.Writing, Bytes: 1}},
}

// doTasks does the tasks of a share that have no note.
func (t *Tasks) doTasks(ctx context.Context, phase work.Phase, share work.Share, tasks int, do func(ctx context.Context, k int) (*work.Note, error)) (*TasksDone, error) {
	done := &TasksDone{Of: tasks}
	own := share.Tasks(tasks)
	for i, k := range own {
		t.run.Progress.PlanPart(i, len(own), longPhases[phase]...)
		note, err := t.plan.Note(t.folder, phase, k)
		if err != nil {
			return nil, err
		}
		if note != nil {
			done.Before++
			continue
		}
		note, err = t.repaired(ctx, func() (*work.Note, error) { return do(ctx, k) })
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

// readMerged reads the result of the merge, once.
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

// A view says how much of the input a task compares with the plan.
type view bool

const (
	partView view = false // the files that every task reads, and those that the task reads itself
	fullView view = true  // all files
)

// open opens the sources with the listings of the plan. Tasks of which there are many use
// partView, so that their time does not depend on the number of inputs.
func (t *Tasks) open(ctx context.Context, v view) (*job, error) {
	if t.job != nil {
		if v == partView || t.job.state != nil {
			return t.job, nil
		}
		t.job.close()
		t.job, t.found = nil, nil
	}
	cfg, err := t.plan.Config.Parse()
	if err != nil {
		return nil, err
	}
	t.run.near = v == partView
	j, err := prepare(ctx, cfg, &t.run)
	if err != nil {
		return nil, err
	}
	if err = t.comparePlan(j); err == nil && scans(j) != (len(t.plan.Scans) > 0) {
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

// comparePlan returns an error if the job differs from the plan.
func (t *Tasks) comparePlan(j *job) error {
	planned := t.plan.Job
	// This comparison is first: names in class files are part of the config's digest.
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

// errOtherProgram says that another version of tfr-build made the plan.
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

// claimError returns err, or for an output that tasks have claimed an error that names the tasks.
func claimError(output string, err error) error {
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

// closeWork stores the result of the commit, and clears the work directory. Files that cannot be
// removed are only a warning: a retry would not help.
func (r *Run) closeWork(f *work.Folder, c *work.Committed) error {
	if err := work.Close(f, c); err != nil {
		return err
	}
	if err := f.Clear(work.CommittedName); err != nil {
		r.warn("the dataset is complete, but what its tasks told one another could not be removed: " + err.Error())
	}
	return nil
}

// newLog returns a log for one task.
func (t *Tasks) newLog() *rejects.Log { return rejects.NewLog(t.job.cfg.OnError != "fail") }
