package pipeline

import (
	"context"

	"tfr-build/pipeline/runstate"
	"tfr-build/sink"
)

// peek is the result of a run that has nothing to do, before the output is
// locked; nil where it has. stale says that something beside the dataset is not as it
// is to be: the times of the input, or the link to the versions.
func (b *build) peek() (result *Result, stale bool, err error) {
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
	done, err := settled(b)
	if err != nil {
		return nil, false, err
	}
	b.unsettled = !done
	return b.result(was, true), b.state.TimesDiffer(was) || b.unsettled, nil
}

// rebuilds reports whether even a dataset that is up to date is built again.
func (r *Run) rebuilds() bool { return r.Fresh && r.Overwrite }

// standing is the result of a run that has nothing to do, as the output is up to
// date, and the error of one that may not do anything.
func (b *build) standing(ctx context.Context) (*Result, error) {
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
			err = b.noteTimes(ctx, was)
		}
		if err == nil {
			err = settle(b)
		}
		return b.result(was, true), err
	case why != "" && !b.run.Overwrite:
		return nil, &DatasetError{Path: b.stage.Path(), Why: why}
	}
	return nil, b.besideInTheWay()
}

// noteTimes notes beside a dataset whose input was only touched the times that
// the input has now, so that a run which does not hash it finds it up to date.
func (b *build) noteTimes(ctx context.Context, was *runstate.State) error {
	if err := b.inputs.FirstChanged(ctx); err != nil { // while it was hashed
		return err
	}
	data, err := b.state.Of(was).Encode()
	if err != nil {
		return err
	}
	return b.stage.ReplaceState(data)
}
