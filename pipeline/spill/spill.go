package spill

import (
	"context"
	"io"
	"math"
	"sync"

	"tfr-build/internal/pool"
	"tfr-build/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

// A Spill is the rows of a dataset in runs.
type Spill struct {
	Set   *rows.Set
	Pool  *pool.Pool
	Log   *rejects.Log
	Stage *sink.Stage // nil where rows are only counted
	Limit int64       // of a run, with its index

	runs    *partition // nil where rows are only counted
	held    []*held    // by run, once they are planned for
	codes   codes
	entries entryReader // of runs that are read row by row

	sources []plan.Source
	classes map[string][]string // collected; nil where there are none to collect, or some are lacking
	mu      sync.Mutex
	splits  []counted  // by number
	large   sync.Mutex // held while a large row is measured
}

// A counted is what the pass learns of a split.
type counted struct {
	plan.Counted
	sample plan.Sample
}

// A worker is what one goroutine of the pass needs.
type worker struct {
	s         *Spill
	chooser   *rows.Chooser
	collector *rows.Collector // nil where there is nothing to collect
	encoder   *rows.Encoder   // that measures the rows of samples; nil until the first
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

// Pass reads all rows once, into runs: in source order where runs are filled one
// after another. counted is called with the number of rows of each source.
func (s *Spill) Pass(ctx context.Context, counted func([]plan.Source) error) error {
	s.sources = make([]plan.Source, len(s.Set.Sources))
	if err := s.begin(); err != nil {
		return err
	}
	vocabulary := s.Set.NewVocabulary()
	workers, err := s.workers(vocabulary)
	defer func() {
		for _, w := range workers {
			w.close()
		}
	}()
	if err != nil {
		return err
	}
	s.Pool.Progress.Start("spilling", s.Set.Footprint().Text)
	err = s.Pool.EachOf(ctx, len(workers), s.Set.Files(), func(i, file int) error { return workers[i].file(ctx, file) })
	if err != nil {
		return err
	}
	for i := range s.splits {
		split := &s.splits[i]
		split.Mean, split.Candidates = split.sample.Mean(), count.Candidates(s.Set, split.sample.Records())
		split.sample = plan.NewSample(rows.SampleSize(s.Set))
	}
	s.classes, _ = vocabulary.Names()
	if err := counted(s.sources); err != nil {
		return err
	}
	return s.keep()
}

// workers are those of the pass: one where runs are filled one after another.
func (s *Spill) workers(v *rows.Vocabulary) (list []*worker, err error) {
	n := s.Pool.Size()
	if s.runs != nil && s.runs.limit > 0 {
		n = 1
	}
	for range n {
		w := &worker{s: s, chooser: s.Set.NewChooser()}
		list = append(list, w)
		if s.runs != nil && len(s.Set.Classes.Auto()) > 0 {
			if w.collector, err = v.NewCollector(); err != nil {
				return list, err
			}
		}
	}
	return list, nil
}

// maxRuns is how many runs a pass makes at most.
const maxRuns = 32

// begin makes the runs.
func (s *Spill) begin() (err error) {
	switch {
	case s.Stage == nil:
		return nil
	case s.Set.Mode() == order.Source:
		s.runs = &partition{s: s, name: "run-", limit: s.Limit}
		return s.runs.add()
	}
	n := min(max(1, 1+int(s.Set.Footprint().Text*3/2/s.Limit)), maxRuns)
	s.runs, err = s.newPartition("run-", n, 0, math.MaxUint64, func(key uint64, _ int, _ int64) uint64 { return key })
	return err
}

// windowSize is after how many bytes a pass says how far it is, and sees
// whether it is to stop.
const windowSize = 1 << 20

// file spills the rows of a file.
func (w *worker) file(ctx context.Context, file int) error {
	s := w.s
	src, local := s.Set.File(file)
	found, err := src.Rows(local)
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
			err = w.record(src, file, rec)
		}
		if err != nil {
			return err
		}
		n++
		if passed += int64(len(rec.Raw)); !rec.Row { // whose offset counts rows
			passed = rec.Offset
		}
		if passed-told < windowSize {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s.Pool.Progress.Done(passed-told, passed-told)
		told = passed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sources[src.Number].Found += int64(n)
	s.sources[src.Number].Blank += int64(found.Blank())
	return nil
}

// record spills one row.
func (w *worker) record(src *rows.Source, file int, rec *input.Record) error {
	r := rows.Of(file, rec)
	if r.Bad != "" {
		r.Data = nil // the row is read again for what is wrong with it
		if src.Decides() || !w.s.Log.Tolerant() {
			return w.s.Log.AddWithout(r.Place(), rows.BadCut(r.Bad))
		}
	}
	return w.place(src, &r)
}

// place decides a row's split and key, and puts it into its run.
func (w *worker) place(src *rows.Source, r *rows.Row) error {
	s := w.s
	split, key, err := w.chooser.Choose(r)
	if err != nil {
		return s.Log.AddWithout(r.Place(), err)
	}
	r.Split = split
	own := s.Set.Shuffle.Key(s.Set.Space.Address(r.File, r.Offset))
	switch s.Set.Mode() {
	case order.Source:
		key = s.Set.Sequence.Place(r.File, r.Offset)
	case order.Shuffled:
		key = own
	}
	if err := w.count(src, own, r); err != nil || s.runs == nil {
		return err
	}
	if w.collector != nil {
		if err := w.collector.Collect(r); err != nil {
			return err
		}
	}
	return s.runs.put(key, r)
}

// count counts a row of its split, and measures it if its key is among the
// lowest.
func (w *worker) count(src *rows.Source, key uint64, r *rows.Row) error {
	if !w.s.tell(src, key, r) {
		return nil
	}
	size, record, err := w.measure(r)
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.splits[r.Split].sample.Add(key, size, record)
	return err
}

// largeRow is how many bytes of text make a row that is measured alone: each takes
// several times as many.
const largeRow = 4 << 20

// measure is the size of a row as a record, and the record where it is kept.
func (w *worker) measure(r *rows.Row) (size plan.Size, record []byte, err error) {
	e := w.encoder
	switch {
	case len(r.Data) >= largeRow:
		w.s.large.Lock()
		defer w.s.large.Unlock()
		e = w.s.Set.NewEncoder()
		defer e.Close()
	case e == nil:
		e = w.s.Set.NewEncoder()
		w.encoder = e
	}
	if size, err = e.Measure(r); err == nil && size.Record > 0 {
		record = plan.Kept(e.Measured())
	}
	return size, record, err
}

// tell counts a row; it reports whether the sample takes it.
func (s *Spill) tell(src *rows.Source, key uint64, r *rows.Row) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.splits) <= int(r.Split) {
		s.splits = append(s.splits, counted{sample: plan.NewSample(rows.SampleSize(s.Set))})
	}
	split := &s.splits[r.Split]
	split.Rows++
	if src.TellsSizes() {
		_, local := s.Set.File(r.File)
		split.Listed += uint64(src.RowSize(local))
	} else {
		split.Measured++
	}
	return split.sample.Takes(key)
}

// Classes are the names that the pass collected; ok is false where some are
// lacking.
func (s *Spill) Classes() (names map[string][]string, ok bool) { return s.classes, s.classes != nil }

// Count is what was found of each source, and of each split in the order of the
// dataset.
func (s *Spill) Count() ([]plan.Source, []plan.Counted, error) {
	var list []plan.Counted
	for _, n := range s.Set.Splits.Sorted() {
		c := plan.Counted{}
		if n < len(s.splits) {
			c = s.splits[n].Counted
		}
		c.Name = s.Set.Splits.Name(uint8(n))
		list = append(list, c)
	}
	return s.sources, list, nil
}

// SetKeys sets nothing: the keys of shards are known when a run is loaded.
func (s *Spill) SetKeys(*plan.Plan) {}

// keep completes the runs, and notes that they are, with what the pass learned.
func (s *Spill) keep() error {
	if s.runs == nil {
		return nil
	}
	files := make([]*sink.Run, len(s.runs.runs))
	for i, run := range s.runs.runs {
		if err := run.close(); err != nil {
			return err
		}
		files[i] = run.file
	}
	if s.Log.Failed() || s.classes == nil {
		return nil // nobody resumes with them
	}
	note, err := s.catalogue().encode()
	if err != nil {
		return err
	}
	return s.Stage.KeepRuns(files, note)
}

// Each calls visit for every row of every run, one after another.
func (s *Spill) Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	for _, run := range s.runs.runs {
		for entry := range s.entries.of(run) {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			if entry.err != nil {
				return entry.err
			}
			_, r, bad, _ := parseEntry(entry.data)
			r.Bad = s.codes.name(bad)
			if err := visit(0, &r); err != nil {
				return err
			}
		}
	}
	return nil
}
