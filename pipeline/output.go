package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/runstate"
	"tfr-build/sink"
)

// An output is where a build makes its dataset.
type output struct {
	job     *job
	stage   *sink.Stage // nil until the output is opened
	claim   []byte      // of the tasks that build the dataset; nil if one process does
	attempt string      // identifies this process among those tasks

	rejects string       // path of the file of rejects; empty if the build writes none
	begin   func() error // begins the staging directory in parallel with reading; nil: it is begun

	staleVersions bool     // the dataset exists, but the link or the number of versions is wrong
	dependencies  []string // of the dataset, for a depfile
}

// options returns how files are written to the output.
func (o *output) options() sink.Options {
	run := o.job.run
	return sink.Options{
		Temporary: run.compared != "", Sync: run.Sync, Cold: run.Cold, Overwrite: run.Overwrite, Scratch: run.Scratch,
		Warn:    run.warn,
		Readers: o.job.pool.Size(), Claim: o.claim, Attempt: o.attempt, Takeover: run.Takeover,
	}
}

// open opens the output and locks it.
func (o *output) open() (err error) {
	o.stage, err = sink.Open(o.job.run.Storage, o.job.output(), o.options())
	return claimError(o.job.output(), err)
}

// join opens the output to write shards alongside other tasks.
func (o *output) join() (err error) {
	o.stage, err = sink.Join(o.job.run.Storage, o.job.output(), o.options())
	return claimError(o.job.output(), err)
}

// close closes the output if it is open.
func (o *output) close() error {
	if o.stage == nil {
		return nil
	}
	return o.stage.Close()
}

// result returns the result of a build whose dataset has the state s.
func (o *output) result(s *runstate.State, upToDate bool) *Result {
	return &Result{
		Output: o.job.output(), Summary: s.Summary, Digest: s.ShortDigest(), Manifest: s.Manifest,
		UpToDate: upToDate, Inputs: o.dependencies,
	}
}

// findUpToDate returns the result of a run that has nothing to do, before the output is locked;
// otherwise nil. stale says that something about the dataset must be updated: the stored times of
// the input, or the link to the versions.
func (o *output) findUpToDate(ctx context.Context) (result *Result, stale bool, err error) {
	if o.dependencies, err = o.job.dependencies(); err != nil {
		return nil, false, err
	}
	view, err := sink.Inspect(o.job.run.Storage, o.job.output())
	if err != nil {
		return nil, false, err
	}
	was, _, err := o.job.state.UpToDate(ctx, o.job.run.Storage, view.Path, view.Found, view.State)
	if err != nil || was == nil || view.Unfinished || o.job.run.rebuilds() {
		return nil, false, err
	}
	done, err := o.versionsDone()
	if err != nil {
		return nil, false, err
	}
	o.staleVersions = !done
	return o.result(was, true), o.job.state.TimesDiffer(was) || o.staleVersions, nil
}

// rebuilds reports whether the run rebuilds even an up-to-date dataset.
func (r *Run) rebuilds() bool { return r.Fresh && r.Overwrite }

// confirmUpToDate returns the result of a run whose output is up to date; otherwise nil. Its error says
// that the build may not replace what is at the output. The output must be locked.
func (o *output) confirmUpToDate(ctx context.Context) (*Result, error) {
	data, err := o.stage.State()
	if err != nil {
		return nil, err
	}
	was, why, err := o.job.state.UpToDate(ctx, o.job.run.Storage, o.stage.Path(), o.stage.Found(), data)
	switch {
	case err != nil:
		return nil, err
	case was != nil && !o.job.run.rebuilds():
		if o.job.run.Fresh {
			err = o.stage.Drop()
		}
		if err == nil && o.job.state.TimesDiffer(was) {
			err = o.updateTimes(ctx, was)
		}
		if err == nil {
			err = o.updateVersions()
		}
		return o.result(was, true), err
	case why != "" && !o.job.run.Overwrite:
		return nil, &DatasetError{Path: o.stage.Path(), Why: why}
	}
	return nil, o.job.checkSidecars()
}

// informMissing says which lists of rows are not next to an up-to-date dataset that skips such rows: somebody removed
// a list, or the config names it since then.
func (o *output) informMissing(m *dataset.Manifest) {
	now, was := m.Counts(), dataset.Counts{}
	if o.job.base != nil {
		was = o.job.base.Manifest.Counts()
	}
	missing := func(path string, n int64, what string) {
		if _, err := o.job.run.Storage.Lstat(path); n > 0 && errors.Is(err, fs.ErrNotExist) {
			o.job.run.inform(fmt.Sprintf("%s does not exist (%s %s); --fresh --overwrite builds again and writes it",
				path, plural.Of(n, "row"), what))
		}
	}
	if path := o.job.paths.Rejects; path != "" {
		missing(path, rejects.Total(now.Rejected)-rejects.Total(was.Rejected), "rejected")
	}
	for _, rule := range o.job.set.Rules {
		if rule.List != "" {
			missing(rule.List, now.Skipped[rule.Name]-was.Skipped[rule.Name], "skipped by "+rule.Name)
		}
	}
}

// updateTimes stores the current times of an input that was only touched, so that the next run
// without -hash-inputs finds the dataset up to date.
func (o *output) updateTimes(ctx context.Context, was *runstate.State) error {
	if err := o.job.inputs.FirstChanged(ctx); err != nil { // it may have changed while it was hashed
		return err
	}
	data, err := o.job.state.Of(was).Encode()
	if err != nil {
		return err
	}
	return o.stage.ReplaceState(data)
}
