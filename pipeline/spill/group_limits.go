package spill

import (
	"slices"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A groupSize is the size of a group as limits.group and limits.record count it.
type groupSize struct {
	rows  int
	bytes int64
	first uint64 // the lowest place of its rows
	err   *rows.GroupError
}

// isTooLarge reports whether a group is beyond the limits of the config.
func (g *Grouper) isTooLarge(rows int, size int64) bool {
	limits := &g.Set.Config.Limits
	return rows > limits.Group || size > limits.Record
}

// findLarge returns the groups of a partition that are too large to be loaded, by their values. All rows
// of a table may be in one group. Only slots that exceed the memory are read for that.
func (w *groupWorker) findLarge(p *partition, plan *passPlan) (large map[string]*groupSize, err error) {
	if slices.Max(plan.size[:]) <= plan.most {
		return nil, nil
	}
	large = map[string]*groupSize{}
	if err = w.reader.each(&w.entries, p, func(run *storedRun, entry []byte) error {
		if !plan.exceeds(w.entries.key(entry)) {
			return nil
		}
		var p rowParts
		ok := w.entries.parts(&p, entry)
		if !ok {
			return run.file.Differs()
		}
		values := entry[p.values:p.sort]
		of, place := large[string(values)], w.entries.sortKey(entry).Position
		if of == nil {
			of = &groupSize{first: place}
			large[string(values)] = of
		}
		of.rows, of.first = of.rows+1, min(of.first, place)
		of.bytes += w.bytes(entry, &p)
		return nil
	}); err != nil {
		return nil, err
	}
	for values, of := range large {
		if !w.g.isTooLarge(of.rows, of.bytes) {
			delete(large, values)
			continue
		}
		var first order.Position
		first.File, first.Offset = w.g.Set.Sequence.Locate(of.first)
		of.err = rows.NewGroupLimitError(&w.g.Set.Config.Limits, first, of.rows, of.bytes)
	}
	return large, nil
}
