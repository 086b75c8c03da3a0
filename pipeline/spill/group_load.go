package spill

import (
	"context"
	"slices"
)

// slots is the number of parts of a bucket by the hash of the group, if it is loaded in several passes.
const slots = 64

// groupPartition groups the rows of a partition. A bucket that is too large for the memory is read once
// for each pass, which takes the rows of some of its slots. So no group is in two passes. Rows of groups
// beyond the limits are rejected as they are read.
func (w *groupWorker) groupPartition(ctx context.Context, p *partition) error {
	large, err := w.findLarge(p)
	if err != nil {
		return err
	}
	of, passes, err := w.passes(p)
	for pass := 0; pass < passes && err == nil; pass++ {
		if passes == 1 && len(large) == 0 {
			err = w.load(p)
		} else {
			err = w.loadSome(p, large, func(hash uint64) bool { return of[hash%slots] == pass })
		}
		if err == nil {
			w.sort()
			err = w.groupRows(ctx)
		}
	}
	return err
}

// passes returns the pass in which the rows of each slot are loaded, and the number of passes. A slot
// with more than the memory, as one large group is, has a pass of its own.
func (w *groupWorker) passes(p *partition) (of [slots]int, n int, err error) {
	most := w.g.Most / int64(w.g.Pool.Size())
	if p.memory() <= most {
		return of, 1, nil
	}
	var size [slots]int64
	err = w.reader.each(&w.entries, p, func(entry []byte) error {
		size[w.entries.key(entry)%slots] += int64(len(entry)) + indexSize
		return nil
	})
	filled := int64(0)
	for i := range size {
		if filled > 0 && filled+size[i] > most {
			n, filled = n+1, 0
		}
		of[i], filled = n, filled+size[i]
	}
	return of, n + 1, err
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
	return w.reader.each(&w.entries, p, func(entry []byte) error {
		if !isIn(w.entries.key(entry)) {
			return nil
		}
		if len(large) > 0 {
			values, _, _, _, _ := w.cut(entry)
			if of := large[string(values)]; of != nil {
				return w.g.Log.AddWithout(w.position(entry), of.err)
			}
		}
		at := len(w.buf)
		if w.buf = append(w.buf, entry...); !w.add(at) {
			return p.of.runs[0].file.Differs()
		}
		return nil
	})
}
