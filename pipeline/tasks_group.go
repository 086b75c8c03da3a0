package pipeline

import (
	"context"

	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// groupTasks returns the number of group tasks for scans of so many ranges of the input. Each reads
// complete buckets of the spill files of all scans.
func groupTasks(scans, buckets int) int { return max(1, min(scans, buckets/bucketsPerTask)) }

// groupRows does group task k: it groups the rows of a range of hashes, and writes the groups to a spill
// file. One process groups rows when it scans them.
func (b *build) groupRows(ctx context.Context, k int) error {
	if b.tasks == nil {
		return nil
	}
	t, scanned := b.tasks, b.merged
	if err := scanned.Spill.RestoreScans(b.job.set, b.pass.log); err != nil {
		return err
	}
	files := make([]spill.File, len(scanned.Files))
	for i, name := range scanned.Files {
		files[i] = t.directory.SpillFile(work.Scan, i, name)
	}
	buckets, of := t.plan.Buckets, t.plan.Groups
	grouper := b.pass.grouper(buckets, spill.IDOf(t.directory.Attempt(), len(scanned.Files)+k))
	return b.makeSpillFile(work.Group, k, func(file *work.SpillFile) (*work.Note, error) {
		run, err := grouper.Run(ctx, scanned.Spill, files, k*buckets/of, (k+1)*buckets/of, file)
		if err != nil {
			return nil, err
		}
		list, err := rejects.Decode(b.job.set.Files(), run.Without...)
		if err != nil {
			return nil, err
		}
		return &work.Note{Scanned: run, Rows: run.Groups, Rejects: list.Len()}, nil
	})
}

// restoreGroups opens the spill files of the group tasks, which replace the files of the scans. Without
// `group` it does nothing.
func (b *build) restoreGroups(context.Context) error {
	scanned := b.merged
	if b.tasks.plan.Groups == 0 {
		return nil
	}
	m, err := b.mergeRuns(work.Group)
	if err != nil {
		return err
	}
	m.Spill.AddScans(scanned.Spill)
	b.merged = m
	return b.openSpill(m)
}
