package pipeline

import (
	"context"

	"tfr-build/internal/garbage"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/task"
)

// planShards makes the plan of splits and shards, with the class names of all rows. It takes these
// from the plan of a stopped build if that has the same rows.
func (b *build) planShards(ctx context.Context, _ int) error {
	if err := b.locate(ctx); err != nil {
		return err
	}
	if b.results.failed() {
		return errInvalidRow
	}
	var err error
	if b.plan, err = b.pass.newPlan(b.rows); err != nil {
		return err
	}
	if len(b.stopped.shards) > 0 && !b.plan.SameInput(b.stopped.plan) {
		return task.ErrOther
	}
	if err := b.job.requireMatches(ctx, b.rows); err != nil {
		return err
	}
	var names map[string][]string
	if b.stopped.plan != nil && b.plan.SameRows(b.stopped.plan) {
		names = plan.DecodeNames(b.stopped.plan.Classes)
	} else if names, err = b.pass.collectClasses(ctx, b.rows, true); err != nil {
		return err
	}
	b.plan.Classes = plan.EncodeNames(names)
	if err := b.setClasses(); err != nil || b.tasks != nil {
		return err
	}
	return b.keepPlan()
}

// locate finds the rows in place, unless they are in spill files.
func (b *build) locate(ctx context.Context) (err error) {
	find := func(ctx context.Context) error {
		b.rows, err = b.pass.find(ctx, b.pass.counted)
		return err
	}
	switch {
	case b.rows != nil:
		return nil
	case b.tasks != nil:
		return find(ctx)
	}
	if !b.job.set.Compares() {
		if err := b.out.whileBeginning(ctx, find); err != nil {
			return err
		}
		return b.out.stage.DropSpillFiles()
	}
	if b.out.begin != nil { // comparing needs spill files
		if err := b.out.begin(); err != nil {
			return err
		}
		b.out.begin = nil
	}
	if err := b.openDirectory(ctx); err != nil {
		return err
	}
	return b.out.whileBeginning(ctx, find)
}

// setClasses compiles the features with the class names of the plan.
func (b *build) setClasses() error {
	if len(b.plan.Classes) == 0 {
		return nil
	}
	return b.job.set.SetClasses(plan.DecodeNames(b.plan.Classes))
}

// keepPlan stores the plan and the listings, unless the other rows are only read to find all
// errors.
func (b *build) keepPlan() error {
	if !b.pass.log.Failed() {
		text, err := plan.EncodeWith(b.plan, b.job.set.Listings())
		if err == nil {
			err = b.out.stage.WritePlan(text)
		}
		if err != nil {
			return err
		}
	}
	// The planning's garbage would count besides the workers' memory: 25 MB with images, and giant rows that were
	// tried.
	// A file of 150 MB would take 645 MB, and not 330.
	garbage.Collect()
	return nil
}
