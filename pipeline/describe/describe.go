// Package describe does the accounting of a dataset whose shards are finished. Every row of the
// input is written, rejected, or filtered. It also makes the files that describe the dataset.
//
//	plan, reports of the shards, rejects ─NewAccounting─► Accounting ─Check─► each row is accounted for
//	                                                   ├─ Files ──► manifest, reader.py, TFDS files …
//	                                                   └─ Warnings ► what is printed, and in the manifest
package describe

import (
	"context"
	"fmt"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// An Accounting counts what happened to each row.
type Accounting struct {
	set      *rows.Set
	plan     *plan.Plan
	shards   [][]*task.Shard // by split; nil before rows are written
	sources  []dataset.Counts
	splits   []dataset.Counts
	without  dataset.Counts               // rows without a split
	dropped  []map[string]dataset.Dropped // by split
	observed rows.Observations
	base     *base.Base    // nil without `append`
	kept     [][]KeptShard // by split; nil without a base

	Lost []int64 // by number of the rule: rows that it skips for a row that was rejected

	valueInfo
}

// NewAccounting adds up what happened to the rows of a plan. without are the rejects without a split.
func NewAccounting(set *rows.Set, p *plan.Plan, shards [][]*task.Shard, without *rejects.List) *Accounting {
	b := &Accounting{set: set, plan: p, shards: shards, sources: make([]dataset.Counts, len(set.Sources)),
		observed: rows.NewObservations()}
	for i := range b.sources {
		b.sources[i].Found = p.Sources[i].Found
		addSkippedOf(&b.sources[i], &p.Sources[i])
	}
	b.without.Found = without.Len()
	b.addRejects(&b.without, without)
	for i := range shards {
		c, observed := dataset.Counts{Found: int64(p.Splits[i].Rows + p.Splits[i].OverLimit)}, rows.NewObservations()
		add(&c.Skipped, dataset.SkippedByLimit, int64(p.Splits[i].OverLimit))
		for _, sh := range shards[i] {
			c.Written += sh.Report.Records
			for k, n := range sh.Report.Written {
				b.sources[k].Written += n
			}
			if p.Groups > 0 {
				b.addRejects(&dataset.Counts{}, &sh.Report.Rejects)
				for code, records := range sh.Report.Invalid {
					add(&c.Rejected, code, records)
				}
			} else {
				b.addRejects(&c, &sh.Report.Rejects)
			}
			observed.Add(&sh.Report.Observations)
		}
		b.observed.Add(&observed)
		b.splits, b.dropped = append(b.splits, c), append(b.dropped, droppedOf(&observed, c.Written))
	}
	if shards != nil {
		b.countAboveLimits()
	}
	return b
}

// add adds a number to a count of a map, which it makes first. Counts of 0 are not in the map.
func add(counts *map[string]int64, key string, n int64) {
	if n == 0 {
		return
	}
	if *counts == nil {
		*counts = map[string]int64{}
	}
	(*counts)[key] += n
}

// addSkippedOf counts the rows of a source that each rule filters, except the limits of the splits.
func addSkippedOf(c *dataset.Counts, s *plan.Source) {
	for rule, n := range s.Skipped {
		add(&c.Skipped, rule, n)
	}
}

// countAboveLimits counts the rows of each source that are above the limits of their splits. These are
// all rows that are not counted otherwise. Check compares their sum with the sum of the splits.
func (b *Accounting) countAboveLimits() {
	if !slices.ContainsFunc(b.plan.Splits, func(s plan.Split) bool { return s.OverLimit > 0 }) {
		return
	}
	for i := range b.sources {
		c := &b.sources[i]
		add(&c.Skipped, dataset.SkippedByLimit, c.Found-c.Written-rejects.Total(c.Rejected)-rejects.Total(c.Skipped))
	}
}

// Skipped returns the number of rows that each rule of the config filters, for all sources.
func (b *Accounting) Skipped() map[string]int64 {
	all := dataset.Counts{}
	for i := range b.plan.Sources {
		addSkippedOf(&all, &b.plan.Sources[i])
	}
	if b.plan.Groups > 0 { // limit counts records
		for i := range b.sources {
			add(&all.Skipped, dataset.SkippedByLimit, b.sources[i].Skipped[dataset.SkippedByLimit])
		}
		return all.Skipped
	}
	for i := range b.plan.Splits {
		add(&all.Skipped, dataset.SkippedByLimit, int64(b.plan.Splits[i].OverLimit))
	}
	return all.Skipped
}

// addRejects counts the rejects of a split, and the rejects of each source, by reason.
func (b *Accounting) addRejects(c *dataset.Counts, list *rejects.List) {
	for r := range list.All() {
		src, _ := b.set.File(r.File)
		add(&c.Rejected, r.Code, 1)
		add(&b.sources[src.Number].Rejected, r.Code, 1)
	}
}

// Check returns an error if a row is lost or counted twice.
func (b *Accounting) Check() error {
	check := func(what string, c dataset.Counts) error {
		rejected, left := rejects.Total(c.Rejected), rejects.Total(c.Skipped)
		switch {
		case c.Found == c.Written+rejected+left && left >= 0:
			return nil
		case left != 0:
			return bug.Errorf("%s has %d rows, but %d were written, %d rejected and %d skipped", what,
				c.Found, c.Written, rejected, left)
		}
		return bug.Errorf("%s has %d rows, but %d were written and %d rejected", what, c.Found, c.Written, rejected)
	}
	for i, c := range b.sources {
		if err := check(fmt.Sprintf("source %d", i+1), c); err != nil {
			return err
		}
	}
	for i, c := range b.splits {
		if err := check("split "+b.plan.Splits[i].Name, c); err != nil {
			return err
		}
	}
	if b.plan.Groups > 0 { // splits count records, and sources rows
		return nil
	}
	return b.checkLimits()
}

// checkLimits compares the numbers of rows above the limits, by source and by split.
func (b *Accounting) checkLimits() error {
	bySource, bySplit := int64(0), int64(0)
	for _, c := range b.sources {
		if n := c.Skipped[dataset.SkippedByLimit]; n >= 0 {
			bySource += n
			continue
		}
		return bug.Errorf("a source has %d rows, but more became something", c.Found)
	}
	for _, c := range b.splits {
		bySplit += c.Skipped[dataset.SkippedByLimit]
	}
	if bySource != bySplit {
		return bug.Errorf("%d rows of the sources are beyond the limits, and %d of the splits", bySource, bySplit)
	}
	return nil
}

// records returns the number of records of a split.
func (b *Accounting) records(split int) (n int64) {
	for _, sh := range b.shards[split] {
		n += sh.Report.Records
	}
	if k := b.baseSplit(split); k >= 0 {
		n += b.base.Manifest.Splits[k].Records
	}
	return n
}

// Locate reads the rows again that warnings name, to know their lines. Call it before Warnings.
func (b *Accounting) Locate(ctx context.Context) error { return b.observed.Locate(ctx, b.set) }

// Skipped returns the counts of rejected rows; nil if list is empty.
func Skipped(list *rejects.List, first *rejects.RowsError, file string) *rejects.Rejected {
	if list.Len() == 0 {
		return nil
	}
	return &rejects.Rejected{First: first, Counts: list.Count(nil), File: file}
}
