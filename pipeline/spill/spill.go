package spill

import (
	"context"
	"sync/atomic"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// A Spill has the rows of a dataset in spill files. Call Hold or Open first.
type Spill struct {
	Set     *rows.Set
	Pool    *pool.Pool
	Log     *rejects.Log
	Limit   int64                     // bytes that are loaded at once, with their index
	Create  func() (Temporary, error) // creates a file for the rows of a partition that is too large
	Written func() error              // is called when the rows of all shards are written; may be nil

	merged  *Merged
	store   runSet
	entries entries
	reader  reader        // for rows in sequence
	pinned  []*pinnedPart // by partition, once the plan is known
	parts   atomic.Int64  // number of partitions that are still needed
}

// A Temporary is a spill file that this process discards.
type Temporary interface {
	File
	Discard()
}

// Hold uses the spill files of scans by this process, and the Merged of these scans, as Open. Nothing is restored.
// If the rows were only counted, files are nil.
func (s *Spill) Hold(m *Merged, files []File) {
	m.restoreChecks(s.Set)
	s.setRuns(m, files)
}

// Open uses the spill files of scans by other processes, and the Merged of these scans. files are
// in the order of m.Runs. Open sets the splits and the log to their state after the scans.
func (s *Spill) Open(m *Merged, files []File) error {
	if err := m.restore(s.Set, s.Log); err != nil {
		return err
	}
	s.setRuns(m, files)
	return nil
}

// setRuns sets the merged result and the spill files.
func (s *Spill) setRuns(m *Merged, files []File) {
	s.merged, s.entries = m, newEntries(s.Set)
	s.store = runSet{buckets: m.Buckets}
	for i, p := range m.Runs {
		s.store.runs = append(s.store.runs, storedRun{p, files[i]})
	}
}

// HasClasses reports whether each feature of `classes: auto` has names, if the scan collected them.
func (s *Spill) HasClasses() bool { return s.merged.Classes != nil || !collectsClasses(s.Set) }

// ReadAgain prepares to dispatch all rows, and keeps the spill files when they are written.
func (s *Spill) ReadAgain() { s.Written, s.pinned = nil, nil }

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

// SetKeys does nothing: the keys of the shards are known only when a partition is loaded.
func (s *Spill) SetKeys(*plan.Plan) {}

// Each calls visit for each row that will be written, one after another, in no particular order.
func (s *Spill) Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	lastRows, err := s.lastRows(ctx)
	if err != nil {
		return err
	}
	all := &partition{of: &s.store, to: len(s.store.buckets)}
	return s.reader.each(&s.entries, all, func(_ *storedRun, entry []byte) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		last := lastRows[s.entries.marks(entry)[0]]
		if last != nil && s.entries.sortKey(entry).Compare(last.SortAt) > 0 {
			return nil // beyond the limit
		}
		r := s.entries.row(entry)
		if s.entries.groups {
			windows := rows.Group(r.Data).Windows()
			if last != nil && s.entries.sortKey(entry) == last.SortAt {
				windows = last.windows
			}
			return EachRow(s.Set, r.Data, r.Split, windows, func(r *rows.Row) error { return visit(0, r) })
		}
		if bad := s.entries.marks(entry)[1]; bad != 0 {
			r.Bad = s.merged.Codes[bad-1]
		}
		return visit(0, &r)
	})
}
