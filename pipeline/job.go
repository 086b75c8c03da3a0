package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/image"
	"tfr-build/sources/input"
)

// A job is what check, plan, try and build have in common: the sources are opened
// and nothing of their rows has been read.
type job struct {
	cfg     *config.Config
	run     *Run
	pool    *pool.Pool
	files   *files.System
	storage *store.Storage // of the input, and of an output in a remote store
	set     *rows.Set
	inputs  *runstate.Inputs
	state   *runstate.State // of the inputs as they were listed; nil where the run looks at a part of them
	log     *rejects.Log
	paths   runstate.Paths
	beside  *sink.Versions // nil where no other versions matter
}

// prepare does all that is done before a row is searched for: it lists the
// files, reads class files and headers, and binds columns. The job is to be closed.
func prepare(ctx context.Context, cfg *config.Config, run *Run) (*job, error) {
	j := &job{cfg: cfg, run: run, log: rejects.NewLog(cfg.OnError != "fail"), storage: objects.Reach(ctx, run.Storage, run.stores(cfg))}
	j.files = files.New(ctx, j.storage)
	j.pool = &pool.Pool{Workers: run.Workers, Progress: run.Progress, Changed: func() error { return j.inputs.Changed() }}
	if err := j.begin(ctx); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// begin is all of prepare that can fail.
func (j *job) begin(ctx context.Context) error {
	var err error
	j.run.Progress.Start(pool.ListingFiles, 0)
	if err = j.run.reachOutput(j.cfg, j.storage); err != nil {
		return err
	}
	j.paths = runstate.Paths{Output: j.output(), Scratch: j.run.Scratch}
	if j.cfg.OnError == "quarantine" {
		j.paths.Rejects = j.cfg.RejectsFile(j.output())
	}
	if j.cfg.OnCheck == "fail" {
		j.paths.Report = j.reportFile().Path
	}
	if err := checkAside(j.run, &j.paths, nil); err != nil {
		return err
	}
	written := j.paths.Written()
	if j.set, err = rows.Open(ctx, j.cfg, rows.Options{System: j.files, Workers: j.run.Workers, Written: written, Listed: j.run.listed}); err != nil {
		return err
	}
	if j.run.listed == nil { // else whoever made the plan has looked at every path
		if err := j.paths.Check(j.set); err != nil {
			return err
		}
	}
	if err := checkAside(j.run, &j.paths, j.set); err != nil {
		return err
	}
	if err := j.set.Bind(ctx); err != nil {
		return err
	}
	j.cfg = j.set.Config // which knows now what only files tell
	if j.inputs, err = runstate.NewInputs(ctx, j.set, written, j.run.near); err != nil || j.run.near {
		return err
	}
	if j.run.phases != nil {
		j.run.Progress.Plan(j.run.phases(j)...)
	}
	j.beside = versionsOf(j)
	j.state, err = j.inputs.Read(ctx, j.pool, j.run.HashInputs)
	return err
}

// close gives back what the job has opened.
func (j *job) close() {
	if j.set != nil {
		j.set.Release()
	}
	j.files.Close()
	j.storage.Close()
}

// checkAside refuses files about the run that are not where they may be. Before the
// inputs are listed set is nil.
func checkAside(run *Run, paths *runstate.Paths, set *rows.Set) error {
	for _, a := range run.Aside {
		if err := paths.CheckAside(set, a.What, a.Path); err != nil {
			return err
		}
	}
	return nil
}

// sample reads the first rows for columns that none of them has. Without some of
// these no row can be used, which is a fault, unless such rows are left out; notes
// are about the others.
func (j *job) sample(ctx context.Context) (notes []string, err error) {
	lacking, err := rows.Sample(ctx, j.set)
	if err != nil {
		return nil, err
	}
	var fits input.Fits
	for i := range lacking {
		if l := &lacking[i]; !l.Fatal || j.log.Tolerant() {
			notes = append(notes, l.Warning())
		} else {
			_ = fits.Add(l.Fit()) // which is a fault
		}
	}
	return notes, fits.Err()
}

// sampleWarned is sample whose notes are warnings.
func (j *job) sampleWarned(ctx context.Context) error {
	notes, err := j.sample(ctx)
	if err == nil {
		j.run.warnAll(notes)
	}
	return err
}

// output is the path of the dataset.
func (j *job) output() string { return j.run.OutputOf(j.cfg) }

// rejectsFile is where the rejects of the dataset stand.
func (j *job) rejectsFile() *sink.Beside { return rejectsBeside(j.cfg, j.output()) }

func rejectsBeside(cfg *config.Config, output string) *sink.Beside {
	return &sink.Beside{Path: cfg.RejectsFile(output), What: "a file of rejects", Ours: rejects.IsFile}
}

// besideInTheWay finds a file of others where one of ours is to come, before a run
// has done its work; or something in the place of the link to the versions.
func (j *job) besideInTheWay() error {
	if j.beside != nil {
		if err := j.beside.Check(j.run.Storage.Local(), j.output()); err != nil {
			return err
		}
	}
	if j.paths.Rejects != "" {
		if _, err := j.rejectsFile().Check(j.run.Storage); err != nil {
			return err
		}
	}
	if j.paths.Report != "" {
		if _, err := j.reportFile().Check(j.run.Storage); err != nil {
			return err
		}
	}
	return nil
}

// reader reads rejected rows again.
func (j *job) reader() *rejects.Reader { return &rejects.Reader{Set: j.set, Changed: j.inputs.Changed} }

// counted is called with the number of rows of each source: a source without any
// is a fault, and the budget of rejects is known.
func (j *job) counted(found []plan.Source) error {
	for i, src := range j.set.Sources {
		if found[i].Found == 0 && !src.Spec().Kind.EmptyAllowed() {
			return noRows(src)
		}
	}
	j.setBudget(found)
	return nil
}

// noRows is the error of a source without a row. It names the extensions of files that the
// source does not take.
func noRows(src *rows.Source) error {
	e := &RowsError{Position: input.Position{Path: src.Listing().Label}, Text: "no row in " + src.Config.At, Code: "NO_ROWS"}
	others := src.Listing().Skipped.Others
	if len(others) == 0 {
		return e
	}
	names, sum := slices.Sorted(maps.Keys(others)), 0
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(others[b], others[a]) })
	var list []string
	for i, name := range names {
		sum += others[name]
		if i < 8 {
			list = append(list, fmt.Sprintf(".%s %d", name, others[name]))
		}
	}
	have := "have other extensions"
	if sum == 1 {
		have = "has another extension"
	}
	e.Text += fmt.Sprintf("; %s %s: %s", plural.Of(sum, "file"), have, strings.Join(list, ", "))
	if isImage := image.FormatOfName("."+names[0]) != 0; names[0] != "" && (isImage || src.Spec().Kind.Name != "images") {
		e.Hint = "extensions: [" + names[0] + "]"
	}
	return e
}

// setBudget says how many of the rows that were found may be left out. Every way
// to the rows comes here, that of a run that resumes, too.
func (j *job) setBudget(found []plan.Source) {
	n := uint64(0)
	for _, f := range found {
		n += uint64(f.Found)
	}
	j.log.SetBudget(j.cfg.MaxErrors.Of(n))
}
