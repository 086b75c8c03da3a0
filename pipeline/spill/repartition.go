package spill

import "tfr-build/pipeline/rows"

// A subpartition has the rows of a partition that was too large, in a spill file of its own.
type subpartition struct {
	runSet
	file NewFile
}

// maxSubBuckets is the largest number of buckets for a partition that is partitioned again.
const maxSubBuckets = 128

// repartition writes the rows of a partition that is too large to smaller buckets: by smaller
// ranges of keys or, if all keys are equal, by position in the input. It returns nil if the
// partition is a single row.
func (d *dispatcher) repartition(big *partition) (*subpartition, error) {
	s, e := d.s, &d.s.entries
	by := byKey
	lo, hi, err := d.rangeOf(big, by)
	if err == nil && lo == hi {
		by = func(_ uint64, file int, offset int64) uint64 { return s.Set.Sequence.Position(file, offset) }
		lo, hi, err = d.rangeOf(big, by)
	}
	if err != nil || lo == hi {
		return nil, err
	}
	file, err := s.Create()
	if err != nil {
		return nil, err
	}
	run := &runWriter{to: file}
	n := min(2+int(2*big.memory()/s.Limit), maxSubBuckets)
	g := newGatherer(*e, equalRanges(n, lo, hi, by), run, s.Limit/4)
	decided := rows.Pending{Values: make([]uint32, e.values)}
	err = d.reader.each(e, big, func(_ *storedRun, entry []byte) error {
		r := e.row(entry)
		return g.put(e.key(entry), &r, &decided, e.marks(entry)[1])
	})
	if err == nil {
		err = g.flush()
	}
	if err != nil {
		return nil, err
	}
	of := storedRun{Part: Part{Segments: run.segments}, file: file}
	for i := range len(s.merged.Splits) {
		of.Splits = append(of.Splits, uint8(i))
	}

	return &subpartition{runSet{[]storedRun{of}, g.totals}, file}, nil
}

// rangeOf returns the lowest and highest value of `by` for the rows of a partition.
func (d *dispatcher) rangeOf(p *partition, by func(uint64, int, int64) uint64) (lo, hi uint64, err error) {
	e := &d.s.entries
	lo = ^uint64(0)
	err = d.reader.each(e, p, func(_ *storedRun, entry []byte) error {
		file, offset := e.position(entry)
		at := by(e.key(entry), file, offset)
		lo, hi = min(lo, at), max(hi, at)
		return nil
	})
	return lo, hi, err
}
