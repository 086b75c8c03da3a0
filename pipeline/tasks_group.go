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
// file.
func (b *build) groupRows(ctx context.Context, k int) error {
	if !b.job.set.Groups() {
		return nil
	}
	scanned := b.merged.Spill
	if err := scanned.RestoreScans(b.job.set, b.pass.log); err != nil {
		return err
	}
	files, buckets, of := b.results.merged(work.Scan, b.merged), len(scanned.Buckets), b.results.plan.Groups
	grouper := b.pass.grouper(buckets, spill.IDOf(b.results.files.Attempt(), len(scanned.Runs)+k))
	return b.results.makeFile(work.Group, k, func(file spill.File) (*work.Note, error) {
		run, err := grouper.Run(ctx, scanned, files, k*buckets/of, (k+1)*buckets/of, file)
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
// `group` it does nothing. One process removes those.
func (b *build) restoreGroups(context.Context) error {
	if b.results.plan.Groups == 0 {
		return nil
	}
	m, err := b.mergeRuns(work.Group)
	if err != nil {
		return err
	}
	m.Spill.AddScans(b.merged.Spill)
	b.merged = m
	if b.tasks == nil {
		if err := b.results.files.RemoveSpillFiles(work.Scan); err != nil {
			return err
		}
	}
	return b.openSpill(m)
}
