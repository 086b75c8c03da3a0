package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"tfr-build/dataset"
	"tfr-build/internal/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// A Shard is an output file that is being built. The first written block creates the file, and the
// last one finishes it.
type Shard struct {
	Name   string
	Ranks  order.Range // ranks of its rows in the split
	Kept   bool        // nothing to do: a stopped build finished it, or another process builds it
	Sum    sink.Sum    // of the file, once it is finished
	Index  *sink.Sum   // of its index, once it is finished; nil without an index
	Report Report      // of the blocks written until now

	elsewhere bool // another process builds it

	work    *Work
	split   int                // index in the plan
	tally   *count.Accumulator // nil without statistics, and after it was merged
	counted []byte             // the encoded tally of a reused shard, until Count is called
	blocks  int
	size    int64 // estimate, uncompressed
	once    sync.Once
	file    *sink.Shard
	err     error
	done    atomic.Bool

	mu sync.Mutex // guards Report
}

// A Report says what happened to the rows of a shard. The journal has it, for a build that
// resumes.
type Report struct {
	Records int64           `json:"records"`
	Payload int64           `json:"payload"` // bytes of the records without framing
	Content dataset.Content `json:"content"`
	Written []int64         `json:"written"` // number of rows, by source
	// with groups: number of records with an invalid row, by its code
	Invalid      map[string]int64  `json:"invalid,omitempty"`
	Observations rows.Observations `json:"facts"`

	Rejects rejects.List `json:"-"` // stored in a file of their own
}

func (w *Work) newShard(split, n int, ranks order.Range) *Shard {
	return &Shard{
		Name: w.Plan.ShardName(&w.Plan.Splits[split], n), Ranks: ranks, work: w, split: split,
		Report: Report{Written: make([]int64, len(w.Set.Sources)), Observations: rows.NewObservations()},
	}
}

// ErrOther says that a finished shard does not belong to the plan.
var ErrOther = errors.New("the finished shard belongs to another plan")

// reuse takes the result of a shard that a stopped build finished.
func (s *Shard) reuse(k *sink.Reused) error {
	r, err := s.work.parseReport(k)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.Name, ErrOther, err)
	}
	s.Kept, s.Sum, s.Index, s.Report, s.counted = true, k.Sum, k.Index, r, k.Statistics
	return nil
}

// setAccumulator sets the tally of the shard: an empty one, or for a reused shard the stored one.
func (s *Shard) setAccumulator(c *count.Counting) (err error) {
	switch {
	case s.elsewhere:
	case !s.Kept:
		s.tally = c.NewShard(s.work.tallies[s.split], s.Ranks.Len())
	default:
		if s.tally, err = c.Parse(s.split, s.counted); err != nil {
			return fmt.Errorf("%s: %w: %w", s.Name, ErrOther, err)
		}
		s.work.merge(s)
	}
	return nil
}

// parseReport parses the report and the rejects of a reused shard.
func (w *Work) parseReport(k *sink.Reused) (r Report, err error) {
	if err := json.Unmarshal(k.Note, &r); err != nil {
		return r, fmt.Errorf("decoding the report: %w", err)
	}
	if len(r.Written) != len(w.Set.Sources) || r.Observations.Rows == nil {
		return r, fmt.Errorf("a report of %d sources", len(r.Written))
	}
	list, err := rejects.Decode(w.Set.Files(), k.Rejects)
	if err != nil {
		return r, err
	}
	r.Rejects = *list
	return r, nil
}

// open creates the file at the first call.
func (s *Shard) open() (*sink.Shard, error) {
	s.once.Do(func() {
		w := s.work
		hint := s.size
		if w.Set.Config.Compression != "none" {
			hint = 0 // the compressed size is not known
		}
		opt := sink.ShardOptions{Blocks: s.blocks, SizeHint: hint, Compression: w.Compression, Layout: w.newLayout(),
			Tail: w.Set.Framing.Tail, Digest: w.Digest}
		if w.Index {
			opt.Index, opt.IndexBeside = w.Set.Framing.AppendIndex, w.Set.Framing.IndexBeside
		}
		s.file, s.err = w.Stage.CreateShard(s.Name, opt)
	})
	return s.file, s.err
}

// begin makes the worker count for the shard.
func (s *Shard) begin(w *Worker) {
	if w.counter == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.counter.Begin(s.tally)
}

// count adds the worker's result of a block to the report, and resets the worker.
func (s *Shard) count(w *Worker) {
	if w.counter != nil {
		w.counter.Flush() // before the lock: other workers may count at the same time
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Report.Records += w.records
	s.Report.Payload += w.payload
	s.Report.Content.Add(w.content)
	for i, n := range w.written {
		s.Report.Written[i] += n
	}
	w.encoder.TakeObservations(&s.Report.Observations)
	if w.counter != nil {
		w.counter.End()
	}
	clear(w.written)
	w.records, w.payload, w.content = 0, 0, dataset.Content{}
}

// reject adds a rejected row to the report.
func (s *Shard) reject(r rejects.Reject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Report.Rejects.Add(r)
}

// countInvalid counts a record with an invalid row.
func (s *Shard) countInvalid(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Report.Invalid == nil {
		s.Report.Invalid = map[string]int64{}
	}
	s.Report.Invalid[code]++
}

// addRejects adds the rejected rows to a list.
func (s *Shard) addRejects(list *rejects.List) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list.AddAll(&s.Report.Rejects)
}

// Line returns the journal line of the finished shard.
func (s *Shard) Line() sink.FinishedShard { return s.file.Line() }

func (s *Shard) finished() bool { return s.Kept || s.done.Load() }

// Finish completes the file after its last block. If an invalid row made the build fail, the shard
// stays unfinished and that is not an error.
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
	note, err := json.Marshal(&s.Report)
	if err != nil {
		return fmt.Errorf("encoding the report of %s: %w", s.Name, err)
	}
	about := sink.About{Note: note, Rejects: s.Report.Rejects.Run()}
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
	return nil
}
