package pipeline

import (
	"context"
)

// buildThroughParts builds from parts: the rows are the same and so is their
// order, so the bytes are those of a build without parts.
func (j *job) buildThroughParts(ctx context.Context) ([]*splitPlan, error) {
	p, plans, err := j.part(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.collect(ctx); err != nil || j.noNames() {
		return plans, err
	}
	if err := j.reserve(plans); err != nil {
		return nil, err
	}
	return plans, p.write(ctx, plans)
}

// collect finds the names of `classes: auto`, or takes those that a stopped run
// found: by now it may have removed parts.
func (p *parting) collect(ctx context.Context) error {
	j := p.j
	switch {
	case len(j.autoClasses()) == 0:
		return nil
	case !j.noNames():
		return j.compileAll()
	}
	err := j.collect(func(visit func(int, *row) error) error { return p.each(ctx, visit) })
	if err != nil || j.noNames() || j.looking.Load() {
		return err
	}
	return p.note()
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
			plan.sizes = sizes{mean: s.mean, tree: s.trees, rows: uint64(s.tables)}
		}
		if err := j.countShards(plan); err != nil {
			return nil, err
		}
		plans = append(plans, plan)
	}
	if err := j.checkCounts(plans); err != nil {
		return nil, err
	}
	return plans, j.nameShards(plans)
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
			_, r, bad, _ := parseEntry(entry.data)
			r.bad = p.j.codes.name(bad)
			if err := visit(0, &r); err != nil {
				return err
			}
		}
	}
	return nil
}
