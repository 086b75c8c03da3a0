package spill

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"tfr-build/internal/pool"
	"tfr-build/order"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/table"
)

// A Scan reads pieces of the input once, into a run. The class files and the joined
// tables of the set must have been loaded.
type Scan struct {
	Set    *rows.Set
	Pool   *pool.Pool
	Log    *rejects.Log // of this scan alone; what it says of rows that end the run is not in the Run
	Grid   *Grid
	Memory int64  // of rows that are gathered before they are written
	Step   int    // bytes searched at a time; 0: a good size
	ID     uint64 // of the Run, which tells it from the others of the dataset; 0 where there is one
	Told   int    // rows of a sample that the Run tells itself, while the others are left in the file; 0: all

	codes      codes
	large      sync.Mutex       // held while a large row is measured
	vocabulary *rows.Vocabulary // nil where nothing is collected
}

// Run reads all rows of pieces. They go to a file, unless that is nil and they are only
// counted.
func (s *Scan) Run(ctx context.Context, pieces []Piece, to File) (*Run, error) {
	h := &handout{set: s.Set, size: int64(s.Step), far: int64(s.Step), workers: s.Pool.Size(), pieces: pieces}
	if s.Step <= 0 {
		h.size, h.far = stepSize, min(max(stepSize, s.Memory/int64(4*h.workers)), farSize)
	}
	w, x := &runWriter{to: to, id: s.ID}, newExchange(s.Pool.Size())
	if to != nil {
		s.vocabulary = s.Set.NewVocabulary()
	}
	workers := make([]*worker, s.Pool.Size())
	defer func() {
		for _, w := range workers {
			if w != nil {
				w.close()
			}
		}
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := s.Pool.Each(ctx, len(workers), func(_, i int) error {
		err := s.Pool.Guard(func() (err error) {
			if workers[i], err = s.newWorker(w, x); err == nil {
				err = workers[i].all(ctx, h)
			}
			return err
		})
		if err != nil {
			cancel(err) // those who wait for their turn, or for rows, go on
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	r := s.add(workers, w)
	for i := range r.Splits {
		if err := s.leave(&r.Splits[i], w); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// leave leaves most of a sample in the run's file: where there are many scans, few of its
// rows are among the lowest of all.
func (s *Scan) leave(split *Split, to *runWriter) error {
	if s.Told == 0 || len(split.Sample) <= s.Told {
		return nil
	}
	text, err := json.Marshal(split.Sample[s.Told:])
	if err != nil {
		return fmt.Errorf("encoding a sample: %w", err)
	}
	split.Sample = split.Sample[:s.Told]
	split.Rest = &Rest{to.room(int64(len(text))), int64(len(text)), digestOf(text, s.ID)}
	_, err = to.to.WriteAt(text, split.Rest.Offset)
	return err
}

// newWorker is to be called by the goroutine that the worker belongs to: what two
// workers write to for each row is not in one line of memory then.
func (s *Scan) newWorker(to *runWriter, x *exchange) (w *worker, err error) {
	w = &worker{
		s: s, exchange: x, chooser: s.Set.NewChooser(), mode: s.Set.Mode(),
		sources: make([]plan.Source, len(s.Set.Sources)), checks: map[int]uint8{},
	}
	if to.to == nil {
		return w, nil
	}
	w.gatherer = newGatherer(newEntries(s.Set), s.Grid, to, s.Memory/int64(s.Pool.Size()))
	if collects(s.Set) {
		w.collector, err = s.vocabulary.NewCollector()
	}
	return w, err
}

// add adds up what the workers found.
func (s *Scan) add(workers []*worker, to *runWriter) *Run {
	r := &Run{
		ID: s.ID, Segments: to.segments, Codes: s.codes.names, Sources: make([]plan.Source, len(s.Set.Sources)),
		Without: string(rejects.Append(nil, s.Log.Without())),
	}
	if to.to != nil {
		r.Buckets = make([]Bucket, s.Grid.buckets)
		r.Classes = plan.EncodeNames(s.vocabulary.Collected())
	}
	splits := make([]counted, len(s.Set.Splits.Names()))
	for i := range splits {
		splits[i].sample = plan.NewSample(rows.SampleSize(s.Set))
	}
	for _, w := range workers {
		for i, of := range w.sources {
			r.Sources[i].Add(of)
		}
		w.chooser.AddLeft(r.Sources)
		for i := range w.splits {
			splits[i].add(&w.splits[i])
		}
		if w.gatherer == nil {
			continue
		}
		for b := range w.gatherer.all {
			of := &w.gatherer.all[b]
			for split, n := range of.Rows {
				r.Buckets[b].add(uint8(split), n, 0)
			}
			r.Buckets[b].Bytes += of.Bytes
		}
	}
	for i, name := range s.Set.Splits.Names() {
		r.Splits = append(r.Splits, splits[i].split(name))
	}
	r.Checks = checksOf(workers)
	return r
}

// A worker is what one goroutine of a scan needs.
type worker struct {
	s         *Scan
	exchange  *exchange
	mode      order.Mode
	chooser   *rows.Chooser
	collector *rows.Collector // nil where there is nothing to collect
	encoder   *rows.Encoder   // that measures the rows of samples; nil until the first
	gatherer  *gatherer       // nil where rows are only counted
	stretch   table.Stretch
	row       rows.Row
	batch     *batch // of a file that is read, for another worker; nil for none

	sources []plan.Source
	splits  []counted     // by number
	checks  map[int]uint8 // by file
}

func (w *worker) close() {
	w.chooser.Close()
	if w.collector != nil {
		w.collector.Close()
	}
	if w.encoder != nil {
		w.encoder.Close()
	}
}

// all does steps until there are none, helps others, and writes what is left.
func (w *worker) all(ctx context.Context, h *handout) error {
	for {
		s, err := h.next()
		if err != nil {
			return err
		}
		if s == nil {
			break
		}
		if s.piece.stretches == nil {
			err = w.file(ctx, s.piece)
		} else {
			err = w.step(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	if err := w.help(ctx); err != nil || w.gatherer == nil {
		return err
	}
	return w.gatherer.flush()
}

// step spills the rows of a stretch.
func (w *worker) step(ctx context.Context, s *step) error {
	p, st := s.piece, &w.stretch
	if err := st.Find(p.stretches, s.lo, s.hi); err != nil {
		return err
	}
	if err := s.settle(ctx, st); err != nil {
		return err
	}
	w.checks[p.File] |= st.Check()
	r := &w.row
	for i := range st.Rows {
		*r = rows.Row{File: p.File, Offset: st.Offset(i), Data: st.Text(i)}
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

// file reads the rows of a file one after another, and spills them or has it done.
func (w *worker) file(ctx context.Context, p *opened) error {
	found, err := p.src.Rows(p.local)
	if err != nil {
		return err
	}
	defer found.Close()
	n, passed, told := 0, int64(0), int64(0)
	for {
		rec, err := found.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			w.row = rows.Of(p.File, rec)
			err = w.pass(p.src, &w.row)
		}
		if err != nil {
			return err
		}
		n++
		if passed += int64(len(rec.Raw)); !rec.Row { // whose offset counts rows
			passed = rec.Offset
		}
		if passed-told < stepSize {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.s.Pool.Progress.Done(passed-told, passed-told)
		told = passed
	}
	w.sources[p.src.Number].Found += int64(n)
	w.sources[p.src.Number].Blank += int64(found.Blank())
	return w.handOver()
}

// spill spills a row.
func (w *worker) spill(src *rows.Source, r *rows.Row) error {
	if r.Bad != "" {
		r.Data = nil // the row is read again for what is wrong with it
	}
	split, key, err := w.chooser.Choose(r)
	switch {
	case err == nil && split == rows.LeftOut:
		return nil // it is left out
	case err == nil && r.Bad != "" && !w.s.Log.Tolerant():
		err = rows.BadCut(r.Bad)
	}
	if err != nil {
		return w.s.Log.AddWithout(r.Place(), err)
	}
	r.Split = split
	return w.gather(src, r, key)
}

// gather gathers a row that has a split; key is that of the columns that decide it.
func (w *worker) gather(src *rows.Source, r *rows.Row, key uint64) error {
	s := w.s
	own := s.Set.Shuffle.Key(s.Set.Space.Address(r.File, r.Offset))
	switch w.mode {
	case order.Source:
		key = s.Set.Sequence.Place(r.File, r.Offset)
	case order.Shuffled:
		key = own
	}
	if err := w.count(src, own, r); err != nil || w.gatherer == nil {
		return err
	}
	if w.collector != nil {
		if err := w.collector.Collect(r); err != nil {
			return err
		}
	}
	return w.gatherer.put(key, r, s.codes.number(r.Bad))
}
