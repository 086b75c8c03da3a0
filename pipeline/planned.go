package pipeline

import (
	"context"
	"errors"

	"tfr-build/order"
	"tfr-build/pipeline/config"
)

// MakePlan finds the rows and says what a build would write, and why. It
// writes nothing; tables that a build would put through parts are read once,
// to be counted.
func MakePlan(ctx context.Context, cfg *config.Config, run Run) (*Plan, error) {
	j, err := checked(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.unmap()
	if err := j.loadJoins(ctx); err != nil {
		return nil, err
	}
	plan := &Plan{Name: cfg.Name, Output: j.output(), Order: cfg.Order, Inputs: j.before.Inputs, Parts: j.mustPart()}
	var plans []*splitPlan
	if plan.Parts {
		plans, err = j.countThrough(ctx)
	} else {
		plans, _, err = j.planMapped(ctx)
	}
	if errors.Is(err, errTooMany) {
		err = j.tooMany(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		plan.Rows += int64(p.rows)
		plan.Splits = append(plan.Splits, PlannedSplit{
			Name: p.name, Rows: int64(p.rows), Bytes: int64(p.bytes),
			Shards: p.shards, Why: p.why, First: j.shardName(p.name, 0, p.shards),
		})
	}
	plan.Notes = append(j.notes(plans, &facts{}), j.planNotes()...)
	return plan, nil
}

// planMapped finds the rows of mapped tables and of trees, and plans their
// shards.
func (j *job) planMapped(ctx context.Context) ([]*splitPlan, []*order.Index, error) {
	indexes, err := j.find(ctx)
	if err != nil {
		return nil, nil, err
	}
	plans, err := j.planSplits(indexes)
	return plans, indexes, err
}

// countThrough is the pass of a build through parts, without the parts.
func (j *job) countThrough(ctx context.Context) ([]*splitPlan, error) {
	p := j.newParting()
	if err := p.all(ctx); err != nil {
		return nil, err
	}
	return p.plan()
}

// planNotes are warnings about the config that a finished build has no more
// use for.
func (j *job) planNotes() []string {
	var notes []string
	for _, s := range j.sources {
		if s.Spec().Kind.IsTable() && s.cuts != nil && s.cfg.Split.By == "" {
			notes = append(notes, s.cfg.At+": a row's split depends on where it stands, so rows that an export reorders change split; split.by names a column that decides instead")
		}
	}
	info := j.info(nil, &facts{})
	if reason := info.TFDSReason(); reason != "" && j.cfg.Compression != "none" {
		notes = append(notes, reason+": dataset_info.json and features.json are left out")
	}
	return notes
}
