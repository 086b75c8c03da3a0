package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/tfrecord"
)

// A Shard is one output file in the making. It is opened by the first of its
// blocks that is written and finished after the last.
type Shard struct {
	Name   string
	Ranks  order.Range // of its rows in its split
	Kept   bool        // there is nothing to do: a stopped run finished it, or another process makes it
	Sum    sink.Sum    // of the file, when it is finished
	Index  *sink.Sum   // of its index, likewise; nil where it has none
	Report Report      // of the blocks that are done

	// Released is called when the shard is finished: nobody reads its rows again.
	// It may be nil.
	Released func() error

	elsewhere bool // another process makes it

	work    *Work
	split   int          // of the plan
	tally   *count.Tally // nil where nothing is counted, and after it was merged
	counted []byte       // of a shard that is kept, its tally, until what is counted is known
	blocks  int
	size    int64 // about, uncompressed
	once    sync.Once
	file    *sink.Shard
	err     error
	done    atomic.Bool

	mu sync.Mutex // of Report
}

// A Report is what has become of the rows of a shard. It is kept with the shard,
// for a run that resumes.
type Report struct {
	Records int64      `json:"records"`
	Payload int64      `json:"payload"` // bytes of the Examples alone
	Written []int64    `json:"written"` // rows, by source
	Facts   rows.Facts `json:"facts"`

	Rejects []rejects.Reject `json:"-"` // kept in a file of their own
}

func (w *Work) newShard(split, n int, ranks order.Range) *Shard {
	return &Shard{
		Name: w.Plan.ShardName(&w.Plan.Splits[split], n), Ranks: ranks, work: w, split: split,
		Report: Report{Written: make([]int64, len(w.Set.Sources)), Facts: rows.NewFacts()},
	}
}

// ErrOther says that a finished shard belongs to another plan.
var ErrOther = errors.New("the finished shard belongs to another plan")

// keep takes what a stopped run finished of the shard.
func (s *Shard) keep(k *sink.Kept) error {
	r, err := s.work.parseReport(k)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.Name, ErrOther, err)
	}
	s.Kept, s.Sum, s.Index, s.Report, s.counted = true, k.Sum, k.Index, r, k.Statistics
	return nil
}

// countBy gives the shard its tally: an empty one, or of a shard that is kept what was
// counted of it.
func (s *Shard) countBy(c *count.Counting) (err error) {
	switch {
	case s.elsewhere:
	case !s.Kept:
		s.tally = c.NewTally(s.split)
	default:
		if s.tally, err = c.Parse(s.split, s.counted); err != nil {
			return fmt.Errorf("%s: %w: %w", s.Name, ErrOther, err)
		}
		s.work.merge(s)
	}
	return nil
}

func (w *Work) parseReport(k *sink.Kept) (r Report, err error) {
	if err := json.Unmarshal(k.Note, &r); err != nil {
		return r, fmt.Errorf("decoding the report: %w", err)
	}
	if len(r.Written) != len(w.Set.Sources) || r.Facts.Rows == nil {
		return r, fmt.Errorf("a report of %d sources", len(r.Written))
	}
	r.Rejects, err = rejects.Parse(k.Rejects, w.Set.Files())
	return r, err
}

// open creates the file, once.
func (s *Shard) open() (*sink.Shard, error) {
	s.once.Do(func() {
		w := s.work
		hint := s.size
		if w.Set.Config.Compression != "none" {
			hint = 0
		}
		opt := sink.ShardOptions{Blocks: s.blocks, SizeHint: hint, Compression: w.Compression, Layout: w.newLayout(), Digest: w.Digest}
		if w.Index {
			opt.Index = tfrecord.AppendIndex
		}
		s.file, s.err = w.Stage.CreateShard(s.Name, opt)
	})
	return s.file, s.err
}

// begin has a worker count for the shard.
func (s *Shard) begin(w *Worker) {
	if w.counter == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.counter.Begin(s.tally)
}

// count adds what a worker did of a block, and has the worker begin anew.
func (s *Shard) count(w *Worker) {
	if w.counter != nil {
		w.counter.Flush() // while others may count, too
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Report.Records += w.records
	s.Report.Payload += w.payload
	for i, n := range w.written {
		s.Report.Written[i] += n
	}
	w.encoder.TakeFacts(&s.Report.Facts)
	if w.counter != nil {
		w.counter.End()
	}
	clear(w.written)
	w.records, w.payload = 0, 0
}

// reject notes a row that the shard lacks.
func (s *Shard) reject(r rejects.Reject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Report.Rejects = append(s.Report.Rejects, r)
}

func (s *Shard) rejected() []rejects.Reject {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.Report.Rejects)
}

// Line says what Finish made, for the sink.
func (s *Shard) Line() sink.LeftShard { return s.file.Line() }

func (s *Shard) finished() bool { return s.Kept || s.done.Load() }

// Finish completes the file after its last block. Where a row ended the run, so
// that nothing is written any more, the shard stays as it is.
func (s *Shard) Finish() error {
	err := s.finish()
	if err != nil && s.work.Log.Failed() {
		return nil
	}
	return err
}

func (s *Shard) finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	rejects.Sort(s.Report.Rejects)
	note, err := json.Marshal(&s.Report)
	if err != nil {
		return fmt.Errorf("encoding the report of %s: %w", s.Name, err)
	}
	about := sink.About{Note: note, Rejects: rejects.Append(nil, s.Report.Rejects)}
	if s.tally != nil {
		about.Statistics = s.tally.Append(nil)
	}
	if s.Sum, err = s.file.Finish(s.work.writing, about); err != nil {
		return err
	}
	if line := s.file.Line(); line.Index != nil {
		s.Index = &line.Index.Sum
	}
	s.work.merge(s)
	s.done.Store(true)
	if s.Released == nil {
		return nil
	}
	return s.Released()
}
