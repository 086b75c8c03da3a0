package spill

import (
	"context"
	"slices"
)

// slots is the number of parts of a bucket by the hash of the group, if it is loaded in several passes.
const slots = 64

// groupedSize is the memory of a row besides its entry, in bytes: its index, the copy of that while rows are sorted,
// and a groupedRow with another index, as all rows may be one group.
const groupedSize = 3*indexSize + 32

// A passPlan says in which pass the rows of each slot of a partition are loaded.
type passPlan struct {
	pass  [slots]int
	size  [slots]int64 // memory of the rows
	count int          // of passes
	most  int64        // memory of a pass; a slot with more, as one large group is, has a pass of its own
}

// exceeds reports whether the slot of a hash has more rows than the memory.
func (plan *passPlan) exceeds(hash uint64) bool { return plan.size[hash%slots] > plan.most }

// groupPartition groups the rows of a partition. A bucket that is too large for the memory is read once
// for each pass, which takes the rows of some of its slots. So no group is in two passes. Rows of groups
// beyond the limits are rejected as they are read, if the memory does not have room for their slot.
func (w *groupWorker) groupPartition(ctx context.Context, p *partition) error {
	plan, err := w.planPasses(p)
	if err != nil {
		return err
	}
	large, err := w.findLarge(p, &plan)
	for pass := 0; pass < plan.count && err == nil; pass++ {
		if plan.count == 1 && len(large) == 0 {
			err = w.load(p)
		} else {
			err = w.loadSome(p, large, func(hash uint64) bool { return plan.pass[hash%slots] == pass })
		}
		if err == nil {
			w.space.sort(w.rows, nil)
			err = w.groupRows(ctx)
		}
	}
	return err
}

// planPasses returns the passes that load a partition.
func (w *groupWorker) planPasses(p *partition) (plan passPlan, err error) {
	plan.most = w.g.Most / int64(w.g.Pool.Size())
	plan.count = 1
	if p.bytes+int64(p.count())*groupedSize <= plan.most {
		return plan, nil
	}
	err = w.reader.each(&w.entries, p, func(_ *storedRun, entry []byte) error {
		plan.size[w.entries.key(entry)%slots] += int64(len(entry)) + groupedSize
		return nil
	})
	filled := int64(0)
	for i, size := range plan.size {
		if filled > 0 && filled+size > plan.most {
			plan.count, filled = plan.count+1, 0
		}
		plan.pass[i], filled = plan.count-1, filled+size
	}
	return plan, err
}

// load loads a partition.
func (w *groupWorker) load(p *partition) error {
	w.rows = slices.Grow(w.rows[:0], p.count())
	if int64(cap(w.buf)) < p.bytes {
		w.buf = make([]byte, p.bytes)
	}
	w.buf = w.buf[:p.bytes]
	return w.reader.readInto(w.buf, &w.entries, p, 0, func(run *storedRun, at int) error {
		if !w.add(at) {
			return run.file.Differs()
		}
		return nil
	})
}

// loadSome loads the rows of a partition whose hash is in the pass, and rejects the rows of large groups.
func (w *groupWorker) loadSome(p *partition, large map[string]*groupSize, isIn func(hash uint64) bool) error {
	w.rows, w.buf = w.rows[:0], w.buf[:0]
	return w.reader.each(&w.entries, p, func(run *storedRun, entry []byte) error {
		if !isIn(w.entries.key(entry)) {
			return nil
		}
		if len(large) > 0 {
			var p rowParts
			w.entries.parts(&p, entry)
			if of := large[string(entry[p.values:p.sort])]; of != nil {
				return w.g.Log.AddWithout(w.position(entry), of.err)
			}
		}
		at := len(w.buf)
		if w.buf = append(w.buf, entry...); !w.add(at) {
			return run.file.Differs()
		}
		return nil
	})
}
