package spill

import (
	"context"
	"sync/atomic"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
)

// A Spill has the rows of a dataset in spill files. Call Hold, Reopen, or Open first.
type Spill struct {
	Set   *rows.Set
	Pool  *pool.Pool
	Log   *rejects.Log
	Stage *sink.Stage // nil if rows are only counted
	Limit int64       // bytes that are loaded at once, with their index

	merged  *Merged
	store   runSet
	entries entries
	reader  reader          // for rows in sequence
	file    *sink.SpillFile // the spill file of this process; nil if other processes own the files
	pinned  []*pinnedPart   // by partition, once the plan is known
	parts   atomic.Int64    // number of partitions that are still needed
}

// Hold uses the spill file of a scan by this process, and the Merged of this scan. Without a file,
// the rows were only counted. The Spill removes a staged file when its rows are written.
func (s *Spill) Hold(m *Merged, file File) {
	for _, c := range m.Checks {
		src, local := s.Set.File(c.File)
		src.SetCheck(local, c.Check)
	}
	files := make([]File, len(m.Runs))
	for i := range files {
		files[i] = file
	}
	s.setRuns(m, files)
	s.file, _ = file.(*sink.SpillFile)
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

// Note returns the Merged of Hold, for Restore. It is nil if the build stops with an error that a resumed build
// would repeat.
func (s *Spill) Note() *Merged {
	if s.Log.Failed() || s.merged.Classes == nil && collectsClasses(s.Set) {
		return nil
	}
	return s.merged
}

// File returns the spill file of Hold.
func (s *Spill) File() *sink.SpillFile { return s.file }

// Restore uses the Note of a stopped build. planned returns the work for the numbers of rows found
// before. ok is false if the note is of another version. needed says that unfinished shards need
// the spill file: pass it to Reopen.
func (s *Spill) Restore(m *Merged, planned func(found []plan.Source) (*task.Work, error)) (ok, needed bool, err error) {
	if m.Format != Format {
		return false, false, nil
	}
	if err := s.Open(m, make([]File, len(m.Runs))); err != nil {
		return false, false, err
	}
	work, err := planned(m.Sources)
	if err != nil {
		return false, false, err
	}
	for _, h := range s.pinParts(work) {
		needed = needed || h.shards.Load() > 0
	}
	return true, needed, nil
}

// ReadAgain prepares to dispatch all rows, and keeps the spill file when they are written: the stage removes it.
func (s *Spill) ReadAgain() { s.file, s.pinned = nil, nil }

// Reopen uses the spill file of a stopped build after Restore. It checks the digests of all
// partitions that unfinished shards need. If none does, file may be nil.
func (s *Spill) Reopen(ctx context.Context, file *sink.SpillFile) error {
	if s.file = file; file == nil {
		return nil
	}
	s.store.runs[0].file = file
	return s.check(ctx)
}

// check reads the partitions that unfinished shards need, and compares their digests.
func (s *Spill) check(ctx context.Context) error {
	for _, h := range s.pinned {
		if h.shards.Load() == 0 {
			continue
		}
		err := s.reader.eachRange(h.part, func(*storedRun, []byte) error { return ctx.Err() })
		if err != nil {
			return err
		}
	}
	return nil
}

// Reset undoes Restore and the names of splits, so that a scan can start.
func (s *Spill) Reset() {
	s.Set.Splits.Forget()
	s.Set.ForgetPending()
	s.Log.SetWithout(rejects.NewList())
	s.merged, s.store, s.pinned, s.file = nil, runSet{}, nil, nil
}

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
