package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/rejects"
)

// rowsError returns the error of a build that invalid rows made fail. All rows were read. The rows
// in the message are read again, from the beginning of their files, so that each build prints the
// same message.
func (b *build) rowsError(ctx context.Context) error {
	if b.out.stage == nil { // a task that writes no shards, and knows only the rows without a split
		return b.pass.failure(ctx, b.pass.log.Without(), true)
	}
	if b.pass.log.Tolerant() {
		return b.budgetError(ctx)
	}
	rowError, err := b.job.reader().Kinds(ctx, b.pass.log.Kinds())
	if err != nil {
		return err
	}
	if err := b.job.inputs.FirstChanged(ctx); err != nil { // the change is why the row is invalid
		return err
	}
	if b.work == nil {
		return rowError
	}
	if few := rejects.Few(b.pass.log.Count(), int64(b.work.Plan.Rows())); few != nil {
		return errors.Join(rowError, few)
	}
	return rowError
}

// failure is rowsError without a file of rejects. kept has the rejects that were stored; a plan knows only the rows
// without a split.
func (p *pass) failure(ctx context.Context, kept *rejects.List, isPlan bool) error {
	if !p.log.Tolerant() {
		rowError, err := p.job.reader().Kinds(ctx, p.log.Kinds())
		return cmp.Or(err, rowError)
	}
	list, counts := p.countRejects(kept)
	first, err := p.job.reader().First(ctx, list)
	if err != nil {
		return err
	}
	return errors.Join(p.log.TooMany(counts, isPlan), first)
}

// warnPartial handles a build that was stopped while it read rows to find invalid ones: it warns
// of the rows found until then. It returns err.
func (b *build) warnPartial(err error) error {
	if !b.pass.log.Failed() {
		return err
	}
	counts := map[string]int64{}
	for _, k := range b.pass.log.Kinds() {
		counts[k.Kind.Code] += k.Rows
	}
	if b.pass.log.Tolerant() {
		_, counts = b.pass.countRejects(b.rejects())
	}
	b.job.run.warn("rows that cannot be used, as far as they were read: " + rejects.ByCode(counts))
	return err
}

// writeRejects writes the rejects to their file, or removes an older file if no row was rejected.
// It returns the error of the first.
func (o *output) writeRejects(ctx context.Context, list *rejects.List) (first *RowsError, err error) {
	file := o.job.rejectsFile()
	if o.rejects != "" && list.Len() > 0 {
		o.job.run.Progress.Start(pool.Quarantining, list.Len())
		err = o.stage.ReplaceSidecar(ctx, file, func(w io.Writer) (err error) {
			first, err = o.job.reader().Write(ctx, w, list, func() { o.job.run.Progress.Done(1, 0) })
			return err
		})
		return first, err
	}
	if err := o.stage.RemoveSidecar(file); err != nil || list.Len() == 0 {
		return nil, err
	}
	return o.job.reader().First(ctx, list)
}

// budgetError returns the error of a build with more rejects than its budget. It writes the first
// of them to the file of rejects.
func (b *build) budgetError(ctx context.Context) error {
	list, counts := b.pass.countRejects(b.rejects())
	return b.out.tooMany(ctx, list, b.pass.log.TooMany(counts, false))
}

// tooMany returns many joined with the error of the first reject. It writes the rejects to their
// file.
func (o *output) tooMany(ctx context.Context, list *rejects.List, many *TooManyError) error {
	first, err := o.firstReject(ctx, list)
	if err == nil {
		err = o.job.sampleWarned(ctx) // a misspelled column may be the reason
	}
	if err != nil {
		return errors.Join(many, err)
	}
	many.File = o.rejects
	return errors.Join(many, first)
}

// firstReject returns the error of the first reject. If the config has a file of rejects, it
// writes them to it.
func (o *output) firstReject(ctx context.Context, list *rejects.List) (*RowsError, error) {
	if o.rejects == "" {
		return o.job.reader().First(ctx, list)
	}
	return o.writeRejects(ctx, list)
}

// countRejects returns the first rejects in source order, one more than the budget allows, and the
// number of all by code. kept has the rejects that were stored before the budget was exceeded.
func (p *pass) countRejects(kept *rejects.List) (first *rejects.List, counts map[string]int64) {
	more, counts := p.log.OverBudget()
	counts = kept.Count(counts)
	more.AddAll(kept)
	return more.FirstOf(p.log.Budget() + 1), counts
}
