package pipeline

import (
	"context"
	"math"

	"tfr-build/pipeline/spill"
)

// groupedBytes is the most bytes of rows that are grouped at once, and of groups that are loaded at
// once: more would not be in the caches of the processor.
const groupedBytes = 16 << 20

// groupLimit returns the bytes of a range of rows or groups that is loaded.
func (j *job) groupLimit() int64 { return min(j.run.spillLimit(), groupedBytes) }

// grouper returns a grouper that writes a file with so many buckets.
func (p *pass) grouper(buckets int, id uint64) *spill.Grouper {
	j := p.job
	return &spill.Grouper{
		Set: j.set, Pool: j.pool, Log: p.log, Buckets: buckets,
		Limit: j.groupLimit() / 2, Most: j.run.spillLimit() / 2, Memory: min(j.run.spillLimit()/2, 2*groupedBytes),
		ID: id,
	}
}

// countGroups counts the groups of all rows, and writes nothing. It reads the rows again for each range of
// hashes whose rows fit in memory, unless all rows do.
func (p *pass) countGroups(ctx context.Context) (located, error) {
	s, most := p.newScan(), p.job.run.spillLimit()
	s.Memory = min(s.Memory, most/2)
	s.Buckets = spill.Buckets(math.MaxInt64/8, most, s.Memory/int64(p.job.pool.Size())) // as many as possible
	s.Counted = &spill.Counted{To: s.Buckets, Most: most}
	file := new(spill.MemoryFile)
	all, err := p.scanAndMerge(ctx, s, file)
	if err != nil {
		return nil, err
	}
	of, merger := all, p.newMerger()
	isComplete := all.Bytes(0, s.Buckets) <= most
	for from := 0; from < s.Buckets; {
		to := s.Buckets
		if !isComplete {
			for to = from + 1; to < s.Buckets && all.Bytes(from, to+1) <= most; {
				to++
			}
			file = new(spill.MemoryFile)
			s.Counted = &spill.Counted{From: from, To: to, Most: math.MaxInt64}
			s.Log = newPass(p.job).log
			if of, err = p.scanAndMerge(ctx, s, file); err != nil {
				return nil, err
			}
		}
		g := p.grouper(s.Buckets, 0)
		g.Counted = true
		run, err := g.Run(ctx, of, []spill.File{file}, from, to, nil)
		if err == nil {
			err = merger.Add(run, nil)
		}
		if err != nil {
			return nil, err
		}
		from = to
	}
	grouped, err := merger.Merged()
	if err != nil {
		return nil, err
	}
	grouped.AddScans(all)
	return p.openCounted(grouped)
}
