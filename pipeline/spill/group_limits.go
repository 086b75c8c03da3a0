package spill

import (
	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A groupSize is the size of a group as limits.group and limits.record count it.
type groupSize struct {
	rows    int
	bytes   int64
	entries int64  // bytes of its entries
	first   uint64 // the lowest place of its rows
	err     *rows.GroupError
}

// add adds the parts of a row.
func (s *groupSize) add(p *rowParts, place uint64, entry int) {
	if s.rows == 0 || place < s.first {
		s.first = place
	}
	s.rows++
	s.bytes += p.size()
	s.entries += int64(entry)
}

// isTooLarge reports whether a group is beyond the limits of the config.
func (g *Grouper) isTooLarge(rows int, size int64) bool {
	limits := &g.Set.Config.Limits
	return rows > limits.Group || size > limits.Record
}

// findLarge returns the groups of a partition that are too large, by their values, and the bytes of
// their entries. Their rows are then rejected as they are read: all rows of a table may be in one group.
// A partition that no such group makes large is not read for that.
func (w *groupWorker) findLarge(p *partition) (large map[string]*groupSize, bytes int64, err error) {
	if p.bytes <= w.g.Limit+w.g.Set.Config.Limits.Record {
		return nil, 0, nil
	}
	large = map[string]*groupSize{}
	err = w.eachEntry(p, func(entry []byte, parts *rowParts) error {
		of := large[string(parts.values)]
		if of == nil {
			of = new(groupSize)
			large[string(parts.values)] = of
		}
		of.add(parts, w.entries.sortKey(entry).Place, len(entry))
		return nil
	})
	for values, of := range large {
		if !w.g.isTooLarge(of.rows, of.bytes) {
			delete(large, values)
			continue
		}
		bytes += of.entries
		of.err = w.g.limitError(of)
	}
	return large, bytes, err
}

// limitError returns the error of the rows of a group that is too large.
func (g *Grouper) limitError(of *groupSize) *rows.GroupError {
	var first order.Position
	first.File, first.Offset = g.Set.Sequence.Locate(of.first)
	return g.Set.NewGroupLimitError(first, of.rows, of.bytes)
}

// rejectEntry rejects the row of an entry.
func (w *groupWorker) rejectEntry(entry []byte, err *rows.GroupError) error {
	var at order.Position
	at.File, at.Offset = w.entries.place(entry)
	return w.g.Log.AddWithout(at, err)
}

// eachEntry calls visit for each entry of a partition.
func (w *groupWorker) eachEntry(p *partition, visit func(entry []byte, parts *rowParts) error) error {
	return w.reader.eachRange(p, func(run *storedRun, data []byte) error {
		for len(data) > 0 {
			n, err := run.next(&w.entries, data)
			if err != nil {
				return err
			}
			parts, ok := w.entries.parts(data[:n])
			if !ok {
				return run.file.Differs()
			}
			if err := visit(data[:n], &parts); err != nil {
				return err
			}
			data = data[n:]
		}
		return nil
	})
}
