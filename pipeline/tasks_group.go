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
	file, err := t.directory.CreateSpillFile(work.Group, k)
	if err != nil {
		return err
	}
	buckets, of := t.plan.Buckets, t.plan.Groups
	grouper := b.pass.grouper(buckets, spill.IDOf(t.directory.Attempt(), len(scanned.Files)+k))
	run, err := grouper.Run(ctx, scanned.Spill, files, k*buckets/of, (k+1)*buckets/of, file)
	return b.keepScanned(run, file, err)
}

// noteGroups returns the note of a group task.
func (b *build) noteGroups(int) (*work.Note, error) {
	run, file := b.scanned.run, b.scanned.shared
	list, err := rejects.Decode(b.job.set.Files(), run.Without...)
	if err != nil {
		return nil, err
	}
	note := &work.Note{Scanned: &work.Scanned{Run: run}, Rows: run.Groups, Bytes: file.Size(), Rejects: list.Len()}
	note.Scanned.File, err = file.Finish()
	return note, err
}

// restoreGroups opens the spill files of the group tasks, which replace the files of the scans. Without
// `group` it does nothing.
func (b *build) restoreGroups(context.Context) error {
	groups, scanned := b.tasks.plan.Groups, b.merged
	if groups == 0 {
		return nil
	}
	m, err := b.mergeRuns(work.Group, groups)
	if err != nil {
		return err
	}
	m.Spill.AddScans(scanned.Spill)
	b.merged = m
	return b.openSpill(m)
}
