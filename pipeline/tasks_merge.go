package pipeline

import (
	"context"
	"time"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/work"
)

// merge makes the plan of splits and shards, and collects class names.
func (t *Tasks) merge(ctx context.Context) (*work.Note, error) {
	began := time.Now()
	if err := t.plan.Ready(t.folder, work.Scan, len(t.plan.Scans)); err != nil {
		return nil, err
	}
	j, err := t.open(ctx, fullView)
	if err != nil {
		return nil, err
	}
	if err := t.resetRows(); err != nil {
		return nil, err
	}
	m := &work.Merged{}
	l, err := t.mergeRows(ctx, m)
	if err == nil && j.log.Failed() {
		err = j.planRowsError(ctx)
	}
	if err != nil {
		return nil, err
	}
	p, err := j.newPlan(l)
	if err != nil {
		return nil, err
	}
	names, err := j.collect(ctx, l)
	if err != nil {
		return nil, err
	}
	p.Classes = plan.EncodeNames(names)
	m.Plan, m.Tasks = p, writeTasks(p, tasksPerPhase(t.plan), t.plan.Buckets)
	without := j.log.Without()
	m.SetWithout(without)
	return &work.Note{Merged: m, Rows: int64(p.Rows()), Rejects: int64(len(without)), Seconds: time.Since(began).Seconds()}, nil
}

// mergeRows returns all rows for the merge. If scan tasks read them, it merges their results into
// m.
func (t *Tasks) mergeRows(ctx context.Context, m *work.Merged) (l located, err error) {
	if !scans(t.job) {
		return t.find(ctx, t.job.counted)
	}
	if err := t.mergeScans(m); err != nil {
		return nil, err
	}
	s, err := t.openSpill(m, nil)
	if err == nil {
		err = t.job.counted(m.Spill.Sources)
	}
	return s, err
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

// splitTasks returns how many of the tasks each split has: at least one. Each further task goes to
// the split whose tasks have the most shards.
func splitTasks(splits []plan.Split, tasks int) []int {
	of := make([]int, len(splits))
	for i := range of {
		of[i] = 1
	}
	for range tasks - len(splits) {
		largest := 0
		for i := range splits {
			if splits[i].Shards*of[largest] > splits[largest].Shards*of[i] {
				largest = i
			}
		}
		of[largest]++
	}
	return of
}
