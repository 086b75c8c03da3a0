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

// A TasksPlan is what PlanTasks came to.
type TasksPlan struct {
	Result *Result // of a dataset that is up to date, for which there is nothing to plan; else nil
	Work   string  // the work folder
	Inputs int     // files
	Scans  int     // tasks of the scan
	Before bool    // the plan was there
}

// PlanTasks plans the tasks of a build: it lists the input, claims the output for the
// tasks, and puts the plan into their work folder, dir, or where that is empty the one
// beside the output. A plan of the same job that is there stays. The error is a
// *[TasksError] where the tasks of another job have claimed the output.
func PlanTasks(ctx context.Context, cfg *config.Config, run Run, dir string) (*TasksPlan, error) {
	p, err := planTasks(ctx, cfg, run, dir)
	if errors.Is(err, sink.ErrPublished) { // perhaps the same: then there is nothing to do any more
		return planTasks(ctx, cfg, run, dir)
	}
	return p, err
}

func planTasks(ctx context.Context, cfg *config.Config, run Run, dir string) (*TasksPlan, error) {
	if dir == "" {
		dir = WorkFolder(cfg, run)
	}
	text := cfg.Text()
	cfg, err := text.Parse() // whose paths hold in every working directory
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
	if err := planner.draft(cfg); err != nil {
		return nil, err
	}
	return planner.all(ctx)
}

// WorkFolder is the folder of the tasks of a build, unless they are told another.
func WorkFolder(cfg *config.Config, run Run) string {
	dir := sink.WorkPath(run.OutputOf(cfg))
	if objects.CheckPath(run.Output) == nil {
		dir = objects.Plain(dir) // of ./~/out, it would be that of the home folder else
	}
	return dir
}

// folderAt is the work folder dir, which may be a URL: if Run.Storage has no store for it, it is
// reached as the environment says.
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

// absolute is the path for processes that are elsewhere; a URL is one.
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
	text   []byte // of the plan
}

// draft makes the plan.
func (p *planner) draft(cfg *config.Config) error {
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
	p.cut()
	if p.text, err = p.plan.Encode(); err == nil {
		p.claim, err = p.plan.Claim()
	}
	return err
}

// all puts the plan, unless there is nothing to do.
func (p *planner) all(ctx context.Context) (*TasksPlan, error) {
	there, err := p.existing()
	if err != nil {
		return nil, err
	}
	known, stale, err := p.peek()
	switch {
	case err != nil:
		return nil, err
	case known != nil && !stale:
		return p.upToDate(known)
	}
	if err := p.sampleWarned(ctx); err != nil {
		return nil, err
	}
	p.run.warnAll(p.cfg.UnmovedCoordinates().Warnings())
	if err := p.lock(ctx); err != nil {
		return nil, err
	}
	defer p.stage.Close()
	if result, err := p.standing(ctx); err != nil || result != nil {
		if err == nil {
			err = (sink.Shared{Stage: p.stage}).Release() // of a commit that was stopped right after
		}
		if err != nil {
			return nil, err
		}
		return p.upToDate(result)
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

// existing reports whether a plan of this job is in the work folder. One of another job
// is an error.
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

// put puts the plan. Another process may have put it first.
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

// upToDate is the end of a plan of what is there.
func (p *planner) upToDate(r *Result) (*TasksPlan, error) {
	c := &work.Committed{Output: p.plan.Output, Summary: r.Summary}
	if err := p.folder.Make(); err != nil {
		return nil, err
	}
	return &TasksPlan{Result: r, Work: p.folder.Path()}, p.run.close(p.folder, c)
}

// lock opens the output. Another process may just be planning the same, which takes a
// moment.
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

// Scan tasks read scanBytes each at most, and at least leastScan; in between there are
// about as many as the plan asks for. Where that makes more than mostTasks, they read more.
const (
	scanBytes = 4_000_000_000
	leastScan = 16 << 10
)

// cut cuts the input into what scan tasks read, unless all rows are files.
func (p *planner) cut() {
	if !scans(p.job) {
		return
	}
	total := int64(0)
	for i := range p.set.Files() {
		src, local := p.set.File(i)
		total += src.Listing().Files[local].Size
	}
	size := max(min(max(total/int64(tasksOf(p.plan)), leastScan), scanBytes), total/mostTasks)
	p.plan.Scans = spill.Pieces(p.set, size)
	limit := p.run.spillLimit()
	gathered := scanMemory(p.job) / int64(p.pool.Size())
	p.plan.Buckets = max(spill.Buckets(p.set.Footprint().Text, limit, gathered), bucketsATask*tasksOf(p.plan))
}

// bucketsATask is how many buckets there are at least for each write task: it reads
// whole ones, and the first and the last of them are another's, too.
const bucketsATask = 4

// scans reports whether rows are read by scan tasks: those of trees are files, whose
// listing is all that there is to scan.
func scans(j *job) bool {
	f := j.set.Footprint()
	return f.Streamed || f.Maps > 0
}

// scanMemory is how many bytes of rows a scan gathers before it writes them.
func scanMemory(j *job) int64 { return j.run.spillLimit() * 3 / 2 }
