package spill

import (
	"fmt"

	"tfr-build/sink"
)

// smaller are the rows of a part that was too large, in a run of their own.
type smaller struct {
	store
	file *sink.Run
}

// mostAgain is how many buckets a part is parted into at most.
const mostAgain = 128

// again puts the rows of a part that is too large into smaller ones: by smaller ranges
// of their keys or, where all are equal, by where the rows stand. It is nil where there
// is nothing to part them by: it is one row.
func (d *dispatcher) again(big *part) (*smaller, error) {
	s, e := d.s, &d.s.entries
	by := func(key uint64, _ int, _ int64) uint64 { return key }
	lo, hi, err := d.extent(big, by)
	if err == nil && lo == hi {
		by = func(_ uint64, file int, offset int64) uint64 { return s.Set.Sequence.Place(file, offset) }
		lo, hi, err = d.extent(big, by)
	}
	if err != nil || lo == hi {
		return nil, err
	}
	d.times++
	file, err := s.Stage.CreateRun(fmt.Sprintf("again-%d", d.times))
	if err != nil {
		return nil, err
	}
	run := &runWriter{to: file}
	n := min(2+int(2*big.memory()/s.Limit), mostAgain)
	g := newGatherer(*e, rangeGrid(n, lo, hi, by), run, s.Limit/4)
	err = d.reader.each(e, big, func(entry []byte) error {
		r := e.row(entry)
		return g.put(e.key(entry), &r, e.marks(entry)[1])
	})
	if err == nil {
		err = g.flush()
	}
	if err != nil {
		return nil, err
	}
	of := stored{Part: Part{Segments: run.segments}, file: file}
	for i := range len(s.found.Splits) {
		of.Splits = append(of.Splits, uint8(i))
	}
	for i := range len(s.found.Codes) + 1 {
		of.Codes = append(of.Codes, uint8(i))
	}
	return &smaller{store{[]stored{of}, g.all}, file}, nil
}

// extent is the range of what by gives for the rows of a part.
func (d *dispatcher) extent(p *part, by func(uint64, int, int64) uint64) (lo, hi uint64, err error) {
	e := &d.s.entries
	lo = ^uint64(0)
	err = d.reader.each(e, p, func(entry []byte) error {
		file, offset := e.place(entry)
		at := by(e.key(entry), file, offset)
		lo, hi = min(lo, at), max(hi, at)
		return nil
	})
	return lo, hi, err
}
