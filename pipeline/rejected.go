package pipeline

import (
	"context"
	"errors"
	"io"

	"tfr-build/pipeline/rejects"
)

// firstBadRow is the error of the first bad row. All rows before it were read
// and are good; it is read once more, in the one way that gives the same
// message whatever the way of the build.
func (b *build) firstBadRow(ctx context.Context) error {
	first, err := b.reader().First(ctx, []rejects.Reject{b.log.First()})
	if err != nil {
		return err
	}
	if err := b.inputs.FirstChanged(); err != nil { // and that is why the row is bad
		return err
	}
	return first
}

// placeRejects puts the rejects into their file, or takes an older file away
// where there are none, and returns the error of the first of them.
func (b *build) placeRejects(ctx context.Context, list []rejects.Reject) (first *RowsError, err error) {
	file := b.rejectsFile()
	if b.paths.Rejects != "" && len(list) > 0 {
		b.run.Progress.Start("setting rows aside", int64(len(list)))
		err = b.stage.ReplaceBeside(ctx, file, func(w io.Writer) (err error) {
			first, err = b.reader().Write(ctx, w, list, func() { b.run.Progress.Done(1, 0) })
			return err
		})
		return first, err
	}
	if err := b.stage.RemoveBeside(file); err != nil || len(list) == 0 {
		return nil, err
	}
	return b.reader().First(ctx, list)
}

// budgetError is err, or what a build says that met more rejects than it may. What
// is known of them is put into their file, to be read.
func (b *build) budgetError(ctx context.Context, err error) error {
	if !errors.Is(err, rejects.ErrBudget) {
		return err
	}
	many, list := b.log.TooMany(), b.rejects()
	if b.paths.Rejects == "" {
		return b.overBudget(ctx, list)
	}
	first, err := b.placeRejects(ctx, list)
	if err != nil {
		return errors.Join(many, err)
	}
	many.File = b.paths.Rejects
	return errors.Join(many, first)
}

// overBudget is what a run says that met more rejects than it may, of which it
// keeps none.
func (j *job) overBudget(ctx context.Context, list []rejects.Reject) error {
	first, err := j.reader().First(ctx, list)
	if err != nil {
		return err
	}
	return errors.Join(j.log.TooMany(), first)
}
