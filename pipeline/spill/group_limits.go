package spill

import (
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
// of a table may be in one group. A partition that only such a group can make too large is read for that,
// and others are not.
func (w *groupWorker) findLarge(p *partition) (large map[string]*groupSize, err error) {
	if p.bytes <= w.g.Limit+w.g.Set.Config.Limits.Record {
		return nil, nil
	}
	large = map[string]*groupSize{}
	if err = w.eachEntry(p, func(at int) error {
		values, sort, same, text, _ := w.cut(at)
		of, place := large[string(values)], w.entries.sortKey(w.buf[at:]).Place
		if of == nil {
			of = &groupSize{first: place}
			large[string(values)] = of
		}
		of.rows, of.first = of.rows+1, min(of.first, place)
		of.bytes += int64(len(values) + len(sort) + len(same) + len(text))
		w.buf = w.buf[:at]
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
		of.err = w.g.Set.NewGroupLimitError(first, of.rows, of.bytes)
	}
	return large, nil
}

// loadWithout loads and sorts a partition without its large groups, and rejects their rows.
func (w *groupWorker) loadWithout(p *partition, large map[string]*groupSize) error {
	w.rows = w.rows[:0]
	err := w.eachEntry(p, func(at int) error {
		values, sort, _, _, _ := w.cut(at)
		entry := w.buf[at:]
		if of := large[string(values)]; of != nil {
			var place order.Position
			place.File, place.Offset = w.entries.place(entry)
			w.buf = w.buf[:at]
			return w.g.Log.AddWithout(place, of.err)
		}
		w.rows = append(w.rows, scannedRow{w.entries.key(entry), firstBytes(sort), w.entries.sortKey(entry).Place, at})
		return nil
	})
	w.sort()
	return err
}

// eachEntry appends each entry of a partition to buf, and calls visit with its offset there.
func (w *groupWorker) eachEntry(p *partition, visit func(at int) error) error {
	w.buf = w.buf[:0]
	return w.reader.eachRange(p, func(run *storedRun, data []byte) error {
		for len(data) > 0 {
			n, err := run.next(&w.entries, data)
			if err != nil {
				return err
			}
			at := len(w.buf)
			w.buf = append(w.buf, data[:n]...)
			if _, _, _, _, ok := w.cut(at); !ok {
				return run.file.Differs()
			}
			if err := visit(at); err != nil {
				return err
			}
			data = data[n:]
		}
		return nil
	})
}
