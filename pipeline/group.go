package pipeline

import (
	"context"

	"tfr-build/pipeline/spill"
)

// rowsName is the name of the spill file of the rows that are grouped.
const rowsName = "rows-0"

// groupScan returns the scan that reads all rows by the hash of their group.
func (j *job) groupScan() scan {
	s := j.scanAll()
	s.grouped = true
	return s
}

// scanGroups reads all rows, and writes their groups to a file. With a nil file it only counts them:
// then the rows are in memory without their texts. create creates the file of the rows.
func (p *pass) scanGroups(ctx context.Context, to spill.File, create func() (spill.File, func() error, error)) (*groupedRun, error) {
	rowsFile, remove, err := create()
	if err != nil {
		return nil, err
	}
	s := p.job.groupScan()
	s.noText = to == nil
	run, err := p.scan(ctx, s, rowsFile)
	if err != nil {
		return nil, err
	}
	scanned, err := mergeRuns(p, []*spill.Run{run}, []spill.File{rowsFile})
	if err != nil {
		return nil, err
	}
	groups, err := p.grouper(0).Run(ctx, scanned, []spill.File{rowsFile}, 0, s.buckets, to)
	if err != nil {
		return nil, err
	}
	return &groupedRun{scanned: scanned, run: groups}, remove()
}

// createRows creates the spill file of the rows that are grouped.
func (b *build) createRows() (file spill.File, remove func() error, err error) {
	f, err := b.out.stage.CreateSpillFile(rowsName)
	if err != nil {
		return nil, nil, err
	}
	return f, f.Remove, nil
}

// A groupedRun has the groups of the rows of a scan.
type groupedRun struct {
	scanned *spill.Merged
	run     *spill.Run
}

// grouper returns a grouper of rows.
func (p *pass) grouper(id uint64) *spill.Grouper {
	j := p.job
	return &spill.Grouper{
		Set: j.set, Pool: j.pool, Log: p.log, RangeTable: spill.NewRangeTable(j.set, j.buckets()),
		Limit: j.run.spillLimit() / 2, Memory: j.run.spillLimit() / 2, ID: id,
	}
}

// mergeRuns returns the sum of runs.
func mergeRuns(p *pass, runs []*spill.Run, files []spill.File) (*spill.Merged, error) {
	g := spill.NewMerger(p.job.set)
	for i, run := range runs {
		if err := g.Add(run, files[i]); err != nil {
			return nil, err
		}
	}
	return g.Merged()
}

// countGroups counts the groups of all rows.
func (p *pass) countGroups(ctx context.Context) (located, error) {
	grouped, err := p.scanGroups(ctx, nil, func() (spill.File, func() error, error) {
		return new(spill.MemoryFile), func() error { return nil }, nil
	})
	if err != nil {
		return nil, err
	}
	return p.holdGroups(grouped, nil, nil)
}
