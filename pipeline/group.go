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
	s.grouped, s.memory = true, min(s.memory, 2*groupedBytes)
	s.buckets = j.groupBuckets()
	return s
}

// groupedBytes is the most bytes of rows that are grouped at once, and of groups that are loaded at
// once: more would not be in the caches of the processor.
const groupedBytes = 16 << 20

// groupLimit returns the bytes of a range of rows or groups that is loaded.
func (j *job) groupLimit() int64 { return min(j.run.spillLimit(), groupedBytes) }

// groupBuckets returns the number of buckets of the spill files of rows and of groups.
func (j *job) groupBuckets() int {
	limit := j.groupLimit() / int64(2*j.pool.Size())
	return spill.Buckets(j.set.Footprint().Text, limit, j.scanMemory()/int64(j.pool.Size()))
}

// scanGroups reads all rows, and writes their groups to a file. With a nil file it only counts them:
// then the rows are in memory without their text. create creates the file of the rows.
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
	groups, err := p.grouper(s.buckets, 0).Run(ctx, scanned, []spill.File{rowsFile}, 0, s.buckets, to)
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

// grouper returns a grouper that writes a file with so many buckets.
func (p *pass) grouper(buckets int, id uint64) *spill.Grouper {
	j := p.job
	return &spill.Grouper{
		Set: j.set, Pool: j.pool, Log: p.log, RangeTable: spill.NewRangeTable(j.set, buckets),
		Limit: j.groupLimit() / 2, Most: j.run.spillLimit() / 2, Memory: min(j.run.spillLimit()/2, 2*groupedBytes), ID: id,
	}
}

// mergeRuns returns the sum of runs.
func mergeRuns(p *pass, runs []*spill.Run, files []spill.File) (*spill.Merged, error) {
	g := spill.NewMerger(p.job.set)
	g.Memory = p.job.run.spillLimit()
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
