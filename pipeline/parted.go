package pipeline

import (
	"context"
)

// buildThroughParts builds from parts: the rows are the same and so is their
// order, so the bytes are those of a build without parts.
func (j *job) buildThroughParts(ctx context.Context) ([]*splitPlan, error) {
	p, err := j.part(ctx)
	if err != nil {
		return nil, err
	}
	plans, err := p.plan()
	if err != nil {
		return nil, err
	}
	err = j.collect(func(visit func(int, *row) error) error { return p.each(ctx, visit) })
	if err != nil || j.noNames() {
		return plans, err
	}
	if err := j.reserve(plans); err != nil {
		return nil, err
	}
	return plans, p.write(ctx, plans)
}

// plan decides the shards from what the pass counted.
func (p *parting) plan() ([]*splitPlan, error) {
	j := p.j
	var plans []*splitPlan
	for _, n := range j.splits.sorted() {
		plan := &splitPlan{name: j.splits.names[n], number: n}
		if n < len(p.splits) {
			s := &p.splits[n]
			plan.rows = s.rows
			plan.sizes = sizes{mean: s.sample.means(), tree: s.trees, rows: uint64(s.tables)}
		}
		if err := j.countShards(plan); err != nil {
			return nil, err
		}
		plans = append(plans, plan)
	}
	return plans, j.checkCounts(plans)
}

// each calls visit for every row of every part.
func (p *parting) each(ctx context.Context, visit func(worker int, r *row) error) error {
	for _, part := range p.parts.parts {
		for entry := range p.reader.entries(part) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if entry.err != nil {
				return entry.err
			}
			_, r, _ := parseEntry(entry.data)
			if err := visit(0, &r); err != nil {
				return err
			}
		}
	}
	return nil
}
