package spill

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/rows"
)

// A Comparison finds the rows that rules skip because of other rows, in ranges of hashes:
//
//	rows ─► what each is compared by ─► ranges of hashes ─► equal rows ─► rule ─► ranges of positions ─► decide.Skips
//
// Ranges are in memory; if they take more than Memory, they are in spill files. The result does
// not depend on the order in which rows are compared.
type Comparison struct {
	Set    *rows.Set
	Pool   *pool.Pool
	Rows   int64                // about how many rows are compared
	Memory int64                // bytes for ranges
	First  bool                 // only the first rows are compared, so most files are not read
	Step   int                  // bytes of input searched per step; 0 for the default
	ID     uint64               // differs for each run of a dataset, see IDOf; 0 if there is only one
	Known  []byte               // digests of the rows of a dataset that gets these, sorted; for rules that keep digests
	Create func() (File, error) // creates a file for ranges
	Skips  File                 // for the skipped rows

	candidates []*rows.Candidates // by number of the rule
	hashes     []*pile            // the same
}

// A HashRun describes the spill file of one comparison of several. Another process can read it as
// text.
type HashRun struct {
	ID    uint64
	Rules []RuleRun // by number
}

// A RuleRun describes what the spill file has for a rule.
type RuleRun struct {
	Segments []Segment
	Rows     []int64 // by range of hashes
}

// Count returns the number of compared rows.
func (r *HashRun) Count() (n int64) {
	for i := range r.Rules {
		for _, rows := range r.Rules[i].Rows {
			n += rows
		}
	}
	return n
}

// Check returns an error unless each rule has so many ranges.
func (r *HashRun) Check(ranges int) error {
	for i := range r.Rules {
		if n := len(r.Rules[i].Rows); n != ranges {
			return fmt.Errorf("found rows in %d ranges of hashes, expected %d", n, ranges)
		}
	}
	return nil
}

// hashEntries are the entries of compared rows: the hash as key, the position, the rank of the
// split, 1 for a short digest, and the digest as text.
func hashEntries(set *rows.Set) entries { return entries{set: set, mode: order.Keyed, header: 22} }

// Number of rows in a range of hashes, and of ranges. A range of this size fits into the cache of a
// processor.
const (
	rangeRows  = 4096
	mostRanges = 4096
)

// HashRanges returns the number of ranges for about so many rows and so many bytes of memory of a
// worker.
func HashRanges(rows, memory int64) int {
	return int(max(1, min(rows/rangeRows, memory/(4*minBlock), mostRanges)))
}

// workerShare returns the memory of a worker for what it gathers.
func (c *Comparison) workerShare() int64 { return c.Memory / int64(2*c.Pool.Size()) }

// start begins a comparison with so many ranges of hashes.
func (c *Comparison) start(ranges int) {
	file, n := newPileFile(c.ID, c.Create), int64(len(c.Set.Rules))
	for rule := range c.Set.Rules {
		c.candidates = append(c.candidates, c.Set.NewCandidates(rule))
		p := newPile(hashEntries(c.Set), keyRanges(ranges), c.Pool.Size(), c.workerShare()/n, file)
		c.hashes = append(c.hashes, p)
	}
}

// A compareWorker compares rows, in one goroutine.
type compareWorker struct {
	comparer *rows.Comparer
	to       []*gatherer // by number of the rule
	of       rows.Compared
	row      rows.Row

	ahead    *rows.ReadAhead      // nil if no source has any
	upcoming [filesAhead]rows.Row // files that were requested and are not compared yet
	added    int                  // number of files that were added to upcoming
	read     int                  // number of them that were compared
}

// filesAhead is the number of files that a worker requests before it reads them. filesAtOnce of them
// are requested at once.
const (
	filesAhead  = 64
	filesAtOnce = filesAhead / 4
)

func (c *Comparison) newWorker(i int) *compareWorker {
	w := &compareWorker{comparer: c.Set.NewComparer(c.candidates), ahead: rows.NewReadAhead(c.Set)}
	for _, p := range c.hashes {
		w.to = append(w.to, p.workers[i])
	}
	return w
}

// compare adds a row to its ranges of hashes. A row that is a file is only requested: it is compared
// when filesAhead others are, or by flush.
func (w *compareWorker) compare(r *rows.Row) error {
	if ok, err := w.comparer.Choose(r); !ok || err != nil {
		return err
	}
	if w.ahead == nil || !w.comparer.ReadsFile(r) {
		return w.gather(r)
	}
	if w.added%filesAhead == 0 {
		w.ahead.Helps(filesAhead)
	}
	if w.added-w.read == filesAhead {
		if err := w.compareNext(); err != nil {
			return err
		}
	}
	w.upcoming[w.added%filesAhead] = *r
	w.ahead.Add(r)
	if w.added++; w.added%filesAtOnce == 0 {
		w.ahead.Start()
	}
	return nil
}

// compareNext compares the file that was requested first.
func (w *compareWorker) compareNext() error {
	w.read++
	return w.gather(&w.upcoming[(w.read-1)%filesAhead])
}

// flush compares the files that were requested.
func (w *compareWorker) flush() error {
	if w.ahead != nil {
		w.ahead.Start()
	}
	for w.read < w.added {
		if err := w.compareNext(); err != nil {
			return err
		}
	}
	return nil
}

// gather reads a row, and adds it to its range of hashes for each rule.
func (w *compareWorker) gather(r *rows.Row) error {
	for rule, to := range w.to {
		ok, err := w.comparer.Compare(r, rule, &w.of)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		// One by one: to copy a struct at once waits for the fields that were just set.
		w.row.File, w.row.Offset, w.row.Data, w.row.Split = r.File, r.Offset, w.of.Digest, w.of.Rank
		short := byte(0)
		if w.of.Short {
			short = 1
		}
		if err := to.put(w.of.Hash, &w.row, &rows.Pending{}, short); err != nil {
			return err
		}
	}
	return nil
}

// Found compares rows that were found in place. each calls visit for each row, on all workers.
func (c *Comparison) Found(ctx context.Context, each func(visit func(worker int, r *rows.Row) error) error) (
	*decide.Skips, error) {
	c.start(HashRanges(c.Rows, c.workerShare()))
	if !c.First {
		if err := c.narrow(ctx); err != nil {
			return nil, err
		}
	}
	workers := make([]*compareWorker, c.Pool.Size())
	defer func() {
		for _, w := range workers {
			if w != nil {
				w.comparer.Close()
			}
		}
	}()
	err := each(func(worker int, r *rows.Row) error {
		if workers[worker] == nil {
			workers[worker] = c.newWorker(worker)
		}
		return workers[worker].compare(r)
	})
	if err == nil {
		err = c.Pool.Each(ctx, len(workers), func(_, i int) error {
			if workers[i] == nil {
				return nil
			}
			return workers[i].flush()
		})
	}
	if err != nil {
		return nil, err
	}
	return c.match(ctx)
}

// narrow keeps the files that begin like another one.
func (c *Comparison) narrow(ctx context.Context) error {
	for _, candidates := range c.candidates {
		err := candidates.Narrow(c.Pool.Size(), func(n int, do func(worker, i int) error) error {
			c.Pool.Progress.Start(pool.ComparingRows, int64(n))
			return c.Pool.Each(ctx, n, func(worker, i int) error {
				c.Pool.Progress.Done(1, 0)
				return do(worker, i)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Read reads pieces of the input, and compares their rows.
func (c *Comparison) Read(ctx context.Context, pieces []InputRange) (*decide.Skips, error) {
	c.start(HashRanges(c.Rows, c.workerShare()))
	if err := c.read(ctx, pieces); err != nil {
		return nil, err
	}
	return c.match(ctx)
}

// ReadTo reads pieces of the input, and writes what their rows are compared by to the spill file
// that Create returns.
func (c *Comparison) ReadTo(ctx context.Context, pieces []InputRange, ranges int) (*HashRun, error) {
	c.start(ranges)
	if err := c.read(ctx, pieces); err != nil {
		return nil, err
	}
	run := &HashRun{ID: c.ID}
	for _, p := range c.hashes {
		if err := p.finish(true); err != nil {
			return nil, err
		}
		run.Rules = append(run.Rules, RuleRun{p.run.segments, p.totals})
	}
	return run, nil
}

func (c *Comparison) read(ctx context.Context, pieces []InputRange) error {
	s := &Scan{Set: c.Set, Pool: c.Pool, Pieces: pieces, Step: c.Step, Memory: c.Memory}
	_, err := s.read(ctx, func(i int) (*worker, error) {
		w := s.newReader()
		w.compares = c.newWorker(i)
		return w, nil
	})
	return err
}

// A comparedRows describes the compared rows of a rule, by ranges of hashes.
type comparedRows struct {
	each   eachRange
	totals []int64
}

// match finds the skipped rows among the gathered ones.
func (c *Comparison) match(ctx context.Context) (*decide.Skips, error) {
	var list []comparedRows
	for _, p := range c.hashes {
		if err := p.finish(false); err != nil {
			return nil, err
		}
		list = append(list, comparedRows{p.eachRange, p.totals})
	}
	c.hashes = nil // list has what is left, and loses it rule by rule
	return c.matchAll(ctx, list)
}

// MatchRuns finds the skipped rows among the rows of several spill files, and writes them to the
// file that Create returns.
func (c *Comparison) MatchRuns(ctx context.Context, runs []HashRun, files []File) (*decide.Skips, error) {
	list := make([]comparedRows, len(c.Set.Rules))
	for rule := range list {
		set, of := &runSet{}, &list[rule]
		for i := range runs {
			if len(runs[i].Rules) != len(list) {
				return nil, fmt.Errorf("found the rows of %d rules, expected %d", len(runs[i].Rules), len(list))
			}
			run := &runs[i].Rules[rule]
			set.runs = append(set.runs, storedRun{Part{ID: runs[i].ID, Segments: run.Segments}, files[i]})
			if of.totals == nil {
				of.totals = make([]int64, len(run.Rows))
			}
			for b, n := range run.Rows {
				of.totals[b] += n
			}
		}
		of.each = set.eachRange
	}
	return c.matchAll(ctx, list)
}

// leastSorted is the memory, in bytes, that is always used to match or sort a range.
const leastSorted = 64 << 10

// matchAll applies the rules, one after another.
func (c *Comparison) matchAll(ctx context.Context, list []comparedRows) (*decide.Skips, error) {
	w := &decide.Writer{Memory: c.Memory / 4, File: c.Skips}
	for rule := range list {
		before, err := w.Begin()
		if err == nil {
			err = c.matchRule(ctx, rule, &list[rule], before, w)
		}
		if err != nil {
			return nil, err
		}
	}
	return w.Finish()
}

// matchRule applies a rule, to one range of hashes after another. Rows of before are not there for the rule.
func (c *Comparison) matchRule(ctx context.Context, rule int, of *comparedRows, before *decide.Skips,
	w *decide.Writer) error {
	ranges := sourceRanges(c.Set, HashRanges(c.Rows, c.workerShare()))
	file := newPileFile(c.ID, c.Create)
	listed := newPile(entries{set: c.Set, mode: order.Source, header: 14}, ranges, c.Pool.Size(), c.workerShare(), file)
	limit := max(c.Memory/4, leastSorted)
	workers := int(max(1, min(int64(c.Pool.Size()), limit/max(1, slices.Max(of.totals)*tableRow))))
	matchers := make([]*matcher, workers)
	c.Pool.Progress.Start(pool.ComparingRows, int64(len(of.totals)))
	err := c.Pool.EachOf(ctx, workers, len(of.totals), func(worker, b int) error {
		if matchers[worker] == nil {
			matchers[worker] = &matcher{
				rule: c.Set.Rules[rule], entries: hashEntries(c.Set), each: of.each, to: listed.workers[worker],
				before: before.Cursor(), most: int(max(1, limit/tableRow/int64(2*workers))), known: c.Known,
			}
		}
		c.Pool.Progress.Done(1, 0)
		return matchers[worker].matchRange(ctx, b, 1+of.totals[b]*tableRow/limit)
	})
	if err == nil {
		err = listed.finish(false)
	}
	of.each = nil // its memory is free
	if err != nil {
		return err
	}
	l := lister{pile: listed, most: int(limit / pairSize / 2)}
	for b := range listed.totals {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := l.listRange(b, w); err != nil {
			return err
		}
	}
	if !c.Set.Rules[rule].Keeps {
		return nil
	}
	return w.Keep(sortedDigests(matchers))
}

// A lister sorts ranges of positions.
type lister struct {
	pile   *pile
	most   int // pairs that are sorted at once
	reader reader
	pairs  []pair
}

// A pair is the position of a skipped row and of the first row that equals it.
type pair struct{ skipped, first uint64 }

const pairSize = 16

// listRange adds the skipped rows of a range of positions in order.
func (l *lister) listRange(b int, w *decide.Writer) (err error) {
	const size = 14 + 8
	byPosition := func(a, b pair) int { return cmp.Compare(a.skipped, b.skipped) }
	l.pairs, err = visitInOrder(l.pairs, l.most, byPosition, func(add func(pair)) error {
		return l.pile.eachRange(&l.reader, b, func(data []byte) error {
			for ; len(data) >= size; data = data[size:] {
				add(pair{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[14:])})
			}
			return nil
		})
	}, func(p *pair) error { return w.Add(p.skipped, p.first) })
	return err
}
