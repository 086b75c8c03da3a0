package spill

import (
	"context"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// A Spill has the rows of a dataset in spill files. Call Open first.
type Spill struct {
	Set    *rows.Set
	Pool   *pool.Pool
	Log    *rejects.Log
	Limit  int64                   // bytes that are loaded at once, with their index
	Create func() (NewFile, error) // creates a file for the rows of a partition that is too large

	merged  *Merged
	store   runSet
	entries entries
}

// Open uses the spill files of scans, and the Merged of these scans. files are in the order of m.Runs; if the rows
// were only counted, they are nil. Open sets the splits and the log to their state after the scans.
func (s *Spill) Open(m *Merged, files []File) error {
	s.merged, s.entries, s.store = m, newEntries(s.Set), m.in(files)
	return m.restore(s.Set, s.Log)
}

// HasClasses reports whether each feature of `classes: auto` has names, if the scan collected them.
func (s *Spill) HasClasses() bool { return s.merged.Classes != nil || !collectsClasses(s.Set) }

// Classes returns the class names that the scan collected. ok is false if a feature has no names.
func (s *Spill) Classes() (names map[string][]string, ok bool) {
	return plan.DecodeNames(s.merged.Classes), s.merged.Classes != nil
}

// Count returns the number of rows of each source and of each split, in output order. Rows beyond
// the limit of a split are included.
func (s *Spill) Count() ([]plan.Source, []plan.Counted, error) {
	var list []plan.Counted
	for _, n := range s.Set.Splits.Sorted() {
		list = append(list, s.merged.Splits[n])
	}
	return s.merged.Sources, list, nil
}

// Groups returns the number of groups; 0 without `group`.
func (s *Spill) Groups() int64 { return s.merged.Groups }

// Each calls visit for each row that will be written, one after another. A row of several windows is visited once.
func (s *Spill) Each(ctx context.Context, _ func(int, *rows.Row), visit func(worker int, r *rows.Row) error) error {
	d := s.newDispatcher(len(s.merged.Splits), 1)
	for split := range d.most {
		of := &s.merged.Splits[split]
		d.most[split] = of.Rows - of.OverLimit
		if most, limited := s.Set.Splits.Limit(s.Set.Config.Limit, uint8(split)); limited {
			d.most[split] = int(min(most, int64(of.Rows)))
		}
	}
	var list []rows.Row
	d.loaded = func(l *buffer) error {
		for split := range l.splits {
			of := d.sort(l, split)
			d.done[split] += len(of.rows)
			for rank := of.first; rank < d.done[split]; rank++ {
				list = of.Append(list[:0], rank, rank+1)
				if err := visitNew(s.Set, &list[0], func(r *rows.Row) error { return visit(0, r) }); err != nil {
					return err
				}
			}
		}
		l.undone.Store(1)
		l.done()
		return nil
	}
	for _, p := range s.store.parts(0, len(s.store.buckets), s.Limit) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := d.loadPart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// visitNew calls visit for a row, or for the rows of a window that are in no window before it.
func visitNew(set *rows.Set, r *rows.Row, visit func(*rows.Row) error) error {
	if r.Window == 0 {
		return visit(r)
	}
	w := set.Window(r)
	from, to := w.Own()
	for i := from; i < to; i++ {
		row := w.Row(i)
		if err := visit(&row); err != nil {
			return err
		}
	}
	return nil
}
