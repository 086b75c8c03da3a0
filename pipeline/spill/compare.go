package spill

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/pipeline/rows"
)

// A Comparison finds the rows that `dedupe` skips, in ranges of hashes:
//
//	rows ─► what each is compared by ─► ranges of hashes ─► equal rows ─► ranges of positions ─► rows.Duplicates
//
// Ranges are in memory; if they take more than Memory, they are in spill files. The result does
// not depend on the order in which rows are compared.
type Comparison struct {
	Set    *rows.Set
	Pool   *pool.Pool
	Rows   int64  // about how many rows are compared
	Memory int64  // bytes for ranges
	First  bool   // only the first rows are compared, so most files are not read
	Step   int    // bytes of input searched per step; 0 for the default
	ID     uint64 // differs for each run of a dataset, see IDOf; 0 if there is only one
	// Create creates a spill file; it is called for one after another. It is nil if nothing may be
	// written: then Memory does not count.
	Create func(name string) (File, error)

	candidates *rows.Candidates
	hashes     *pile
	listed     *pile
}

// A HashRun describes the spill file of one comparison of several. Another process can read it as
// text.
type HashRun struct {
	ID       uint64
	Segments []Segment
	Rows     []int64 // by range of hashes
}

// DuplicatesName is the name of the file of the duplicates, for Create. The other files are
// temporary.
const DuplicatesName = "duplicates"

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

// share returns one of n shares of the memory.
func (c *Comparison) share(n int) int64 {
	if c.Create == nil {
		return math.MaxInt32 << 16 // nothing may be written, so all is in memory
	}
	return c.Memory / int64(n)
}

// workerShare returns the memory of a worker for what it gathers.
func (c *Comparison) workerShare() int64 { return c.share(2 * c.Pool.Size()) }

// newPile returns a pile for the workers of the comparison.
func (c *Comparison) newPile(e entries, ranges *RangeTable, name string) *pile {
	return newPile(e, ranges, c.Pool.Size(), c.workerShare(), c.ID, func() (File, error) { return c.Create(name) })
}

// start begins a comparison with so many ranges of hashes.
func (c *Comparison) start(ranges int) {
	c.candidates = c.Set.NewCandidates()
	c.hashes = c.newPile(hashEntries(c.Set), &RangeTable{buckets: ranges, by: byKey}, "hashes")
}

// A compareWorker compares rows, in one goroutine.
type compareWorker struct {
	comparer *rows.Comparer
	to       *gatherer
	of       rows.Compared
	row      rows.Row

	ahead    *rows.ReadAhead // nil if no source has any
	upcoming [filesAhead]upcoming
	added    int // number of files that were added to upcoming
	read     int // number of them that were compared
}

// An upcoming is a file that was requested and is not compared yet.
type upcoming struct {
	row  rows.Row
	rank uint8
}

// filesAhead is the number of files that a worker requests before it reads them. filesAtOnce of them
// are requested at once.
const (
	filesAhead  = 64
	filesAtOnce = filesAhead / 4
)

func (c *Comparison) newWorker(i int) *compareWorker {
	return &compareWorker{comparer: c.Set.NewComparer(c.candidates), to: c.hashes.workers[i], ahead: rows.NewReadAhead(c.Set)}
}

// compare adds a row to its range of hashes. A row that is a file is only requested: it is compared
// when filesAhead others are, or by flush.
func (w *compareWorker) compare(r *rows.Row) error {
	if ok, err := w.comparer.Rank(r, &w.of); !ok || err != nil {
		return err
	}
	if w.ahead == nil || !w.comparer.ReadsFile(r) {
		return w.gather(r)
	}
	rank := w.of.Rank // of r, not of the file that is compared next
	if w.added%filesAhead == 0 {
		w.ahead.Helps(filesAhead)
	}
	if w.added-w.read == filesAhead {
		if err := w.compareNext(); err != nil {
			return err
		}
	}
	w.upcoming[w.added%filesAhead] = upcoming{*r, rank}
	w.ahead.Add(r)
	if w.added++; w.added%filesAtOnce == 0 {
		w.ahead.Start()
	}
	return nil
}

// compareNext compares the file that was requested first.
func (w *compareWorker) compareNext() error {
	next := &w.upcoming[w.read%filesAhead]
	w.read++
	w.of.Rank = next.rank
	return w.gather(&next.row)
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

// gather reads a row, and adds it to its range of hashes.
func (w *compareWorker) gather(r *rows.Row) error {
	if ok, err := w.comparer.Compare(r, &w.of); !ok || err != nil {
		return err
	}
	// One by one: to copy a struct at once waits for the fields that were just set.
	w.row.File, w.row.Offset, w.row.Data, w.row.Split = r.File, r.Offset, w.of.Digest, w.of.Rank
	short := byte(0)
	if w.of.Short {
		short = 1
	}
	return w.to.put(w.of.Hash, &w.row, &rows.Pending{}, short)
}

// Found compares rows that were found in place. each calls visit for each row, on all workers.
func (c *Comparison) Found(ctx context.Context, each func(visit func(worker int, r *rows.Row) error) error) (*rows.Duplicates, error) {
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
	return c.candidates.Narrow(c.Pool.Size(), func(n int, do func(worker, i int) error) error {
		c.Pool.Progress.Start(pool.ComparingRows, int64(n))
		return c.Pool.Each(ctx, n, func(worker, i int) error {
			c.Pool.Progress.Done(1, 0)
			return do(worker, i)
		})
	})
}

// Read reads pieces of the input, and compares their rows.
func (c *Comparison) Read(ctx context.Context, pieces []InputRange) (*rows.Duplicates, error) {
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
	if err := c.hashes.finish(true); err != nil {
		return nil, err
	}
	return &HashRun{c.ID, c.hashes.run.segments, c.hashes.totals}, nil
}

func (c *Comparison) read(ctx context.Context, pieces []InputRange) error {
	s := &Scan{Set: c.Set, Pool: c.Pool, Step: c.Step, Memory: c.Memory}
	return s.read(ctx, pieces, func(i int) (*worker, error) {
		w := s.newReader()
		w.compares = c.newWorker(i)
		return w, nil
	}, func([]*worker) {})
}

// match finds the duplicates among the gathered rows.
func (c *Comparison) match(ctx context.Context) (*rows.Duplicates, error) {
	if err := c.hashes.finish(false); err != nil {
		return nil, err
	}
	return c.matchAll(ctx, c.hashes.eachRange, c.hashes.totals)
}

// MatchRuns finds the duplicates among the rows of several spill files, and writes them to the
// file that Create returns.
func (c *Comparison) MatchRuns(ctx context.Context, runs []HashRun, files []File) (*rows.Duplicates, error) {
	set := &runSet{}
	totals := make([]int64, len(runs[0].Rows))
	for i := range runs {
		set.runs = append(set.runs, storedRun{Part{ID: runs[i].ID, Segments: runs[i].Segments}, files[i]})
		for b, n := range runs[i].Rows {
			totals[b] += n
		}
	}
	return c.matchAll(ctx, set.eachRange, totals)
}

// leastSorted is the memory, in bytes, that is always used to match or sort a range.
const leastSorted = 64 << 10

// matchAll finds equal rows, one range of hashes after another.
func (c *Comparison) matchAll(ctx context.Context, each eachRange, totals []int64) (*rows.Duplicates, error) {
	ranges := sourceRanges(c.Set, HashRanges(c.Rows, c.workerShare()))
	c.listed = c.newPile(entries{set: c.Set, mode: order.Source, header: 14}, ranges, "positions")
	limit := max(c.share(4), leastSorted)
	workers := int(max(1, min(int64(c.Pool.Size()), limit/max(1, slices.Max(totals)*tableRow))))
	matchers := make([]*matcher, workers)
	c.Pool.Progress.Start(pool.ComparingRows, int64(len(totals)))
	err := c.Pool.EachOf(ctx, workers, len(totals), func(worker, b int) error {
		if matchers[worker] == nil {
			matchers[worker] = &matcher{entries: hashEntries(c.Set), each: each, to: c.listed.workers[worker]}
		}
		c.Pool.Progress.Done(1, 0)
		return matchers[worker].matchRange(ctx, b, 1+totals[b]*tableRow/limit)
	})
	if err == nil {
		err = c.listed.finish(false)
	}
	if err != nil {
		return nil, err
	}
	c.hashes = nil // their memory is free
	return c.list(ctx)
}

// list sorts the duplicates by their position. They are in a file, if one may be written.
func (c *Comparison) list(ctx context.Context) (*rows.Duplicates, error) {
	w := rows.DuplicateWriter{Memory: c.share(4)}
	if c.Create != nil {
		w.Create = func() (File, error) { return c.Create(DuplicatesName) }
	}
	l := lister{pile: c.listed, limit: max(c.share(4), leastSorted)}
	for b := range c.listed.totals {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := l.listRange(b, &w); err != nil {
			return nil, err
		}
	}
	c.listed = nil
	return w.Finish()
}

// A lister sorts ranges of positions.
type lister struct {
	pile   *pile
	limit  int64 // bytes sorted at once
	reader reader
	pairs  []pair
}

// A pair is the position of a skipped row and of the row that stays.
type pair struct{ skipped, stays uint64 }

const pairSize = 16

// listRange adds the duplicates of a range of positions in order. It reads a range that does not
// fit the memory several times, for a part of the positions each.
func (l *lister) listRange(b int, w *rows.DuplicateWriter) error {
	if l.pile.totals[b] == 0 {
		return nil
	}
	first, last := ^uint64(0), uint64(0)
	err := l.each(b, func(p pair) { first, last = min(first, p.skipped), max(last, p.skipped) })
	parts := uint64(1 + l.pile.totals[b]*pairSize/l.limit)
	width := (last-first)/parts + 1
	for part := uint64(0); part < parts && err == nil; part++ {
		err = l.listPart(b, first+part*width, width, w)
	}
	return err
}

// listPart adds the duplicates of a range whose positions are in from … from+width-1.
func (l *lister) listPart(b int, from, width uint64, w *rows.DuplicateWriter) error {
	l.pairs = l.pairs[:0]
	err := l.each(b, func(p pair) {
		if p.skipped-from < width {
			l.pairs = append(l.pairs, p)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(l.pairs, func(a, b pair) int { return cmp.Compare(a.skipped, b.skipped) })
	for _, p := range l.pairs {
		if err := w.Add(p.skipped, p.stays); err != nil {
			return err
		}
	}
	return nil
}

// each calls visit for the duplicates of a range of positions.
func (l *lister) each(b int, visit func(pair)) error {
	const size = 14 + 8
	return l.pile.eachRange(&l.reader, b, func(data []byte) error {
		for ; len(data) >= size; data = data[size:] {
			visit(pair{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[14:])})
		}
		return nil
	})
}
