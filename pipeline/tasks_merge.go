package pipeline

import (
	"context"
	"time"

	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/work"
)

// merge decides on splits and shards, and finds the names of classes.
func (t *Tasks) merge(ctx context.Context) (*work.Note, error) {
	began := time.Now()
	if err := t.plan.Ready(t.folder, work.Scan, len(t.plan.Scans)); err != nil {
		return nil, err
	}
	j, err := t.open(ctx, whole)
	if err != nil {
		return nil, err
	}
	if err := t.anew(); err != nil {
		return nil, err
	}
	m := &work.Merged{}
	l, err := t.rows(ctx, m)
	if err == nil && j.log.Failed() {
		err = j.badPlan(ctx)
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
	m.Plan, m.Tasks = p, writeTasks(p, tasksOf(t.plan), t.plan.Buckets)
	without := j.log.Without()
	m.SetWithout(without)
	return &work.Note{Merged: m, Rows: int64(p.Rows()), Rejects: int64(len(without)), Seconds: time.Since(began).Seconds()}, nil
}

// rows are all rows, as the merge sees them: it notes what is in the runs of the scans.
func (t *Tasks) rows(ctx context.Context, m *work.Merged) (l located, err error) {
	if !scans(t.job) {
		return t.find(ctx, t.job.counted)
	}
	if err := t.mergeScans(m); err != nil {
		return nil, err
	}
	s, err := t.spilled(m, nil)
	if err == nil {
		err = t.job.counted(m.Spill.Sources)
	}
	return s, err
}

// Write tasks have about taskBytes each, but there are at least fewTasks, or as many as
// the plan asks for, or one per shard: arrays are not made for less. There are at most
// mostTasks.
const (
	taskBytes = 10_000_000_000
	fewTasks  = 32
	mostTasks = 100_000
)

// tasksOf is how many tasks a phase of a plan has at least, where it has so much to do.
func tasksOf(p *work.Plan) int { return max(fewTasks, p.Tasks) }

// writeTasks cuts the shards of each split into consecutive ranges, one for each write task.
// There are at least few tasks, unless there are fewer shards, and those of a split differ by
// one shard at most. Rows that are in buckets are read by whole ones: more tasks would read
// them several times.
func writeTasks(p *plan.Plan, few, buckets int) (list []work.Shards) {
	bytes, shards := uint64(0), 0
	for i := range p.Splits {
		bytes += p.Splits[i].Bytes
		shards += p.Splits[i].Shards
	}
	most := mostTasks
	if buckets > 0 {
		most = max(few, buckets/bucketsATask)
	}
	tasks := max(few, int(min(bytes/taskBytes, uint64(most))))
	for i, n := range tasksOfSplits(p.Splits, min(tasks, shards)) {
		for k := range n {
			of := p.Splits[i].Shards
			list = append(list, work.Shards{Split: i, From: of * k / n, To: of * (k + 1) / n})
		}
	}
	return list
}

// tasksOfSplits returns how many of the tasks each split has: one at least, and the others
// where tasks would have the most shards.
func tasksOfSplits(splits []plan.Split, tasks int) []int {
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
