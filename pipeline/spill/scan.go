package spill

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/table"
)

// A Scan reads pieces of the input once, and writes their rows to a spill file. Load the class
// files and lookup tables of the set before.
type Scan struct {
	Set          *rows.Set
	Pool         *pool.Pool
	Log          *rejects.Log // of this scan alone; only the rejects without a split are in the Run
	Pieces       []InputRange
	Bytes        int64    // about, of the pieces
	Buckets      int      // of the spill file, see Buckets; the same for all scans of a dataset
	Memory       int64    // bytes for rows that are gathered before they are written
	Step         int      // bytes of input searched per step; 0 for the default
	ID           uint64   // differs for each Run of a dataset, see IDOf; 0 if there is only one
	Counted      *Counted // with groups that are only counted; else nil
	InlineSample int      // sampled rows in the Run itself; the others are in the file; 0: all

	// First replaces the pieces: it calls visit for the first rows of each source, on all workers, and returns
	// their numbers. It is nil if all rows are read.
	First func(ctx context.Context, visit func(worker int, r *rows.Row) error) ([]plan.Source, error)
	// Grouped gets the group of each row, from any worker. It may be nil.
	Grouped func(*rows.Grouping)

	written atomic.Int64 // bytes of Counted

	large sync.Mutex // locked while a large row is measured
}

// Run reads all rows and writes them to a file. With a nil file it only counts them.
func (s *Scan) Run(ctx context.Context, to File) (*Run, error) {
	phase := pool.SortingToDisk
	if to == nil {
		phase = pool.CountingRows
	}
	s.Pool.Progress.Start(phase, s.Bytes)
	m := newRunMaker(s.Set, s.Buckets, to, s.ID)
	if m.ofGroups = s.Set.Groups(); m.ofGroups {
		m.ranges = keyRanges(s.Buckets)
	}
	workers, err := s.read(ctx, func(int) (*worker, error) { return s.newWorker(m) })
	if err != nil {
		return nil, err
	}
	r := s.sum(m, workers)
	for i := range r.Splits {
		if err := s.storeRest(&r.Splits[i], m.file); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// read reads all rows with new workers, and returns these, closed.
func (s *Scan) read(ctx context.Context, newWorker func(i int) (*worker, error)) ([]*worker, error) {
	workers := make([]*worker, s.Pool.Size())
	defer func() {
		for _, w := range workers {
			if w != nil {
				w.close()
			}
		}
	}()
	if s.First != nil {
		return workers, s.readFirst(ctx, workers, newWorker)
	}
	q := &stepQueue{set: s.Set, size: int64(s.Step), remoteSize: int64(s.Step), workers: s.Pool.Size(),
		pieces: s.Pieces}
	if s.Step <= 0 {
		q.size, q.remoteSize = stepSize, min(max(stepSize, s.Memory/int64(4*q.workers)), remoteStepSize)
	}
	x := newExchange(s.Pool.Size())
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return workers, s.Pool.Each(ctx, len(workers), func(_, i int) error {
		err := s.Pool.Guard(func() (err error) {
			if workers[i], err = newWorker(i); err == nil {
				workers[i].exchange = x
				err = workers[i].run(ctx, q)
			}
			return err
		})
		if err != nil {
			cancel(err) // end workers that wait for their turn or for rows
		}
		return err
	})
}

// readFirst is read for the first rows.
func (s *Scan) readFirst(ctx context.Context, workers []*worker, newWorker func(i int) (*worker, error)) (err error) {
	for i := range workers {
		if workers[i], err = newWorker(i); err != nil {
			return err
		}
	}
	workers[0].sources, err = s.First(ctx, func(i int, r *rows.Row) error {
		src, _ := s.Set.File(r.File)
		return workers[i].spill(src, r)
	})
	for i := 0; i < len(workers) && err == nil; i++ {
		err = workers[i].flush()
	}
	return err
}

// storeRest moves most of a sample to the end of the spill file. With many scans, few rows of each
// are in the sample of the dataset.
func (s *Scan) storeRest(split *Split, to *runWriter) error {
	if s.InlineSample == 0 || len(split.Sample) <= s.InlineSample {
		return nil
	}
	text, err := json.Marshal(split.Sample[s.InlineSample:])
	if err != nil {
		return fmt.Errorf("encoding a sample: %w", err)
	}
	split.Sample = split.Sample[:s.InlineSample]
	split.Rest = &Rest{to.reserve(int64(len(text))), int64(len(text)), digestOf(text, s.ID)}
	_, err = to.to.WriteAt(text, split.Rest.Offset)
	return err
}

// newWorker returns a worker. Call it in the goroutine of the worker, so that workers do not share
// cache lines that they write for each row.
func (s *Scan) newWorker(m *runMaker) (w *worker, err error) {
	w = s.newReader()
	w.chooser = s.Set.NewChooser()
	w.share, err = m.newShare(s.Memory / int64(s.Pool.Size()))
	return w, err
}

// newReader returns a worker that only finds rows.
func (s *Scan) newReader() *worker {
	return &worker{share: newShare(s.Set), s: s, mode: s.Set.Mode(), checks: map[int]uint8{}}
}

// sum adds up the results of the workers.
func (s *Scan) sum(m *runMaker, workers []*worker) *Run {
	var shares []*share
	for _, w := range workers {
		shares = append(shares, w.share)
	}
	r := m.run(shares, s.Log.WithoutRuns())
	r.Checks = map[int]uint8{}
	for _, w := range workers {
		w.chooser.AddSkipped(r.Sources)
		addChecks(r.Checks, w.checks)
	}
	return r
}

// A worker has the state of one goroutine of a scan.
type worker struct {
	*share
	s        *Scan
	exchange *exchange
	mode     order.Mode
	chooser  *rows.Chooser
	compares *compareWorker // compares rows instead of spilling them; may be nil
	encoder  *rows.Encoder  // measures sampled rows; nil until the first
	stretch  table.Stretch
	row      rows.Row
	grouped  []byte                      // the data of a row of a group
	digest   [sha256.Size]byte           // of the values of its group
	size     [binary.MaxVarintLen64]byte // of its values
	batch    *batch                      // rows of a file read in sequence, for another worker; may be nil
	checks   map[int]uint8               // by file
}

func (w *worker) close() {
	if w.chooser != nil {
		w.chooser.Close()
	}
	w.share.close()
	if w.encoder != nil {
		w.encoder.Close()
	}
}

// run does steps until none is left. Then it spills batches of other workers, and writes what it
// gathered.
func (w *worker) run(ctx context.Context, q *stepQueue) error {
	for {
		s, err := q.next()
		if err != nil {
			return err
		}
		if s == nil {
			break
		}
		if s.piece.stretches == nil {
			err = w.spillFile(ctx, s.piece)
		} else {
			err = w.spillStep(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	if err := w.spillBatches(ctx); err != nil {
		return err
	}
	return w.flush()
}

// flush writes what the worker gathered.
func (w *worker) flush() error {
	if w.compares != nil {
		return w.compares.flush()
	}
	return w.share.flush()
}

// spillStep spills the rows that begin in a range of a file.
func (w *worker) spillStep(ctx context.Context, s *step) error {
	p, st := s.piece, &w.stretch
	if err := st.Find(p.stretches, s.lo, s.hi); err != nil {
		return err
	}
	if err := s.findRows(ctx, st); err != nil {
		return err
	}
	w.checks[p.File] |= st.Check()
	r := &w.row
	*r = rows.Row{File: p.File}
	for i := range st.Rows {
		r.Offset, r.Data, r.Bad = st.Offset(i), st.Text(i), ""
		if bad := st.Rows[i].Bad; bad != nil {
			r.Bad = bad.Code
		}
		if err := w.spill(p.src, r); err != nil {
			return err
		}
	}
	w.sources[p.src.Number].Found += int64(len(st.Rows))
	w.sources[p.src.Number].Blank += int64(st.Blank)
	w.s.Pool.Progress.Done(s.hi-s.lo, s.hi-s.lo)
	return p.done()
}

// spillFile reads the rows of a file in sequence. It spills them or passes them to other workers.
func (w *worker) spillFile(ctx context.Context, p *openRange) error {
	found, err := p.src.Rows(p.local)
	if err != nil {
		return err
	}
	defer found.Close()
	n, passed, reported := 0, int64(0), int64(0)
	for {
		rec, err := found.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			w.row = rows.Of(p.File, rec)
			err = w.spillOrBatch(p.src, &w.row)
		}
		if err != nil {
			return err
		}
		n++
		if passed += int64(len(rec.Raw)); !rec.Row { // the offset of an array's row is not in bytes
			passed = rec.Offset
		}
		if passed-reported < stepSize {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.s.Pool.Progress.Done(passed-reported, passed-reported)
		reported = passed
	}
	w.sources[p.src.Number].Found += int64(n)
	w.sources[p.src.Number].Blank += int64(found.Blank())
	return w.sendBatch()
}

// spill determines the split and the key of a row, and gathers the row. A panic names the row.
func (w *worker) spill(src *rows.Source, r *rows.Row) error {
	defer w.s.Set.LocatePanic(&r)
	if w.compares != nil {
		return w.compares.compare(r)
	}
	if r.Bad != "" {
		r.Data = []byte(r.Bad) // the row is read again for its error message
	}
	of, err := w.chooser.Choose(r)
	switch {
	case err == nil && of.Split == rows.Skipped:
		return nil
	case err == nil && r.Bad != "" && !w.s.Log.Tolerant():
		err = rows.BadCut(r.Bad)
	}
	if err != nil {
		return w.s.Log.AddWithout(r.Locator(), err)
	}
	r.Split = of.Split
	return w.gather(src, r, of)
}

// gather counts a row, and adds it to its bucket.
func (w *worker) gather(src *rows.Source, r *rows.Row, of *rows.Facts) error {
	s, key := w.s, of.Key
	own := s.Set.Shuffle.Key(s.Set.Space.Address(r.File, r.Offset))
	switch w.mode {
	case order.Source:
		key = s.Set.Sequence.Position(r.File, r.Offset)
	case order.Shuffled:
		key = own
	}
	if err := w.count(src, own, r); err != nil {
		return err
	}
	if s.Set.Groups() {
		return w.gatherGrouped(r, &of.Group)
	}
	if err := w.pending.add(src, key, r, &of.Pending, 1); err != nil || w.gatherer == nil {
		return err
	}
	if w.collector != nil {
		if err := w.collector.Collect(r); err != nil {
			return err
		}
	}
	mark := byte(0)
	if r.Bad != "" {
		mark = 1
	}
	return w.gatherer.put(key, r, &of.Pending, mark)
}
