package spill

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/bug"
	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// A plannedPart is a partition whose rows are in the shards of a plan.
type plannedPart struct {
	*partition
	end      []int // by split: the rank after its last row
	isNeeded bool  // an unfinished shard has rows of it
}

// plan returns all partitions.
func (s *Spill) plan(work *task.Work) (list []plannedPart) {
	end := make([]int, len(s.Set.Splits.Names()))
	for _, p := range s.store.parts(0, len(s.store.buckets), s.Limit) {
		from := slices.Clone(end)
		for i, n := range p.rows {
			end[i] += n
		}
		of := plannedPart{partition: p, end: slices.Clone(end)}
		for i, shards := range work.Shards() {
			n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
			of.isNeeded = of.isNeeded || slices.ContainsFunc(shards, func(sh *task.Shard) bool {
				return !sh.Kept && sh.Ranks.From < of.end[n] && from[n] < sh.Ranks.To
			})
		}
		list = append(list, of)
	}
	return list
}

// A dispatcher passes the blocks of the spill files to workers, partition by partition. Two
// partitions are in memory at once: one is loaded and sorted while the other is written. So
// workers wait only for the first.
//
//	loadAll         load, sort │ load, sort │ load, sort │ …
//	                           └► ready     └► ready
//	dispatchReady                blocks of it │ blocks of it │ …
//	workers                           block, block, block, …  ─► free
type dispatcher struct {
	s      *Spill
	loaded func(*buffer) error // gets each partition that is loaded
	assign task.Assign
	parts  []plannedPart
	blocks [][]task.Block // by number of the split: blocks that no partition completed yet
	done   []int          // by split: rank of the first row that is not dispatched
	carry  []byte         // entries of rows whose block is incomplete
	room   int64          // bytes of the largest partition and carried rows
	most   []int          // by split: number of rows to write; later rows are beyond the limit
	rows   []int          // by split: rows of the largest partition and carried rows
	free   chan *buffer   // buffers after their last use; never full
	ready  chan *buffer
	space  sortSpace
	reader reader
}

// newDispatcher returns a dispatcher of so many splits, with so many buffers.
func (s *Spill) newDispatcher(splits, buffers int) *dispatcher {
	d := &dispatcher{
		s: s, blocks: make([][]task.Block, splits), done: make([]int, splits), most: make([]int, splits),
		rows: make([]int, splits), free: make(chan *buffer, buffers), ready: make(chan *buffer),
	}
	for range buffers {
		d.free <- &buffer{entries: s.entries, of: d}
	}
	return d
}

// Dispatch loads one partition after another and passes its blocks to assign. It returns when all
// blocks are passed, or with the error of assign.
func (s *Spill) Dispatch(ctx context.Context, work *task.Work, assign task.Assign) error {
	d := s.newDispatcher(len(s.Set.Splits.Names()), 2)
	d.assign = assign
	for i, shards := range work.Shards() {
		n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
		d.most[n] = work.Plan.Splits[i].Rows
		for _, sh := range shards {
			if sh.Kept { // nearly all may be reused, and skip needs only the ranks
				d.blocks[n] = append(d.blocks[n], task.Block{Shard: sh, Rows: sh.Ranks})
				continue
			}
			d.blocks[n] = append(d.blocks[n], work.Blocks(i, sh, nil)...)
		}
	}
	bytes := int64(0)
	for b := range s.store.buckets {
		bytes += s.store.buckets[b].Bytes
	}
	work.Prefetch(work.Plan.Rows(), int(bytes))
	d.parts = s.plan(work)
	d.makeRoom(bytes)
	return d.run(ctx)
}

// run loads partitions and dispatches their blocks at the same time. The first error ends both.
func (d *dispatcher) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	d.s.Pool.Go(group, func() error { return d.loadAll(ctx) })
	d.s.Pool.Go(group, func() error { return d.dispatchReady(ctx) })
	return group.Wait()
}

// dispatchReady passes on the blocks of loaded partitions.
func (d *dispatcher) dispatchReady(ctx context.Context) error {
	for l := range d.ready {
		done := l.done
		for _, b := range l.blocks {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := d.assign(b, done); err != nil {
				return err
			}
		}
		done() // all are dispatched
	}
	return nil
}

// loadAll loads all partitions.
func (d *dispatcher) loadAll(ctx context.Context) error {
	defer close(d.ready)
	d.loaded = func(l *buffer) error { return d.queue(ctx, l) }
	if err := d.dispatchEmpty(); err != nil {
		return err
	}
	for i := range d.parts {
		if err := d.loadPlanned(ctx, &d.parts[i]); err != nil {
			return err
		}
	}
	if len(d.carry) > 0 {
		return bug.Errorf("%d bytes of rows belong to no block", len(d.carry))
	}
	return nil
}

// makeRoom computes the size of the buffers, so that each is allocated once.
func (d *dispatcher) makeRoom(bytes int64) {
	carried := d.carriedSize(bytes)
	d.carry = make([]byte, 0, carried)
	for i := range d.parts {
		if p := &d.parts[i]; p.memory() <= d.s.Limit { // larger ones are partitioned again
			d.room = max(d.room, p.bytes+carried)
			for i, n := range p.rows {
				d.rows[i] = max(d.rows[i], n+order.BlockRows)
			}
		}
	}
}

// largest returns the bytes of a buffer that are kept for reuse.
func (d *dispatcher) largest() int64 { return max(2*d.s.Limit, d.room) }

// carriedSize returns about the most bytes of rows that a partition leaves to the next one: an
// incomplete block of each split. bytes is the size of all rows. An eighth more is for blocks whose
// rows are longer than the mean.
func (d *dispatcher) carriedSize(bytes int64) (size int64) {
	ranks := 0
	for _, n := range d.most {
		ranks += n
	}
	mean := bytes / int64(max(1, ranks))
	for s := range d.blocks {
		longest := 0
		for _, b := range d.blocks[s] {
			if !b.Shard.Kept {
				longest = max(longest, b.Rows.Len())
			}
		}
		size += min(int64(longest)*mean*9/8, 2*order.BlockBytes)
	}
	return size
}

// dispatchEmpty passes on the blocks without rows, which create the files of empty shards.
func (d *dispatcher) dispatchEmpty() error {
	for s := range d.blocks {
		rest := d.blocks[s][:0]
		for _, b := range d.blocks[s] {
			if b.Rows.Len() > 0 || b.Shard.Kept {
				rest = append(rest, b)
				continue
			}
			if err := d.assign(&b, func() {}); err != nil {
				return err
			}
		}
		d.blocks[s] = rest
	}
	return nil
}

// loadPlanned loads a partition, unless no unfinished shard needs it.
func (d *dispatcher) loadPlanned(ctx context.Context, p *plannedPart) error {
	if p.isNeeded {
		return d.loadPart(ctx, p.partition)
	}
	for s := range d.blocks {
		d.skip(s, p.end[s])
	}
	return nil
}

// skip skips blocks of reused shards, and rows of such blocks, up to the rank to. It reports
// whether the next block must be written.
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

// loadPart loads a partition and queues the blocks that are now complete. A partition that is too
// large is partitioned again.
func (d *dispatcher) loadPart(ctx context.Context, p *partition) error {
	if p.memory() > d.s.Limit {
		sub, err := d.repartition(p)
		if err != nil {
			return err
		}
		if sub != nil {
			return d.loadSub(ctx, sub)
		}
	}
	var l *buffer
	select {
	case l = <-d.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := d.load(l, p); err != nil {
		return err
	}
	return d.loaded(l)
}

// loadSub loads the partitions that replace a partition that was too large.
func (d *dispatcher) loadSub(ctx context.Context, s *subpartition) error {
	for _, p := range s.parts(0, len(s.buckets), d.s.Limit) {
		if err := d.loadPart(ctx, p); err != nil {
			return err
		}
	}
	s.file.Discard()
	return nil
}

// load reads a partition into l, after the rows that the partition before left.
func (d *dispatcher) load(l *buffer, p *partition) error {
	at, size := len(d.carry), int(p.bytes)
	if cap(l.buf) < at+size {
		l.buf = make([]byte, at+size, max(at+size, int(d.room)))
	}
	l.buf = l.buf[:at+size]
	copy(l.buf, d.carry)
	if d.carry = d.carry[:0]; int64(cap(d.carry)) > d.largest() {
		d.carry = nil
	}
	l.reserve(d.rows)
	l.indexCarried(at)
	return l.read(&d.reader, p, at)
}

// queue sorts the rows of a loaded partition and queues its complete blocks.
func (d *dispatcher) queue(ctx context.Context, l *buffer) error {
	l.blocks = l.blocks[:0]
	for s := range l.splits {
		d.addBlocks(l, s)
	}
	l.undone.Store(int64(len(l.blocks)) + 1)
	select {
	case d.ready <- l:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sort sorts the rows of a split, and drops those beyond its limit.
func (d *dispatcher) sort(l *buffer, s int) *splitRows {
	split := &l.splits[s]
	split.first = d.done[s]
	d.space.sort(split.rows, l.compareEqual)
	split.rows = split.rows[:max(0, min(len(split.rows), d.most[s]-split.first))]
	return split
}

// addBlocks sorts the rows of a split and adds its complete blocks to l. It copies the rows of the
// next, incomplete block to carry.
func (d *dispatcher) addBlocks(l *buffer, s int) {
	split := d.sort(l, s)
	end := split.first + len(split.rows)
	for d.skip(s, end) && d.blocks[s][0].Rows.To <= end {
		b := &d.blocks[s][0]
		d.blocks[s] = d.blocks[s][1:]
		b.Ranks = split
		l.blocks = append(l.blocks, b)
		d.done[s] = b.Rows.To
	}
	last := -1
	for _, r := range split.rows[d.done[s]-split.first:] {
		entry := l.entry(r)
		at := int(r.at & (1<<windowShift - 1))
		if at == last {
			continue // another window of the group
		}
		last = at
		from := len(d.carry)
		d.carry = append(d.carry, entry[:l.size(entry)]...)
		if l.groups {
			rows.Group(d.carry[from+l.header:]).SetFirst(int(r.at >> windowShift))
		}
	}
}
