package pipeline

import (
	"context"
	"errors"
	"time"

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
	Scans  int     // number of scan tasks
	Before bool    // the plan already existed
}

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
		dir = WorkFolder(cfg, run)
	}
	text := cfg.Text()
	cfg, err := text.Parse() // with paths that do not depend on the working directory
	if err != nil {
		return nil, err
	}
	if _, dealt := cfg.Inception(); dealt {
		return nil, cfg.Problem("order", "%s deals all rows of a split in one step, which tasks cannot share; one process can build it", cfg.Order)
	}
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.close()
	planner := &planner{build: &build{job: j}}
	if planner.folder, err = folderAt(ctx, &run, dir); err != nil {
		return nil, err
	}
	planner.attempt = planner.folder.Attempt()
	if err := planner.makePlan(cfg); err != nil {
		return nil, err
	}
	return planner.planAll(ctx)
}

// WorkFolder returns the default work directory of the tasks of a build.
func WorkFolder(cfg *config.Config, run Run) string {
	dir := sink.WorkPath(run.OutputOf(cfg))
	if objects.CheckPath(run.Output) == nil {
		dir = objects.Plain(dir) // without it, ./~/out would mean the home directory
	}
	return dir
}

// folderAt opens the work directory dir, which may be a URL. If Run.Storage has no store for it,
// folderAt adds the stores that the environment describes.
func folderAt(ctx context.Context, run *Run, dir string) (*work.Folder, error) {
	if err := objects.CheckPath(dir); err != nil {
		return nil, &PlaceError{Text: "the work folder: " + err.Error()}
	}
	scratch := run.Scratch
	if !run.Storage.CanRename(dir) {
		if !run.Storage.HasStore(dir) {
			run.Storage = objects.Reach(ctx, run.Storage, run.stores(nil))
		}
		var err error
		if scratch, err = runstate.ScratchFolder(scratch); err != nil {
			return nil, err
		}
	}
	f, err := work.NewFolder(run.Storage, objects.Path(dir), scratch, run.Sync)
	if err != nil {
		err = &PlaceError{Text: err.Error()}
	}
	return f, err
}

// absolute returns a path that other processes can use; a URL is unchanged.
func absolute(path string) (string, error) {
	abs, err := store.Abs(path)
	if err != nil {
		err = &PlaceError{Text: "the working directory cannot be told: " + err.Error()}
	}
	return abs, err
}

// A planner plans the tasks of a build.
type planner struct {
	*build
	folder *work.Folder
	plan   *work.Plan
	text   []byte // the encoded plan
}

// makePlan makes the plan.
func (p *planner) makePlan(cfg *config.Config) error {
	output, err := absolute(p.output())
	if err != nil {
		return err
	}
	dir, err := absolute(p.folder.Path())
	if err != nil {
		return err
	}
	p.plan = &work.Plan{
		Output: output, Work: dir, Config: cfg.Text(), Job: p.inputs.Job(p.state),
		Hashed: p.run.HashInputs, Overwrite: p.run.Overwrite, Inputs: p.state.Inputs, Tasks: p.run.Tasks,
		Asides: p.inputs.Asides(), Listings: p.set.Listings(),
	}
	p.splitInput()
	if p.text, err = p.plan.Encode(); err == nil {
		p.claim, err = p.plan.Claim()
	}
	return err
}

// planAll writes the plan and claims the output, unless there is nothing to do.
func (p *planner) planAll(ctx context.Context) (*TasksPlan, error) {
	there, err := p.existing()
	if err != nil {
		return nil, err
	}
	known, stale, err := p.peekUpToDate()
	switch {
	case err != nil:
		return nil, err
	case known != nil && !stale:
		return p.closeUpToDate(known)
	}
	if err := p.sampleWarned(ctx); err != nil {
		return nil, err
	}
	p.run.warnAll(p.cfg.UnmovedCoordinates().Warnings())
	if err := p.lock(ctx); err != nil {
		return nil, err
	}
	defer p.stage.Close()
	if result, err := p.upToDate(ctx); err != nil || result != nil {
		if err == nil {
			err = (sink.Shared{Stage: p.stage}).Release() // of a commit that was stopped
		}
		if err != nil {
			return nil, err
		}
		return p.closeUpToDate(result)
	}
	if !there {
		if there, err = p.put(); err != nil {
			return nil, err
		}
	}
	if err := (sink.Shared{Stage: p.stage}).Claim(p.claim); err != nil {
		return nil, err
	}
	return &TasksPlan{Work: p.folder.Path(), Inputs: p.plan.Inputs, Scans: len(p.plan.Scans), Before: there}, nil
}

// existing reports whether the work directory has a plan of this job. A plan of another job is an
// error.
func (p *planner) existing() (bool, error) {
	old, err := work.ReadPlan(p.folder)
	if err != nil || old == nil {
		return false, err
	}
	if !old.SamePlan(p.plan) {
		return true, &TasksError{Output: old.Output, Work: p.folder.Path(), Config: old.Config.File}
	}
	p.plan = old
	p.claim, err = old.Claim()
	return true, err
}

// put writes the plan. If another process wrote it first, it uses that plan.
func (p *planner) put() (there bool, err error) {
	if err := p.folder.Make(); err != nil {
		return false, err
	}
	if err := work.PutPlan(p.folder, p.text); errors.Is(err, work.ErrExist) {
		return p.existing()
	} else if err != nil {
		return false, err
	}
	return false, work.Reopen(p.folder)
}

// closeUpToDate closes the work directory of a dataset that is up to date.
func (p *planner) closeUpToDate(r *Result) (*TasksPlan, error) {
	c := &work.Committed{Output: p.plan.Output, Summary: r.Summary}
	if err := p.folder.Make(); err != nil {
		return nil, err
	}
	return &TasksPlan{Result: r, Work: p.folder.Path()}, p.run.closeWork(p.folder, c)
}

// lock opens the output. It retries while another process has the lock, because that may be
// planning the same tasks, which takes a moment.
func (p *planner) lock(ctx context.Context) error {
	const tries, moment = 50, 100 * time.Millisecond
	for try := 1; ; try++ {
		err := p.open()
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

// Scan tasks read at most scanBytes and at least minScan bytes each. In between, their number is
// about the number that the plan says. If that makes more than maxTasks, they read more.
const (
	scanBytes = 4_000_000_000
	minScan   = 16 << 10
)

// splitInput splits the input into the pieces of scan tasks, unless all rows are files.
func (p *planner) splitInput() {
	if !scans(p.job) {
		return
	}
	total := int64(0)
	for i := range p.set.Files() {
		src, local := p.set.File(i)
		total += src.Listing().Files[local].Size
	}
	size := max(min(max(total/int64(tasksPerPhase(p.plan)), minScan), scanBytes), total/maxTasks)
	p.plan.Scans = spill.Pieces(p.set, size)
	limit := p.run.spillLimit()
	gathered := scanMemory(p.job) / int64(p.pool.Size())
	p.plan.Buckets = max(spill.Buckets(p.set.Footprint().Text, limit, gathered), bucketsPerTask*tasksPerPhase(p.plan))
}

// bucketsPerTask is the minimum number of buckets per write task: a task reads complete buckets,
// and shares the first and the last with other tasks.
const bucketsPerTask = 4

// scans reports whether scan tasks read the rows. Rows of trees are files, and the listing has
// them all.
func scans(j *job) bool {
	f := j.set.Footprint()
	return f.Streamed || f.Maps > 0
}

// scanMemory returns how many bytes of rows a scan gathers before it writes them.
func scanMemory(j *job) int64 { return j.run.spillLimit() * 3 / 2 }
