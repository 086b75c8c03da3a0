package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/runstate"
	"tfr-build/pixels/header"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A job has the opened sources of a check, plan, try, or build. Reading their rows does not change
// it: see [pass].
type job struct {
	cfg             *config.Config
	run             *Run
	pool            *pool.Pool
	files           *files.System
	storage         *store.Storage // of the input, and of an output in a remote store
	set             *rows.Set
	all             []*input.Listing // by source; with a base also of the files that it has
	base            *base.Base       // whose shards the dataset keeps; nil without one
	appendsToItself bool             // the base is the output
	complete        *base.Base       // a base that has all files of the sources; else nil
	inputs          *runstate.Inputs
	state           *runstate.State // of the inputs as listed; nil if only a part of them is used
	paths           runstate.Paths
	versions        *sink.Versions // nil if the config has neither link nor keep
}

// prepare does everything before rows are searched for: it lists the files, reads class files and
// headers, and binds columns. Close the job.
func prepare(ctx context.Context, cfg *config.Config, run *Run) (*job, error) {
	j := &job{cfg: cfg, run: run, storage: objects.Reach(ctx, run.Storage, run.stores(cfg))}
	if j.files = files.New(ctx, j.storage); cfg.Provenance && !run.unwritten {
		j.files.KeepSums()
	}
	j.pool = &pool.Pool{Workers: run.Workers, Progress: run.Progress, Changed: func() error {
		return j.inputs.Changed()
	}}
	if err := j.openSources(ctx); err != nil {
		if run.failed != nil {
			run.failed(ctx, j, err)
		}
		j.close()
		return nil, err
	}
	return j, nil
}

// openSources does the part of prepare that can fail.
func (j *job) openSources(ctx context.Context) error {
	var err error
	j.run.Progress.Start(pool.ListingFiles, 0)
	if err = j.run.reachOutput(j.cfg, j.storage); err != nil {
		return err
	}
	j.paths = runstate.Paths{Output: j.output(), Scratch: j.run.Scratch}
	if j.cfg.OnError == "quarantine" {
		j.paths.Rejects = j.cfg.RejectsFile(j.output())
	}
	j.paths.Duplicates = j.cfg.DuplicatesFile()
	if j.cfg.OnCheck == "fail" {
		j.paths.Report = j.reportFile().Path
	}
	if err := checkRunFiles(j.run, &j.paths, nil); err != nil {
		return err
	}
	written := j.paths.Written()
	if j.run.compared != "" {
		written = append(written, store.Real(j.run.compared))
	}
	opt := rows.Options{System: j.files, Workers: j.run.Workers, Written: written, Listed: j.run.listed}
	if j.set, err = rows.Open(ctx, j.cfg, opt); err != nil {
		return err
	}
	if made := j.run.made; made != nil {
		if opt.Listed, _, err = made.Divide(j.set); err != nil {
			return err
		}
		if made.News > 0 {
			j.run.inform(fmt.Sprintf("%s newer than %s: not read", plural.Of(made.News, "file"), made.Path))
		}
		if j.set, err = rows.Open(ctx, j.cfg, opt); err != nil {
			return err
		}
	}
	j.all = j.set.Listings()
	if err := j.openBase(ctx, opt); err != nil {
		return err
	}
	if j.run.listed == nil { // else all paths were checked when the plan was made
		if err := j.paths.Check(j.set); err != nil {
			return err
		}
	}
	if err := checkRunFiles(j.run, &j.paths, j.set); err != nil {
		return err
	}
	if err := j.set.Bind(ctx); err != nil {
		return err
	}
	j.cfg = j.set.Config // now with types and shapes from the files
	if j.inputs, err = runstate.NewInputs(ctx, j.set, j.all, j.basePlan(), j.run.made, written,
		j.run.near); err != nil ||
		j.run.near {
		return err
	}
	if b := cmp.Or(j.base, j.complete); b != nil {
		sides, err := j.inputs.Sides(ctx, j.pool)
		if err == nil {
			err = b.CompareSides(sides)
		}
		if err != nil {
			return err
		}
	}
	if j.run.phases != nil {
		j.run.Progress.Plan(j.run.phases(j)...)
	}
	j.versions = newVersions(j)
	j.state, err = j.inputs.Read(ctx, j.pool, j.run.HashInputs)
	return err
}

// quiet returns the job with so many workers, whose progress is not shown.
func (j *job) quiet(workers int) *job {
	run, quiet := *j.run, *j
	run.Progress, run.informAfter = nil, math.MaxInt64
	quiet.run, quiet.pool = &run, &pool.Pool{Workers: workers, Changed: j.pool.Changed}
	return &quiet
}

// close closes what the job opened.
func (j *job) close() {
	if j.set != nil {
		j.set.Release()
	}
	j.files.Close()
	j.storage.Close()
}

// checkRunFiles returns an error if a file about the run cannot be at its path. Before the inputs
// are listed, set is nil.
func checkRunFiles(run *Run, paths *runstate.Paths, set *rows.Set) error {
	for _, a := range run.RunFiles {
		if err := paths.CheckRunFile(set, a.What, a.Path); err != nil {
			return err
		}
	}
	return nil
}

// sample reads the first rows to find columns that none of them has. A missing column without
// which every row is invalid is an error, unless invalid rows are skipped. So is one without which a rule takes all
// rows for equal ones. notes describes the other missing columns.
func (j *job) sample(ctx context.Context) (notes []string, err error) {
	lacking, err := rows.Sample(ctx, j.set)
	if err != nil {
		return nil, err
	}
	var fits input.Mismatches
	for i := range lacking {
		if l := &lacking[i]; !l.AllSame && (!l.Fatal || j.tolerant()) {
			notes = append(notes, describe.Lines(j.set, []dataset.Warning{describe.About(l.Source, l.Warning())})...)
		} else {
			_ = fits.Add(l.Fit()) // the result repeats the error; fits has it
		}
	}
	return notes, fits.Err()
}

// sampleWarned is sample with the notes as warnings.
func (j *job) sampleWarned(ctx context.Context) error {
	notes, err := j.sample(ctx)
	if err == nil {
		j.run.warnAll(notes)
	}
	return err
}

// tolerant reports whether a build skips invalid rows.
func (j *job) tolerant() bool { return j.cfg.Tolerant() }

// dependencies returns the files that the dataset depends on, for a depfile; nil without one.
func (j *job) dependencies() ([]string, error) {
	if j.run.Depfile == "" {
		return nil, nil
	}
	if err := j.paths.CheckDepfile(j.set, j.run.Depfile); err != nil {
		return nil, err
	}
	var old []base.Listed
	if j.base != nil {
		old = j.base.Listed
	}
	return j.inputs.Dependencies(old, j.output())
}

// output returns the path of the dataset.
func (j *job) output() string { return j.run.OutputOf(j.cfg) }

// rejectsFile returns the file of rejects, next to the dataset.
func (j *job) rejectsFile() *sink.Sidecar { return rejectsSidecar(j.cfg, j.output()) }

func rejectsSidecar(cfg *config.Config, output string) *sink.Sidecar {
	return &sink.Sidecar{Path: cfg.RejectsFile(output), What: "a file of rejects", IsOwn: rejects.IsFile}
}

// checkSidecars returns an error if an unknown file is where the build will write a file next to
// the output, before it does its work. It also checks the place of the link to the versions.
func (j *job) checkSidecars() error {
	if j.versions != nil {
		if err := j.versions.Check(j.run.Storage.Local(), j.output()); err != nil {
			return err
		}
	}
	var list []*sink.Sidecar
	if j.paths.Rejects != "" {
		list = append(list, j.rejectsFile())
	}
	for _, rule := range j.set.Rules {
		if rule.List != "" {
			list = append(list, listFile(rule))
		}
	}
	if j.paths.Report != "" {
		list = append(list, j.reportFile())
	}
	for _, file := range list {
		if _, err := file.Check(j.run.Storage); err != nil {
			return err
		}
	}
	return nil
}

// reader returns a reader of rejected rows.
func (j *job) reader() *rejects.Reader {
	return &rejects.Reader{Set: j.set, Changed: j.inputs.Changed, Memory: j.run.spillLimit()}
}

// noRowsError returns the error of a source without rows. It lists the extensions of files that
// the source skips.
func noRowsError(src *rows.Source) error {
	e := &RowsError{Position: input.Position{Path: src.Listing().Label}, Text: "no row in " + src.Config.At,
		Code: "NO_ROWS"}
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
	if isImage := header.FormatOfName("."+names[0]) != 0; names[0] != "" &&
		(isImage || src.Spec().Kind.Name != "images") {
		e.Hint = "extensions: [" + names[0] + "]"
	}
	return e
}
