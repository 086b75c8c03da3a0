package pipeline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
)

// A scan says what is read into one spill file, and how.
type scan struct {
	pieces  []spill.InputRange
	bytes   int64 // about, of the pieces
	buckets int   // of the spill file
	memory  int64 // for rows that are gathered before they are written, in bytes
	id      uint64
	counted *spill.Counted // they are only counted
	inline  int            // number of sampled rows in the result itself; 0 for all

	first      func(context.Context, func(int, *rows.Row) error) ([]plan.Source, error) // see spill.Scan.First
	groupedRow func(*rows.Grouping)                                                     // see spill.Scan.Grouped
}

// scanAll returns the scan that reads all rows.
func (j *job) scanAll() scan {
	s := scan{bytes: j.set.Footprint().Text, buckets: j.buckets(), memory: j.scanMemory()}
	if j.set.Groups() {
		s.memory = min(s.memory, 2*groupedBytes)
	}
	for i := range j.set.Files() {
		s.pieces = append(s.pieces, spill.InputRange{File: i})
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

// scan reads rows, and writes them to a spill file. With a nil file it only counts them.
func (p *pass) scan(ctx context.Context, s scan, to spill.File) (*spill.Run, error) {
	j, phase := p.job, pool.SortingToDisk
	if to == nil {
		phase = pool.CountingRows
	}
	j.run.Progress.Start(phase, s.bytes)
	reader := &spill.Scan{
		Set: j.set, Pool: j.pool, Log: p.log, RangeTable: spill.NewRangeTable(j.set, s.buckets),
		Memory: s.memory, Step: j.run.Chunk, ID: s.id, InlineSample: s.inline, Counted: s.counted, First: s.first,
		Grouped: s.groupedRow,
	}
	if j.set.Groups() {
		reader.RangeTable = spill.NewHashTable(s.buckets)
	}
	return reader.Run(ctx, s.pieces, to)
}

// scannedRuns are the results of a scan of all rows.
type scannedRuns struct {
	runs    []*spill.Run
	scanned *spill.Merged // with `group`: of the rows, whose groups are in runs; each has some ranges of hashes
}

// scanTo does a scan of all rows, and writes these to a file. With `group` it writes the rows to a temporary file, and
// their groups to the other.
func (p *pass) scanTo(ctx context.Context, s scan, temporary, to spill.File) (*scannedRuns, error) {
	var run *spill.Run
	var err error
	all := &scannedRuns{}
	if !p.job.set.Groups() {
		run, err = p.scan(ctx, s, to)
	} else if all.scanned, err = p.scanRowsOfGroups(ctx, s, temporary); err == nil {
		run, err = p.grouper(s.buckets, 0).Run(ctx, all.scanned, []spill.File{temporary}, 0, s.buckets, to)
	}
	all.runs = []*spill.Run{run}
	return all, err
}

// mergeRuns returns the sum of runs, which are in one file.
func (p *pass) mergeRuns(runs []*spill.Run, file spill.File) (*spill.Merged, error) {
	g := spill.NewMerger(p.job.set)
	g.Memory = p.job.run.spillLimit()
	for _, run := range runs {
		if err := g.Add(run, file); err != nil {
			return nil, err
		}
	}
	return g.Merged()
}

// hold returns the rows, or the groups, that a scan wrote to a file in memory. Without a file, they were only counted.
// It calls counted.
func (p *pass) hold(of *scannedRuns, file spill.File) (*spill.Spill, error) {
	m, err := p.mergeRuns(of.runs, file)
	if err != nil {
		return nil, err
	}
	if of.scanned != nil {
		m.AddScans(of.scanned)
	}
	s := p.newSpill(math.MaxInt64 / 4) // the rows are in memory already
	if err := s.Open(m, slices.Repeat([]spill.File{file}, len(of.runs))); err != nil {
		return nil, err
	}
	return s, p.counted(m.Sources)
}

// countSpilled counts the rows that a build would spill.
func (p *pass) countSpilled(ctx context.Context) (located, error) {
	if err := p.compareRead(ctx); err != nil {
		return nil, err
	}
	if p.job.set.Groups() {
		return p.countGroups(ctx)
	}
	all, err := p.scanTo(ctx, p.job.scanAll(), nil, nil)
	if err != nil {
		return nil, err
	}
	return p.hold(all, nil)
}

// scanRows reads rows, and writes them to a spill file. One process does so only if the rows cannot
// be read in place.
func (b *build) scanRows(ctx context.Context, k int) error {
	if b.tasks != nil {
		s, err := b.scanRanges(k)
		if err != nil {
			return err
		}
		return b.scanTo(ctx, s, k)
	}
	if !b.job.spills() {
		return nil
	}
	if err := b.openDirectory(ctx); err != nil {
		return err
	}
	if err := b.pass.compareRead(ctx); err != nil {
		return err
	}
	return b.scanTo(ctx, b.job.scanAll(), 0)
}

// whileBeginning reads the first rows and the lookup tables, and calls read. In parallel it begins
// the staging directory: that waits for the disk, and reading does not.
func (b *build) whileBeginning(ctx context.Context, read func(context.Context) error) error {
	group, reading := errgroup.WithContext(ctx)
	if b.begin != nil {
		b.job.pool.Go(group, b.begin)
	}
	// The notes about missing columns are ignored: at the end, all rows are known.
	_, err := b.job.sample(reading)
	if err == nil {
		err = b.job.set.LoadJoins(reading)
	}
	if err == nil {
		err = read(reading)
	}
	return cmp.Or(group.Wait(), err)
}
