package spill

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/pipeline/task"
)

// A held run stays until all shards that hold rows of it are finished: a run of the
// program that resumes needs it for those that are not.
type held struct {
	run    *run
	end    []int        // by split: the rank after the last of its rows
	shards atomic.Int64 // that are not finished
}

// release gives up the run when no other shard needs it.
func (h *held) release() error {
	if h.shards.Add(-1) > 0 {
		return nil
	}
	return h.run.remove()
}

// hold finds the shards that each run holds rows of.
func (s *Spill) hold(work *task.Work) []*held {
	if s.held != nil {
		return s.held
	}
	end := make([]int, len(s.Set.Splits.Names()))
	for _, run := range s.runs.runs {
		from := append([]int(nil), end...)
		for i, n := range run.rows {
			end[i] += n
		}
		h := &held{run: run, end: append([]int(nil), end...)}
		for i, shards := range work.Shards() {
			n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
			h.holdFor(shards, order.Range{From: from[n], To: end[n]})
		}
		s.held = append(s.held, h)
	}
	return s.held
}

// holdFor has the shards of a split that hold some of its rows keep h.
func (h *held) holdFor(shards []*task.Shard, rows order.Range) {
	for _, sh := range shards {
		if r := sh.Ranks; !sh.Kept && r.From < rows.To && rows.From < r.To {
			before := sh.Released
			sh.Released = func() error {
				if before != nil {
					if err := before(); err != nil {
						return err
					}
				}
				return h.release()
			}
			h.shards.Add(1)
		}
	}
}

// A dispatcher hands out the blocks of the runs, run by run. Two runs are in
// memory at once: one is read while the other is written out.
type dispatcher struct {
	s      *Spill
	give   task.Give
	blocks [][]task.Block // by number of the split, those that are not handed out yet
	done   []int          // by split, ranks that earlier runs held
	carry  []byte         // entries of rows whose block is not whole
	room   int64          // for the largest run there may be and what is left over
	free   chan *loaded
	space  sortSpace
	again  int            // times that runs were repartitioned
	busy   sync.WaitGroup // of runs that workers read
}

// Dispatch loads the runs one after another and hands out their blocks. It returns
// when all are handed out, or with the error of give.
func (s *Spill) Dispatch(ctx context.Context, work *task.Work, give task.Give) error {
	splits := len(s.Set.Splits.Names())
	d := &dispatcher{s: s, give: give, blocks: make([][]task.Block, splits), done: make([]int, splits), free: make(chan *loaded, 2)}
	d.free <- &loaded{codes: &s.codes}
	d.free <- &loaded{codes: &s.codes}
	for i, shards := range work.Shards() {
		n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
		for _, sh := range shards {
			d.blocks[n] = append(d.blocks[n], work.Blocks(i, sh, nil)...)
		}
	}
	s.hold(work) // before the first shard can be finished
	defer d.busy.Wait()
	return d.all(ctx)
}

// all hands out all blocks.
func (d *dispatcher) all(ctx context.Context) error {
	if err := d.empty(); err != nil {
		return err
	}
	for _, h := range d.s.held {
		d.room = min(d.room+h.run.bytes, 2*d.s.Limit)
	}
	for _, h := range d.s.held {
		if err := d.held(ctx, h); err != nil {
			return err
		}
	}
	if len(d.carry) > 0 {
		return fmt.Errorf("internal error: %d bytes of rows belong to no block", len(d.carry))
	}
	return nil
}

// empty hands out the blocks without rows, which make the files of empty shards.
func (d *dispatcher) empty() error {
	for s := range d.blocks {
		rest := d.blocks[s][:0]
		for _, b := range d.blocks[s] {
			if b.Rows.Len() > 0 || b.Shard.Kept {
				rest = append(rest, b)
				continue
			}
			if err := d.give(&b, func() {}); err != nil {
				return err
			}
		}
		d.blocks[s] = rest
	}
	return nil
}

// held hands out the blocks that are whole with a run, unless no shard needs it.
func (d *dispatcher) held(ctx context.Context, h *held) error {
	if h.shards.Load() > 0 {
		return d.run(ctx, h.run, true)
	}
	for s := range d.blocks {
		d.skip(s, h.end[s])
	}
	return h.run.remove()
}

// skip skips blocks of shards that are kept and rows of them, below the rank to.
// It reports whether the next block is one that is to be written.
func (d *dispatcher) skip(s, to int) bool {
	for len(d.blocks[s]) > 0 {
		b := &d.blocks[s][0]
		if !b.Shard.Kept {
			return true
		}
		if b.Rows.To > to {
			d.done[s] = max(d.done[s], to)
			return false
		}
		d.done[s] = b.Rows.To
		d.blocks[s] = d.blocks[s][1:]
	}
	return false
}

// run hands out the blocks that are whole with this run, which is repartitioned
// if it is too large. stays says that the run is not removed when it was read.
func (d *dispatcher) run(ctx context.Context, r *run, stays bool) error {
	if r.bytes > d.s.Limit*3/2 {
		smaller, err := d.repartition(r)
		if err != nil {
			return err
		}
		if smaller != nil {
			return d.smaller(ctx, smaller, r, stays)
		}
	}
	var l *loaded
	select {
	case l = <-d.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := d.load(l, r); err != nil {
		return err
	}
	if !stays {
		if err := r.remove(); err != nil {
			return err
		}
	}
	l.index(len(d.blocks), r.count())
	return d.loaded(l)
}

// smaller hands out what a run was repartitioned into.
func (d *dispatcher) smaller(ctx context.Context, p *partition, big *run, stays bool) error {
	if !stays {
		if err := big.remove(); err != nil {
			return err
		}
	}
	for _, r := range p.runs {
		if err := d.run(ctx, r, false); err != nil {
			return err
		}
	}
	return nil
}

// load reads a run after what the run before it left over.
func (d *dispatcher) load(l *loaded, r *run) error {
	at, size := len(d.carry), int(r.file.Size())
	if cap(l.buf) < at+size {
		l.buf = make([]byte, at+size, max(at+size, int(d.room)))
	}
	l.buf = l.buf[:at+size]
	copy(l.buf, d.carry)
	d.carry = d.emptied(d.carry)
	return r.file.ReadWhole(l.buf[at:])
}

// emptied is buf to be filled again, unless a row that is larger than a run made
// it so large that it is better forgotten.
func (d *dispatcher) emptied(buf []byte) []byte {
	if int64(cap(buf)) > 2*d.s.Limit {
		return nil
	}
	return buf[:0]
}

// loaded hands out the blocks of a run in memory and keeps what is left over.
func (d *dispatcher) loaded(l *loaded) error {
	var reading sync.WaitGroup
	var err error
	for s := range l.splits {
		if err = d.split(l, s, &reading); err != nil {
			break
		}
	}
	d.busy.Go(func() {
		reading.Wait()
		l.buf = d.emptied(l.buf)
		d.free <- l // never full: there are two runs
	})
	return err
}

// split hands out the blocks of a split that are whole.
func (d *dispatcher) split(l *loaded, s int, reading *sync.WaitGroup) error {
	split := &l.splits[s]
	split.first = d.done[s]
	split.sort(&d.space)
	end := split.first + len(split.rows)
	for d.skip(s, end) && d.blocks[s][0].Rows.To <= end {
		b := &d.blocks[s][0]
		d.blocks[s] = d.blocks[s][1:]
		b.Ranks = split
		reading.Add(1)
		if err := d.give(b, reading.Done); err != nil {
			reading.Done() // nobody took it
			return err
		}
		d.done[s] = b.Rows.To
	}
	for _, r := range split.rows[d.done[s]-split.first:] {
		_, _, _, n := parseEntry(l.buf[r.at:])
		d.carry = append(d.carry, l.buf[r.at:r.at+uint64(n)]...)
	}
	return nil
}

// repartition puts the rows of a run that is too large into smaller ones: by
// smaller ranges of its keys or, where all are equal, by where the rows stand. A
// nil partition says that there is nothing to cut it by: it holds one row.
func (d *dispatcher) repartition(big *run) (*partition, error) {
	s := d.s
	n := min(1+int(big.bytes/s.Limit), maxRuns)
	d.again++
	by := func(key uint64, _ int, _ int64) uint64 { return key }
	lo, hi, err := d.extent(big, by)
	if err == nil && lo == hi {
		by = func(_ uint64, file int, offset int64) uint64 { return s.Set.Sequence.Place(file, offset) }
		lo, hi, err = d.extent(big, by)
	}
	if err != nil || lo == hi {
		return nil, err
	}
	p, err := s.newPartition(fmt.Sprintf("again-%d-", d.again), n, lo, hi, by)
	if err != nil {
		return nil, err
	}
	for entry := range s.entries.of(big) {
		if entry.err != nil {
			return nil, entry.err
		}
		key, r, bad, _ := parseEntry(entry.data)
		r.Bad = s.codes.name(bad)
		if err := p.put(key, &r); err != nil {
			return nil, err
		}
	}
	for _, r := range p.runs {
		if err := r.close(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// extent is the range of what by gives for the rows of a run.
func (d *dispatcher) extent(r *run, by func(uint64, int, int64) uint64) (lo, hi uint64, err error) {
	lo = ^uint64(0)
	for entry := range d.s.entries.of(r) {
		if entry.err != nil {
			return 0, 0, entry.err
		}
		key, row, _, _ := parseEntry(entry.data)
		at := by(key, row.File, row.Offset)
		lo, hi = min(lo, at), max(hi, at)
	}
	return lo, hi, nil
}
