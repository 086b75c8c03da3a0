package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/rejects"
)

// badRows is the error of a run that bad rows ended. All rows were read; those that
// are told are read once more, in the one way that gives the same message whatever
// the way of the build.
func (b *build) badRows(ctx context.Context) error {
	if b.log.Tolerant() {
		return b.overBudget(ctx)
	}
	told, err := b.reader().Kinds(ctx, b.log.Kinds())
	if err != nil {
		return err
	}
	if err := b.inputs.FirstChanged(ctx); err != nil { // and that is why the row is bad
		return err
	}
	if b.work == nil {
		return told
	}
	if few := rejects.Few(b.log.Count(), int64(b.work.Plan.Rows())); few != nil {
		return errors.Join(told, few)
	}
	return told
}

// badPlan is badRows of a plan, which knows of the rows without a split alone.
func (j *job) badPlan(ctx context.Context) error {
	if !j.log.Tolerant() {
		told, err := j.reader().Kinds(ctx, j.log.Kinds())
		return cmp.Or(err, told)
	}
	list, counts := j.account(j.log.Without())
	first, err := j.reader().First(ctx, list)
	if err != nil {
		return err
	}
	return errors.Join(j.log.TooMany(counts, true), first)
}

// cutShort is the error of a run that ended while rows were read for what is wrong
// with them: what is known of that is told.
func (b *build) cutShort(err error) error {
	if !b.log.Failed() {
		return err
	}
	counts := map[string]int64{}
	for _, k := range b.log.Kinds() {
		counts[k.Kind.Code] += k.Rows
	}
	if b.log.Tolerant() {
		_, counts = b.account(b.rejects())
	}
	b.run.warn("rows that cannot be used, as far as they were read: " + rejects.ByCode(counts))
	return err
}

// placeRejects puts the rejects into their file, or takes an older file away
// where there are none, and returns the error of the first of them.
func (b *build) placeRejects(ctx context.Context, list []rejects.Reject) (first *RowsError, err error) {
	file := b.rejectsFile()
	if b.paths.Rejects != "" && len(list) > 0 {
		b.run.Progress.Start(pool.Quarantining, int64(len(list)))
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

// overBudget is what a build says that met more rejects than it may. The first of
// them are put into their file, to be looked at.
func (b *build) overBudget(ctx context.Context) error {
	list, counts := b.account(b.rejects())
	return tooMany(ctx, b, list, b.log.TooMany(counts, false))
}

// tooMany is many with the first of the rejects, which are put into their file.
func tooMany(ctx context.Context, b *build, list []rejects.Reject, many *TooManyError) error {
	first, err := b.refuse(ctx, list)
	if err == nil {
		err = b.sampleWarned(ctx) // a misspelt column may be the reason
	}
	if err != nil {
		return errors.Join(many, err)
	}
	if b.paths.Rejects != "" {
		many.File = b.paths.Rejects
	}
	return errors.Join(many, first)
}

// refuse puts rejects of a run that ends with them into their file, if they have
// one, and returns the error of the first.
func (b *build) refuse(ctx context.Context, list []rejects.Reject) (*RowsError, error) {
	if b.paths.Rejects == "" {
		return b.reader().First(ctx, list)
	}
	return b.placeRejects(ctx, list)
}

// account is what is known of rejects beyond the budget, of which kept are those
// that were kept until then: the first, so many that the budget does not allow
// them, in source order, and all by code.
func (j *job) account(kept []rejects.Reject) (first []rejects.Reject, counts map[string]int64) {
	more, counts := j.log.Beyond()
	counts = rejects.Count(counts, kept)
	first = slices.Concat(kept, more)
	rejects.Sort(first)
	return first[:min(int64(len(first)), j.log.Budget()+1)], counts
}
