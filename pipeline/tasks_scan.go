package pipeline

import (
	"context"
	"errors"
	"time"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

// scan reads the rows of scan task k, and writes them to a spill file.
func (t *Tasks) scan(ctx context.Context, k int) (*work.Note, error) {
	began := time.Now()
	j, err := t.open(ctx, partView)
	if err != nil {
		return nil, err
	}
	if err := t.resetRows(); err != nil {
		return nil, err
	}
	file, err := t.folder.CreateRun(k)
	if err != nil {
		return nil, err
	}
	run, err := t.scanInto(ctx, k, file)
	if err != nil {
		file.Discard()
		return nil, err
	}
	note := &work.Note{Scanned: &work.Scanned{Run: run}, Bytes: file.Size(), Rejects: int64(len(j.log.Without()))}
	for _, src := range run.Sources {
		note.Rows += src.Found
	}
	note.Scanned.File, err = file.Finish()
	note.Seconds = time.Since(began).Seconds()
	return note, err
}

// minGathered is the minimum memory for rows that a worker of a scan gathers, in bytes. A small
// piece of the input adds twice its size.
const minGathered = 16 << 20

// Limits of the sample in a note: at least minSampled rows per note, and about allSampled rows in
// all notes, several times the size of the sample of a dataset.
const (
	minSampled = 16
	allSampled = 4 * plan.SampleRows
)

// scanInto does scan task k and writes to a spill file. It returns an error if a file of its
// pieces differs from the listing.
func (t *Tasks) scanInto(ctx context.Context, k int, to spill.File) (*spill.Run, error) {
	j, pieces := t.job, t.plan.Scans[k]
	size := int64(0)
	for _, p := range pieces {
		src, local := j.set.File(p.File)
		if !p.IsWhole() && !src.Cuts(local) {
			return nil, &BrokenError{Path: src.Path(local), Err: errors.New("the plan cuts it, and it can only be read as a whole")}
		}
		if p.To > 0 {
			size += p.To - p.From
		} else {
			size += src.Listing().Files[local].Size - p.From
		}
	}
	j.run.Progress.Start(pool.SortingToDisk, size)
	s := &spill.Scan{
		Set: j.set, Pool: j.pool, Log: j.log, Grid: spill.NewGrid(j.set, t.plan.Buckets),
		Memory: min(scanMemory(j), int64(j.pool.Size())*(2*size+minGathered)), Step: j.run.Chunk,
		ID: spill.IDOf(t.folder.Attempt(), k), InlineSample: max(minSampled, allSampled/len(t.plan.Scans)),
	}
	run, err := s.Run(ctx, pieces, to)
	if err == nil && j.log.Failed() {
		err = j.planRowsError(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		src, local := j.set.File(p.File)
		if err := j.files.Unchanged(src.Path(local), &src.Listing().Files[local]); err != nil {
			return nil, &input.Error{Path: src.Path(local), Err: err}
		}
	}
	return run, nil
}

// resetRows sets the set and the log to their state before a row was read. So measured sizes do
// not depend on earlier tasks of the process.
func (t *Tasks) resetRows() error {
	t.job.log = t.newLog()
	t.job.set.Splits.Forget()
	if len(t.job.set.Classes.Auto()) == 0 {
		return nil
	}
	return t.job.set.SetClasses(nil)
}

// mergeScans merges the results of the scan tasks.
func (t *Tasks) mergeScans(m *work.Merged) error {
	g := spill.NewMerger(t.job.set)
	err := t.plan.Each(t.folder, work.Scan, len(t.plan.Scans), func(k int, n *work.Note) error {
		m.Files = append(m.Files, n.Scanned.File)
		return g.Add(n.Scanned.Run, t.folder.Run(k, n.Scanned.File))
	})
	if err == nil {
		m.Spill, err = g.Merged()
	}
	return err
}

// openSpill returns the rows in the spill files of the scan tasks. stage may be nil if nothing is
// written. A write task loads its rows in several partitions.
func (t *Tasks) openSpill(m *work.Merged, stage *sink.Stage) (*spill.Spill, error) {
	files := make([]spill.File, len(m.Files))
	for k, name := range m.Files {
		files[k] = t.folder.Run(k, name)
	}
	s := t.job.newSpill(stage)
	if len(m.Tasks) > 0 {
		s.Limit = min(s.Limit, taskLimit(m))
	}
	return s, s.Open(m.Spill, files)
}

// taskLimit returns how many bytes a write task loads at once. It is a part of what the task
// writes: the first and the last partition also have rows of other tasks.
func taskLimit(m *work.Merged) int64 {
	const header = 16 // of a row in memory
	total, largest := int64(0), int64(0)
	for i := range m.Spill.Buckets {
		b := &m.Spill.Buckets[i]
		n := b.Bytes
		for _, rows := range b.Rows {
			n += int64(rows) * header
		}
		total, largest = total+n, max(largest, n)
	}
	return max(total/int64(len(m.Tasks)*bucketsPerTask), largest)
}

// repaired does a task, and makes damaged spill files again that it finds, each at most once.
func (t *Tasks) repaired(ctx context.Context, do func() (*work.Note, error)) (*work.Note, error) {
	again := map[int]bool{}
	for {
		note, err := do()
		damaged, ok := errors.AsType[*work.DamagedError](err)
		if !ok || again[damaged.Scan] {
			return note, err
		}
		again[damaged.Scan] = true
		if err := t.repair(ctx, damaged); err != nil {
			return nil, err
		}
	}
}

// repair makes a damaged spill file again, and the result of the merge, which has the positions of
// the rows in the spill files.
func (t *Tasks) repair(ctx context.Context, damaged *work.DamagedError) error {
	t.run.warn(damaged.Error() + ": it is made again")
	note, err := t.scan(ctx, damaged.Scan)
	if err == nil {
		err = t.plan.Done(t.folder, work.Scan, damaged.Scan, note)
	}
	if err != nil || t.merged == nil {
		return err
	}
	was := t.merged.Plan
	if note, err = t.merge(ctx); err != nil {
		return err
	}
	if !note.Merged.Plan.SameRows(was) {
		return t.job.inputs.Changed()
	}
	t.merged = note.Merged
	return t.plan.Done(t.folder, work.Merge, 0, note)
}
