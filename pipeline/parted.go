package pipeline

import (
	"context"
	"errors"

	"tfr-build/schema"
)

// buildThroughParts builds from parts: the rows are the same and so is their
// order, so the bytes are those of a build without parts.
func (j *job) buildThroughParts(ctx context.Context) ([]*splitPlan, error) {
	p, err := j.part(ctx)
	if err != nil {
		return nil, err
	}
	err = j.collect(func(visit func(int, *row) error) error { return p.each(ctx, visit) })
	if err != nil {
		return nil, err
	}
	plans, err := p.plan()
	if err != nil {
		return nil, err
	}
	if err := j.reserve(plans); err != nil {
		return nil, err
	}
	return plans, p.write(ctx, plans)
}

// plan decides the shards from what the pass counted.
func (p *parting) plan() ([]*splitPlan, error) {
	j := p.j
	w, err := j.newWorker()
	if err != nil {
		return nil, err
	}
	defer w.discard()
	var plans []*splitPlan
	for _, n := range j.splits.sorted() {
		plan := &splitPlan{name: j.splits.names[n], number: n}
		if n < len(p.rows) {
			plan.rows = p.rows[n]
			plan.sizes = sizes{tree: p.trees[n], rows: uint64(p.tables[n])}
			if plan.sizes.mean, err = p.sample[n].mean(w); err != nil {
				return nil, err
			}
		}
		if err := j.countShards(plan); err != nil {
			return nil, err
		}
		plans = append(plans, plan)
	}
	return plans, j.checkCounts(plans)
}

// mean is the mean size of the sample's records.
func (l *lowest) mean(w *worker) (uint64, error) {
	l.cut()
	var sum, good uint64
	for i := range l.rows {
		buf, err := w.encode(w.buf[:0], &l.rows[i].row)
		var bad *schema.RowError
		switch {
		case errors.As(err, &bad):
			continue
		case err != nil:
			return 0, err
		}
		sum += uint64(len(buf))
		good++
	}
	if good == 0 {
		return 0, nil
	}
	return sum / good, nil
}

// each calls visit for every row of every part.
func (p *parting) each(ctx context.Context, visit func(worker int, r *row) error) error {
	for _, part := range p.parts.parts {
		for window := range part.windows() {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if window.err != nil {
				return window.err
			}
			_, r, _ := parseEntry(window.data)
			if err := visit(0, &r); err != nil {
				return err
			}
		}
	}
	return nil
}
