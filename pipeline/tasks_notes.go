package pipeline

import (
	"context"
	"errors"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
	"tfr-build/sources/input"
)

// minGathered is the minimum memory for rows that a worker of a scan gathers, in bytes. A small
// piece of the input adds twice its size.
const minGathered = 16 << 20

// Limits of the sample in a note: at least minSampled rows per note, and about allSampled rows in
// all notes, several times the size of the sample of a dataset.
const (
	minSampled = 16
	allSampled = 4 * plan.SampleRows
)

// scanRanges does scan task k.
func (b *build) scanRanges(ctx context.Context, k int) error {
	t, j, s := b.tasks, b.job, b.pass.newScan()
	s.Pieces, s.Bytes, s.Buckets = t.plan.Scans[k], 0, t.plan.Buckets
	s.InlineSample = max(minSampled, allSampled/len(t.plan.Scans))
	for _, p := range s.Pieces {
		src, local := j.set.File(p.File)
		if !p.IsComplete() && !src.Cuts(local) {
			return &BrokenError{Path: src.Path(local),
				Err: errors.New("the plan cuts it, and it can only be read completely")}
		}
		if p.To > 0 {
			s.Bytes += p.To - p.From
		} else {
			s.Bytes += src.Listing().Files[local].Size - p.From
		}
	}
	s.Memory = min(j.scanMemory(), int64(j.pool.Size())*(2*s.Bytes+minGathered))
	return b.scanTo(ctx, s, k)
}

// scanTo does a scan, and writes the rows to the spill file of scan task k.
func (b *build) scanTo(ctx context.Context, s *spill.Scan, k int) error {
	s.ID = spill.IDOf(b.results.files.Attempt(), k)
	return b.results.makeFile(work.Scan, k, func(file spill.File) (*work.Note, error) {
		run, err := s.Run(ctx, file)
		if err != nil {
			return nil, err
		}
		note := &work.Note{Scanned: run, Rejects: b.pass.log.Without().Len()}
		for _, src := range run.Sources {
			note.Rows += src.Found
		}
		if b.tasks == nil {
			return note, nil
		}
		if err := b.hashBegun(ctx, s.Pieces); err != nil {
			return nil, err
		}
		return note, b.job.checkUnchanged(s.Pieces)
	})
}

// hashBegun hashes the files of which the ranges have the beginning, for the statement of provenance.
func (b *build) hashBegun(ctx context.Context, ranges []spill.InputRange) error {
	if !b.job.cfg.Provenance {
		return nil
	}
	var list []int
	for _, p := range ranges {
		if p.From == 0 {
			list = append(list, p.File)
		}
	}
	return b.job.inputs.HashFiles(ctx, b.job.pool, list)
}

// checkUnchanged returns an error if a file of the ranges differs from the listing.
func (j *job) checkUnchanged(ranges []spill.InputRange) error {
	for _, p := range ranges {
		src, local := j.set.File(p.File)
		if err := j.files.Unchanged(src.Path(local), &src.Listing().Files[local]); err != nil {
			return &input.Error{Path: src.Path(local), Err: err}
		}
	}
	return nil
}

// notePlan returns the note of the merge.
func (b *build) notePlan(int) (*work.Note, error) {
	t, m := b.tasks, b.merged
	if m == nil {
		m, t.found = &work.Merged{}, b.rows
	}
	m.Plan, m.Tasks = b.plan, writeTasks(b.plan, tasksPerPhase(t.plan), t.plan.Buckets)
	m.Without = b.pass.log.WithoutRuns()
	return &work.Note{Merged: m, Rows: int64(b.plan.Rows()), Rejects: b.pass.log.Without().Len()}, nil
}

// A write task has about taskBytes of records. There are at least minTasks tasks, or as many as
// the plan says, but not more than shards: a job array needs enough work. There are at most
// maxTasks.
const (
	taskBytes = 10_000_000_000
	minTasks  = 32
	maxTasks  = 100_000
)

// tasksPerPhase returns the minimum number of tasks in a phase of a plan, if there is enough work.
func tasksPerPhase(p *work.Plan) int { return max(minTasks, p.Tasks) }

// writeTasks splits the shards of each split into consecutive ranges, one for each write task.
// There are at least few tasks, or one per shard if there are fewer shards. The tasks of a split
// differ by at most one shard. buckets limits the tasks: each reads complete buckets of the spill
// files, so with more tasks, several would read the same bucket.
func writeTasks(p *plan.Plan, few, buckets int) (list []work.Shards) {
	bytes, shards := uint64(0), 0
	for i := range p.Splits {
		bytes += p.Splits[i].Bytes
		shards += p.Splits[i].Shards
	}
	most := maxTasks
	if buckets > 0 {
		most = max(few, buckets/bucketsPerTask)
	}
	tasks := max(few, int(min(bytes/taskBytes, uint64(most))))
	for i, n := range splitTasks(p.Splits, min(tasks, shards)) {
		for k := range n {
			of := p.Splits[i].Shards
			list = append(list, work.Shards{Split: i, From: of * k / n, To: of * (k + 1) / n})
		}
	}
	return list
}

// splitTasks returns how many of the tasks each split with shards has: at least one. Each further task goes to
// the split whose tasks have the most shards.
func splitTasks(splits []plan.Split, tasks int) []int {
	of := make([]int, len(splits))
	first := len(splits)
	for i := len(splits) - 1; i >= 0; i-- {
		if splits[i].Shards > 0 {
			of[i], first = 1, i
			tasks--
		}
	}
	for range tasks {
		largest := first
		for i := range splits {
			if splits[i].Shards*of[largest] > splits[largest].Shards*of[i] {
				largest = i
			}
		}
		of[largest]++
	}
	return of
}
