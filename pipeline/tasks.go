package pipeline

import (
	"context"
	"errors"
	"time"

	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// Tasks has the tasks of one build, for one process. Any number of processes build the dataset
// together, with the same bytes as Build.
//
//	result, err := pipeline.PlanTasks(ctx, cfg, run, dir)       // once
//	t, err := pipeline.OpenTasks(ctx, run, dir)                 // in each process
//	defer t.Close()
//	done, err := t.Do(ctx, work.Scan, share)                    // then the other Phases
//
// A task that cannot start yet is a *[NotYetError]. A task that is already done does nothing.
type Tasks struct {
	run       Run
	storage   *store.Storage // nil if the output is local
	directory *work.Directory
	plan      *work.Plan      // nil if the tasks have committed
	committed *work.Committed // nil if they have not
	job       *job            // nil until a task needs it
	merged    *work.Merged    // nil until a task needs it
	found     located         // of trees; nil until a task needs it

	written [][]sink.FinishedShard // by write task, for the commit
	early   error                  // says that some shards are missing
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
	if t.directory, err = directoryAt(ctx, &run, dir); err != nil {
		return nil, err
	}
	if t.committed, err = work.ReadCommitted(t.directory); err != nil {
		return nil, err
	}
	if t.plan, err = work.ReadPlan(t.directory); err != nil {
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
	t.run.Output, t.run.Overwrite, t.run.listed = t.plan.Output, t.plan.Overwrite, t.plan.Listed()
	t.run.base = &t.plan.Job.Base
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
	t.directory.Close()
	if t.job != nil {
		t.job.close()
	}
	t.storage.Close()
}

// Phases returns the phases of tasks, in order.
func Phases() (list []work.Phase) {
	for i := range steps {
		if steps[i].phase != planning {
			list = append(list, steps[i].phase)
		}
	}
	return list
}

// Do does the tasks of a phase that are in the share and not done yet.
func (t *Tasks) Do(ctx context.Context, phase work.Phase, share work.Share) (*TasksDone, error) {
	if t.plan == nil {
		return t.committedDone(), nil
	}
	done, err := t.doTasks(ctx, stepOf(phase), share)
	if err == nil {
		return done, nil
	}
	// Another process may have committed, and removed files that this task needed.
	if late, failed := work.ReadCommitted(t.directory); failed == nil && late != nil && late.Plan == t.plan.Digest() {
		t.plan, t.committed = nil, late
		return t.committedDone(), nil
	}
	if errors.Is(err, sink.ErrNoClaim) {
		return nil, &NotYetError{Why: "the tasks do not have the output: their plan is to be made again, or given up"}
	}
	if locked, isLocked := errors.AsType[*sink.LockedError](err); isLocked && phase == work.Commit {
		return nil, &NotYetError{Phase: work.Commit, Of: 1, Why: locked.Error()}
	}
	return nil, err
}

// committedDone returns the result of a phase whose tasks have committed.
func (t *Tasks) committedDone() *TasksDone {
	return &TasksDone{Output: t.committed.Output, Summary: t.committed.Summary}
}

// Plan returns the plan of the tasks; nil if they have committed.
func (t *Tasks) Plan() *work.Plan { return t.plan }

// Count returns the number of tasks of a phase; 0 if they have committed. If the merge determines the number, and is
// not done, the error is a *[NotYetError].
func (t *Tasks) Count(phase work.Phase) (int, error) {
	switch s := stepOf(phase); {
	case t.plan == nil:
		return 0, nil
	case phase == planning: // its task has no row in the work directory
		return 1, nil
	case s.count != nil:
		return s.count(t)
	}
	return t.plan.Count(phase), nil
}

// complete returns a *[NotYetError] unless all tasks of a phase are done.
func (t *Tasks) complete(phase work.Phase) error {
	switch s := stepOf(phase); {
	case s.complete != nil:
		return s.complete(t)
	case phase == planning:
		return nil
	}
	return t.plan.Ready(phase, t.plan.Count(phase))
}

// countWrites returns the number of write tasks. The merge determines it.
func (t *Tasks) countWrites() (int, error) {
	if err := t.readMerged(); err != nil {
		return 0, err
	}
	return len(t.merged.Tasks), nil
}

// doTasks does the tasks of a share that have no note.
func (t *Tasks) doTasks(ctx context.Context, s *step, share work.Share) (*TasksDone, error) {
	of, err := t.Count(s.phase)
	if err != nil {
		return nil, err
	}
	done := &TasksDone{Of: of}
	own := share.Tasks(of)
	for i, k := range own {
		t.run.Progress.PlanPart(i, len(own), s.long...)
		note, err := t.plan.Note(s.phase, k)
		if err != nil {
			return nil, err
		}
		if note != nil {
			done.Before++
			continue
		}
		note, result, err := t.doRepairing(ctx, s, k, map[string]bool{})
		switch {
		case err != nil:
			return nil, err
		case result != nil:
			done.Output, done.Summary, done.Result = result.Output, result.Summary, result
			err = t.run.closeWork(t.directory, &work.Committed{Plan: t.plan.Digest(), Output: result.Output,
				Summary: result.Summary})
		default:
			err = t.plan.Done(s.phase, k, note)
		}
		if err != nil {
			return nil, err
		}
		done.Did++
	}
	return done, nil
}

// doRepairing does a task, and makes damaged spill files again that it finds, each at most once: repaired has their
// paths.
func (t *Tasks) doRepairing(ctx context.Context, s *step, k int, repaired map[string]bool) (*work.Note, *Result,
	error) {
	for {
		note, result, err := t.doTask(ctx, s, k)
		damaged, ok := errors.AsType[*work.DamagedError](err)
		if !ok || repaired[damaged.Path] {
			return note, result, err
		}
		repaired[damaged.Path] = true
		if err := t.repair(ctx, damaged, repaired); err != nil {
			return nil, nil, err
		}
	}
}

// doTask does a task. It returns the note, which the caller stores, or the result of the commit.
func (t *Tasks) doTask(ctx context.Context, s *step, k int) (note *work.Note, result *Result, err error) {
	began := time.Now()
	for _, need := range s.needs {
		if err := t.complete(need); err != nil {
			return nil, nil, err
		}
	}
	b, err := t.newBuild(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		switch closed := b.out.close(); {
		case closed == nil || err != nil:
		case result != nil: // a late task may have written files
			t.run.warn("the dataset is complete, but what its tasks made could not be removed: " + closed.Error())
		default:
			err = closed
		}
	}()
	if err := b.restoreAndDo(ctx, s, k); err != nil || b.result != nil {
		return nil, b.result, err
	}
	if note = b.results.made[s.phase]; s.note != nil {
		if note, err = s.note(b, k); err != nil {
			return nil, nil, err
		}
	}
	if b.job.cfg.Provenance {
		note.Sums = b.job.inputs.TakeSums()
	}
	note.Seconds = time.Since(began).Seconds()
	return note, nil, nil
}

// newBuild returns the build for a task, before it is restored.
func (t *Tasks) newBuild(ctx context.Context, s *step) (*build, error) {
	if s.phase == work.Commit {
		t.run.HashInputs = t.plan.Hashed
	}
	j, err := t.open(ctx, s.view)
	if err != nil {
		return nil, err
	}
	b := newBuild(j)
	b.tasks, b.results.files, b.results.plan, b.results.log = t, t.directory, t.plan, b.pass.log
	b.out.attempt = t.directory.Attempt()
	b.out.claim, err = t.plan.Claim()
	return b, err
}

// restoreAndDo restores the build from the notes of earlier steps, and does a task.
func (b *build) restoreAndDo(ctx context.Context, s *step, k int) error {
	if s.open != nil {
		if err := s.open(b, ctx); err != nil || b.result != nil {
			return err
		}
	}
	for _, need := range s.needs {
		if restore := stepOf(need).restore; restore != nil {
			if err := restore(b, ctx); err != nil {
				return err
			}
		}
	}
	return b.doStep(ctx, s, k)
}

// repair makes a damaged spill file again. If the merge is of such files, it also makes the result of the
// merge again, which has the positions of the rows in them.
func (t *Tasks) repair(ctx context.Context, damaged *work.DamagedError, repaired map[string]bool) error {
	t.run.warn(damaged.Error() + ": it is made again")
	// a group task reads the files of scans
	note, _, err := t.doRepairing(ctx, stepOf(damaged.Phase), damaged.Task, repaired)
	if err == nil {
		err = t.plan.Done(damaged.Phase, damaged.Task, note)
	}
	if err != nil || t.merged == nil || damaged.Phase != t.plan.Sorted() {
		return err
	}
	if note, _, err = t.doRepairing(ctx, stepOf(work.Merge), 0, repaired); err != nil {
		return err
	}
	return t.replaceMerged(note)
}

// replaceMerged stores the result of a merge that was made again.
func (t *Tasks) replaceMerged(note *work.Note) error {
	if t.merged != nil && !note.Merged.Plan.SameRows(t.merged.Plan) {
		return t.job.inputs.Changed()
	}
	t.merged = note.Merged
	return t.plan.Done(work.Merge, 0, note)
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
	if err = t.comparePlan(j); err == nil && j.scans() != (len(t.plan.Scans) > 0) {
		err = &BrokenError{Path: t.directory.Path(),
			Err: errors.New("the plan scans no rows, or rows that are not to be scanned")}
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
	if err := j.inputs.ExtraInputChanged(t.plan.Extras); err != nil {
		return err
	}
	if j.inputs.Program() != (plan.Job{ConfigDigest: planned.ConfigDigest, BytesVersion: planned.BytesVersion,
		Statistics: planned.Statistics, Base: planned.Base}) {
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
var errOtherProgram = &BadPathError{Text: "the plan was made by another version of tfr-build: all tasks are to be " +
	"done by one"}

// claimError returns err, or for an output that tasks have claimed an error that names the tasks.
func claimError(output string, err error) error {
	claimed, ok := errors.AsType[*sink.ClaimedError](err)
	if !ok {
		return err
	}
	c := work.ParseClaim(claimed.Claim)
	if c == nil {
		return &BrokenError{
			Path: claimed.Path,
			Err:  errors.New("the claim of the tasks that make it is damaged, or of another version of tfr-build"),
		}
	}
	return &TasksError{Output: output, Work: c.Work, Config: c.Config}
}

// closeWork stores the result of the commit, and clears the work directory. Files that cannot be
// removed are only a warning: a retry would not help.
func (r *Run) closeWork(f *work.Directory, c *work.Committed) error {
	if err := work.Close(f, c); err != nil {
		return err
	}
	if err := f.Clear(work.CommittedName); err != nil {
		r.warn("the dataset is complete, but the files that its tasks exchanged could not be removed: " + err.Error())
	}
	return nil
}
