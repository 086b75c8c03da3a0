package spill

import (
	"context"
	"runtime/debug"
	"sync/atomic"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
)

// A Spill is the rows of a dataset in runs.
type Spill struct {
	Set   *rows.Set
	Pool  *pool.Pool
	Log   *rejects.Log
	Stage *sink.Stage // nil where rows are only counted
	Limit int64       // of what is loaded at once, with its index
	Step  int         // bytes of the input that are searched at a time; 0: a good size

	found   *Merged
	store   store
	entries entries
	reader  reader       // of rows one after another
	file    *sink.Run    // that the store is in; nil where the runs are another's
	held    []*held      // by part, once they are planned for
	parts   atomic.Int64 // that are still needed
}

// runName is the name of the run that Pass makes.
const runName = "run-0"

// Pass reads all rows once, into a run. counted is called with the number of rows of
// each source.
func (s *Spill) Pass(ctx context.Context, counted func([]plan.Source) error) (err error) {
	scan := &Scan{Set: s.Set, Pool: s.Pool, Log: s.Log, Step: s.Step, Memory: s.Limit * 3 / 2}
	var to File
	phase := pool.CountingRows
	if s.Stage != nil {
		phase = pool.SortingToDisk
		if s.file, err = s.Stage.CreateRun(runName); err != nil {
			return err
		}
		to = s.file
		gathered := scan.Memory / int64(s.Pool.Size())
		scan.Grid = NewGrid(s.Set, Buckets(s.Set.Footprint().Text, s.Limit, gathered))
	}
	pieces := make([]Piece, s.Set.Files())
	for i := range pieces {
		pieces[i].File = i
	}
	s.Pool.Progress.Start(phase, s.Set.Footprint().Text)
	run, err := scan.Run(ctx, pieces, to)
	if err != nil {
		return err
	}
	debug.FreeOSMemory() // what was gathered, before as much is loaded
	g := NewMerger(s.Set)
	if err := g.Add(run, to); err != nil {
		return err
	}
	m, err := g.Merged()
	if err != nil {
		return err
	}
	for _, c := range m.Checks {
		src, local := s.Set.File(c.File)
		src.SetCheck(local, c.Check)
	}
	s.use(m, []File{to})
	if err := counted(m.Sources); err != nil || to == nil {
		return err
	}
	return s.keep()
}

// Open takes runs that scans made, and what Merge made of these: each file has the run
// of its number. The set and the log are then what they were after the scans.
func (s *Spill) Open(m *Merged, files []File) error {
	if err := m.restore(s.Set, s.Log); err != nil {
		return err
	}
	s.use(m, files)
	return nil
}

func (s *Spill) use(m *Merged, files []File) {
	s.found, s.entries = m, newEntries(s.Set)
	s.store = store{buckets: m.Buckets}
	for i, p := range m.Runs {
		s.store.runs = append(s.store.runs, stored{p, files[i]})
	}
}

// keep notes that the run is complete, with what the pass learned.
func (s *Spill) keep() error {
	if s.Log.Failed() || s.found.Classes == nil && collects(s.Set) {
		return nil // nobody resumes with it
	}
	note, err := s.found.Encode()
	if err != nil {
		return err
	}
	return s.Stage.KeepRuns([]*sink.Run{s.file}, note)
}

// Reopen takes the run of a stopped run of the program; ok is false where it has to be
// made again. planned plans for what is known to be found. What an unfinished shard
// needs is checked.
func (s *Spill) Reopen(ctx context.Context, planned func(found []plan.Source) (*task.Work, error)) (ok bool, err error) {
	needs := func(note []byte) ([]bool, error) {
		m, err := ParseMerged(note)
		if err != nil {
			return nil, nil // another version of the program made them: none of these is needed
		}
		if err := s.Open(m, make([]File, len(m.Runs))); err != nil {
			return nil, err
		}
		work, err := planned(m.Sources)
		if err != nil {
			return nil, err
		}
		needed := false
		for _, h := range s.hold(work) {
			needed = needed || h.shards.Load() > 0
		}
		return []bool{needed}, nil
	}
	check := func(runs []*sink.Run) error {
		if s.file = runs[0]; s.file == nil {
			return nil
		}
		s.store.runs[0].file = s.file
		return s.check(ctx)
	}
	runs, _, err := s.Stage.ReopenRuns(ctx, needs, check)
	if runs == nil || err != nil {
		s.forget()
		return false, err
	}
	return true, nil
}

// check checks the parts that unfinished shards need.
func (s *Spill) check(ctx context.Context) error {
	for _, h := range s.held {
		if h.shards.Load() == 0 {
			continue
		}
		err := s.reader.eachExtent(h.part, func(*stored, []byte) error { return ctx.Err() })
		if err != nil {
			return err
		}
	}
	return nil
}

// forget makes s what it was before a pass.
func (s *Spill) forget() {
	s.Set.Splits.Forget()
	s.Log.SetWithout(nil)
	s.found, s.store, s.held, s.file = nil, store{}, nil, nil
}

// Classes are the names that were collected; ok is false where some are lacking.
func (s *Spill) Classes() (names map[string][]string, ok bool) {
	return plan.DecodeNames(s.found.Classes), s.found.Classes != nil
}

// Count is what was found of each source, and of each split in the order of the
// dataset, with the rows that are beyond its limit.
func (s *Spill) Count() ([]plan.Source, []plan.Counted, error) {
	var list []plan.Counted
	for _, n := range s.Set.Splits.Sorted() {
		list = append(list, s.found.Splits[n])
	}
	return s.found.Sources, list, nil
}

// SetKeys sets nothing: the keys of shards are known when a part is loaded.
func (s *Spill) SetKeys(*plan.Plan) {}

// Each calls visit for every row that is to be written, one after another.
func (s *Spill) Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	lasts, err := s.lasts(ctx)
	if err != nil {
		return err
	}
	all := &part{of: &s.store, to: len(s.store.buckets)}
	return s.reader.each(&s.entries, all, func(entry []byte) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if last := lasts[s.entries.marks(entry)[0]]; last != nil && s.entries.sortKey(entry).compare(*last) > 0 {
			return nil // beyond the limit
		}
		r := s.entries.row(entry)
		if bad := s.entries.marks(entry)[1]; bad != 0 {
			r.Bad = s.found.Codes[bad-1]
		}
		return visit(0, &r)
	})
}
