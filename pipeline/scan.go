package pipeline

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"tfr-build/pipeline/spill"
)

// newScan returns the scan that reads all rows.
func (p *pass) newScan() *spill.Scan {
	j := p.job
	s := &spill.Scan{Set: j.set, Pool: j.pool, Log: p.log, Bytes: j.set.Footprint().Text, Buckets: j.buckets(),
		Memory: j.scanMemory(), Step: j.run.Chunk}
	if j.set.Groups() {
		s.Memory = min(s.Memory, 2*groupedBytes)
	}
	for i := range j.set.Files() {
		s.Pieces = append(s.Pieces, spill.InputRange{File: i})
	}
	return s
}

// buckets returns the number of buckets that spill files need.
func (j *job) buckets() int {
	limit := j.run.spillLimit()
	if j.set.Groups() {
		limit = j.groupLimit() / int64(2*j.pool.Size())
	}
	return spill.Buckets(j.set.Footprint().Text, limit, j.scanMemory()/int64(j.pool.Size()))
}

// scanMemory returns how many bytes of rows a scan gathers before it writes them.
func (j *job) scanMemory() int64 { return j.run.spillLimit() * 3 / 2 }

// newMerger returns a merger of runs.
func (p *pass) newMerger() *spill.Merger {
	g := spill.NewMerger(p.job.set)
	g.Memory = p.job.run.spillLimit()
	return g
}

// countSpilled counts the rows that a build would spill.
func (p *pass) countSpilled(ctx context.Context) (located, error) {
	if err := p.compareRead(ctx); err != nil {
		return nil, err
	}
	if p.job.set.Groups() {
		return p.countGroups(ctx)
	}
	m, err := p.scanAndMerge(ctx, p.newScan(), nil)
	if err != nil {
		return nil, err
	}
	return p.openCounted(m)
}

// scanAndMerge does a scan of all rows.
func (p *pass) scanAndMerge(ctx context.Context, s *spill.Scan, to spill.File) (*spill.Merged, error) {
	run, err := s.Run(ctx, to)
	if err != nil {
		return nil, err
	}
	g := p.newMerger()
	if err := g.Add(run, to); err != nil {
		return nil, err
	}
	return g.Merged()
}

// openCounted returns rows that were only counted. It calls counted.
func (p *pass) openCounted(m *spill.Merged) (*spill.Spill, error) {
	s := p.newSpill(0)
	if err := s.Open(m, make([]spill.File, len(m.Runs))); err != nil {
		return nil, err
	}
	return s, p.counted(m.Sources)
}

// scanRows reads all rows, and writes them to a spill file, unless they can be read in place.
func (b *build) scanRows(ctx context.Context) error {
	if !b.job.spills() {
		return nil
	}
	if err := b.openDirectory(ctx); err != nil {
		return err
	}
	if err := b.pass.compareRead(ctx); err != nil {
		return err
	}
	return b.scanTo(ctx, b.pass.newScan(), 0)
}

// whileBeginning reads the first rows and the lookup tables, and calls read. In parallel it begins
// the staging directory: that waits for the disk, and reading does not.
func (o *output) whileBeginning(ctx context.Context, read func(context.Context) error) error {
	group, reading := errgroup.WithContext(ctx)
	if o.begin != nil {
		o.job.pool.Go(group, o.begin)
	}
	// The notes about missing columns are ignored: at the end, all rows are known.
	_, err := o.job.sample(reading)
	if err == nil {
		err = o.job.set.LoadJoins(reading)
	}
	if err == nil {
		err = read(reading)
	}
	return cmp.Or(group.Wait(), err)
}
