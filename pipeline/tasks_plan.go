package pipeline

import (
	"cmp"
	"context"
	"errors"

	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/runstate"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// A TasksPlan is the result of PlanTasks.
type TasksPlan struct {
	Result *Result // of an up-to-date dataset, for which nothing is planned; else nil
	Work   string  // path of the work directory
	Inputs int     // number of files
	Before bool    // the plan already existed

	plan *work.Plan
}

// Count returns the number of tasks of a phase before the merge.
func (p *TasksPlan) Count(phase work.Phase) int { return p.plan.Count(phase) }

// PlanTasks plans the tasks of a build. It lists the input, claims the output for the tasks, and
// writes the plan to the work directory dir. An empty dir means a directory next to the output. If
// a plan of the same job exists, it remains. If tasks of another job have claimed the output, the
// error is a *[TasksError].
func PlanTasks(ctx context.Context, cfg *config.Config, run Run, dir string) (*TasksPlan, error) {
	p, err := planTasks(ctx, cfg, run, dir)
	if errors.Is(err, sink.ErrPublished) { // another process published; it may be the same dataset
		return planTasks(ctx, cfg, run, dir)
	}
	return p, err
}

func planTasks(ctx context.Context, cfg *config.Config, run Run, dir string) (*TasksPlan, error) {
	if dir == "" {
		dir = WorkDirectory(cfg, run)
	}
	text := cfg.Text()
	cfg, err := text.Parse() // with paths that do not depend on the working directory
	if err != nil {
		return nil, err
	}
	if _, dealt := cfg.Inception(); dealt {
		return nil, cfg.Problem("order",
			"%s deals all rows of a split in one step, which tasks cannot share; one process can build it", cfg.Order)
	}
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.close()
	switch result, err := j.nothingNew(ctx); {
	case err != nil:
		return nil, err
	case result != nil:
		return &TasksPlan{Result: result, Work: dir}, nil
	}
	p := &planner{job: j, build: newBuild(j)}
	if p.directory, err = directoryAt(ctx, &run, dir); err != nil {
		return nil, err
	}
	if err := p.makePlan(cfg); err != nil {
		return nil, err
	}
	return p.planAll(ctx)
}

// WorkDirectory returns the default work directory of the tasks of a build.
func WorkDirectory(cfg *config.Config, run Run) string {
	dir := sink.WorkPath(run.OutputOf(cfg))
	if objects.CheckPath(run.Output) == nil {
		dir = objects.Plain(dir) // without it, ./~/out would mean the home directory
	}
	return dir
}

// directoryAt opens the work directory dir, which may be a URL. If Run.Storage has no store for it,
// directoryAt adds the stores that the environment describes.
func directoryAt(ctx context.Context, run *Run, dir string) (*work.Directory, error) {
	if err := objects.CheckPath(dir); err != nil {
		return nil, &BadPathError{Text: "the work directory: " + err.Error()}
	}
	scratch := run.Scratch
	if !run.Storage.CanRename(dir) {
		if !run.Storage.HasStore(dir) {
			run.Storage = objects.Reach(ctx, run.Storage, run.stores(nil))
		}
		var err error
		if scratch, err = runstate.ScratchDirectory(scratch); err != nil {
			return nil, err
		}
	}
	f, err := work.NewDirectory(run.Storage, objects.Path(dir), scratch, run.Sync)
	if err != nil {
		err = &BadPathError{Text: err.Error()}
	}
	return f, err
}

// absolute returns a path that other processes can use; a URL is unchanged.
func absolute(path string) (string, error) {
	abs, err := store.Abs(path)
	if err != nil {
		err = &BadPathError{Text: "the working directory is not known: " + err.Error()}
	}
	return abs, err
}

// A planner plans the tasks of a build.
type planner struct {
	job       *job
	build     *build
	directory *work.Directory
	plan      *work.Plan
	text      []byte // the encoded plan
}

// makePlan makes the plan.
func (p *planner) makePlan(cfg *config.Config) error {
	output, err := absolute(p.job.output())
	if err != nil {
		return err
	}
	dir, err := absolute(p.directory.Path())
	if err != nil {
		return err
	}
	p.plan = &work.Plan{
		Output: output, Work: dir, Config: cfg.Text(), Job: p.job.inputs.Job(p.job.state),
		Hashed: p.job.run.HashInputs, Overwrite: p.job.run.Overwrite, Inputs: p.job.state.Inputs,
		Tasks:  p.job.run.Tasks,
		Extras: p.job.inputs.ExtraInputs(), Listings: p.job.set.Listings(), In: p.directory,
	}
	if p.job.base != nil {
		p.plan.All = p.job.all
	}
	p.splitInput()
	p.text, err = p.plan.Encode()
	return err
}

// planAll writes the plan and claims the output, unless there is nothing to do.
func (p *planner) planAll(ctx context.Context) (made *TasksPlan, err error) {
	exists, err := p.findPlan()
	if err != nil {
		return nil, err
	}
	b := p.build
	b.tasks, b.out.attempt = &Tasks{directory: p.directory, plan: p.plan}, p.directory.Attempt()
	if b.out.claim, err = p.plan.Claim(); err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, b.out.close()) }()
	if err := b.doStep(ctx, stepOf(planning), 0); err != nil {
		return nil, err
	}
	if b.result != nil {
		return p.closeUpToDate()
	}
	if !exists {
		if exists, err = p.put(); err != nil {
			return nil, err
		}
	}
	// After the plan: tasks whose claim has no plan could only be given up.
	if err := (sink.Shared{Stage: b.out.stage}).Claim(b.out.claim); err != nil {
		return nil, err
	}
	return &TasksPlan{Work: p.directory.Path(), Inputs: p.plan.Inputs, Before: exists, plan: p.plan}, nil
}

// findPlan reports whether the work directory has a plan of this job, and uses it. A plan of
// another job is an error.
func (p *planner) findPlan() (bool, error) {
	old, err := work.ReadPlan(p.directory)
	if err != nil || old == nil {
		return false, err
	}
	if !old.SamePlan(p.plan) {
		return true, &TasksError{Output: old.Output, Work: p.directory.Path(), Config: old.Config.File}
	}
	p.plan = old
	return true, nil
}

// put writes the plan. If another process wrote it first, it uses that plan.
func (p *planner) put() (exists bool, err error) {
	if err := p.directory.Make(); err != nil {
		return false, err
	}
	if err := work.PutPlan(p.directory, p.text); errors.Is(err, work.ErrExist) {
		if exists, err = p.findPlan(); err == nil {
			p.build.out.claim, err = p.plan.Claim()
		}
		return exists, err
	} else if err != nil {
		return false, err
	}
	return false, work.Reopen(p.directory)
}

// closeUpToDate closes the work directory of a dataset that is up to date, and removes the claim of
// a commit that was stopped.
func (p *planner) closeUpToDate() (*TasksPlan, error) {
	r := p.build.result
	if p.build.out.stage != nil {
		if err := (sink.Shared{Stage: p.build.out.stage}).Release(); err != nil {
			return nil, err
		}
	}
	c := &work.Committed{Output: p.plan.Output, Summary: r.Summary}
	if err := p.directory.Make(); err != nil {
		return nil, err
	}
	return &TasksPlan{Result: r, Work: p.directory.Path()}, p.job.run.closeWork(p.directory, c)
}

// Scan tasks read at most scanBytes and at least minScan bytes each. In between, their number is
// about the number that the plan says. If that makes more than maxTasks, they read more.
const (
	scanBytes = 4_000_000_000
	minScan   = 16 << 10
)

// splitInput splits the input into the ranges of scan tasks, unless all rows are files, and of
// compare tasks, if rows are compared.
func (p *planner) splitInput() {
	if !p.job.scans() && !p.job.set.Compares() {
		return
	}
	set, total := p.job.set, int64(0)
	for i := range set.Files() {
		src, local := set.File(i)
		total += src.Listing().Files[local].Size
	}
	size := max(min(max(total/int64(tasksPerPhase(p.plan)), minScan), scanBytes), total/maxTasks)
	ranges := spill.InputRanges(set, size)
	if set.Compares() {
		p.plan.Compares, p.plan.Ranges = ranges, spill.HashRanges(total/rowText, p.job.compareMemory())
	}
	if !p.job.scans() {
		return
	}
	p.plan.Scans = ranges
	p.plan.Buckets = max(p.job.buckets(), bucketsPerTask*tasksPerPhase(p.plan))
	if set.Groups() {
		p.plan.Groups = groupTasks(len(ranges), p.plan.Buckets)
	}
}

// bucketsPerTask is the minimum number of buckets per write task: a task reads complete buckets,
// and shares the first and the last with other tasks.
const bucketsPerTask = 4

// scans reports whether scan tasks read the rows. Rows of trees are files, and the listing has
// them all, but not their groups.
func (j *job) scans() bool {
	f := j.set.Footprint()
	return j.set.Groups() || f.Streamed || f.Maps > 0
}
