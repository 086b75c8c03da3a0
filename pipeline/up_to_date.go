package pipeline

import (
	"context"

	"tfr-build/pipeline/runstate"
	"tfr-build/sink"
)

// peekUpToDate returns the result of a run that has nothing to do, before the output is locked;
// otherwise nil. stale says that something about the dataset must be updated: the stored times of
// the input, or the link to the versions.
func (b *build) peekUpToDate() (result *Result, stale bool, err error) {
	if b.run.Depfile != "" {
		if err = b.paths.CheckDepfile(b.set, b.run.Depfile); err == nil {
			b.dependencies, err = runstate.Dependencies(b.set, b.output())
		}
	}
	if err != nil {
		return nil, false, err
	}
	view, err := sink.Peek(b.run.Storage, b.output())
	if err != nil {
		return nil, false, err
	}
	was, _, err := b.state.UpToDate(b.run.Storage, view.Path, view.Found, view.State)
	if err != nil || was == nil || view.Unfinished || b.run.rebuilds() {
		return nil, false, err
	}
	done, err := versionsDone(b)
	if err != nil {
		return nil, false, err
	}
	b.staleVersions = !done
	return b.result(was, true), b.state.TimesDiffer(was) || b.staleVersions, nil
}

// rebuilds reports whether the run rebuilds even an up-to-date dataset.
func (r *Run) rebuilds() bool { return r.Fresh && r.Overwrite }

// upToDate returns the result of a run whose output is up to date; otherwise nil. Its error says
// that the build may not replace what is at the output. The output must be locked.
func (b *build) upToDate(ctx context.Context) (*Result, error) {
	data, err := b.stage.State()
	if err != nil {
		return nil, err
	}
	was, why, err := b.state.UpToDate(b.run.Storage, b.stage.Path(), b.stage.Found(), data)
	switch {
	case err != nil:
		return nil, err
	case was != nil && !b.run.rebuilds():
		if b.run.Fresh {
			err = b.stage.Drop()
		}
		if err == nil && b.state.TimesDiffer(was) {
			err = b.updateTimes(ctx, was)
		}
		if err == nil {
			err = updateVersions(b)
		}
		return b.result(was, true), err
	case why != "" && !b.run.Overwrite:
		return nil, &DatasetError{Path: b.stage.Path(), Why: why}
	}
	return nil, b.checkSidecars()
}

// updateTimes stores the current times of an input that was only touched, so that the next run
// without -hash-inputs finds the dataset up to date.
func (b *build) updateTimes(ctx context.Context, was *runstate.State) error {
	if err := b.inputs.FirstChanged(ctx); err != nil { // it may have changed while it was hashed
		return err
	}
	data, err := b.state.Of(was).Encode()
	if err != nil {
		return err
	}
	return b.stage.ReplaceState(data)
}
