package spill

import (
	"context"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"tfr-build/order"
	"tfr-build/pipeline/task"
)

// A held part stays until all shards that hold rows of it are finished: a run of the
// program that resumes needs it for those that are not.
type held struct {
	part   *part
	end    []int        // by split: the rank after the last of its rows
	shards atomic.Int64 // that are not finished
}

// release gives up the part when no other shard needs it.
func (s *Spill) release(h *held) error {
	if h.shards.Add(-1) > 0 {
		return nil
	}
	return s.drop(h)
}

// drop gives up a part; the file goes with the last.
func (s *Spill) drop(*held) error {
	if s.parts.Add(-1) > 0 || s.file == nil {
		return nil
	}
	return s.file.Remove()
}

// hold finds the shards that each part holds rows of.
func (s *Spill) hold(work *task.Work) []*held {
	if s.held != nil {
		return s.held
	}
	end := make([]int, len(s.Set.Splits.Names()))
	left := make([][]*task.Shard, len(work.Shards()))
	for i, shards := range work.Shards() {
		for _, sh := range shards {
			if !sh.Kept {
				left[i] = append(left[i], sh)
			}
		}
	}
	for _, p := range s.store.parts(s.Limit) {
		from := append([]int(nil), end...)
		for i, n := range p.rows {
			end[i] += n
		}
		h := &held{part: p, end: append([]int(nil), end...)}
		for i, shards := range left {
			n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
			s.holdFor(h, shards, order.Range{From: from[n], To: end[n]})
		}
		s.held = append(s.held, h)
	}
	s.parts.Store(int64(len(s.held)))
	return s.held
}

// holdFor has the shards of a split that are not kept and hold some of its rows keep h.
func (s *Spill) holdFor(h *held, shards []*task.Shard, rows order.Range) {
	for _, sh := range shards {
		if r := sh.Ranks; r.From < rows.To && rows.From < r.To {
			before := sh.Released
			sh.Released = func() error {
				if before != nil {
					if err := before(); err != nil {
						return err
					}
				}
				return s.release(h)
			}
			h.shards.Add(1)
		}
	}
}

// A dispatcher hands out the blocks of the runs, part by part. Two parts are in
// memory at once: one is read and sorted while the other is handed out and written,
// so that no worker waits for a part but for the first.
//
//	all     load, sort │ load, sort │ load, sort │ …
//	                   └► ready     └► ready
//	giving               blocks of it │ blocks of it │ …
//	workers                   block, block, block, …  ─► free
type dispatcher struct {
	s      *Spill
	give   task.Give
	blocks [][]task.Block // by number of the split, those that are in no part yet
	done   []int          // by split, ranks that earlier parts held
	carry  []byte         // entries of rows whose block is not whole
	room   int64          // for the largest part there may be and what is left over
	most   []int          // by split, the ranks of its rows: those beyond are left out
	rows   []int          // by split, those of the part that has most, with what is left over
	free   chan *loaded
	ready  chan *loaded
	space  sortSpace
	times  int // that parts were parted again
	reader reader
}

// Dispatch loads the parts one after another and hands out their blocks. It returns
// when all are handed out, or with the error of give.
func (s *Spill) Dispatch(ctx context.Context, work *task.Work, give task.Give) error {
	splits := len(s.Set.Splits.Names())
	d := &dispatcher{
		s: s, give: give, blocks: make([][]task.Block, splits), done: make([]int, splits), most: make([]int, splits), rows: make([]int, splits),
		free: make(chan *loaded, 2), ready: make(chan *loaded),
	}
	for range cap(d.free) {
		d.free <- &loaded{entries: s.entries, codes: s.found.Codes, free: d.free, most: 2 * s.Limit}
	}
	for i, shards := range work.Shards() {
		n := s.Set.Splits.Number(work.Plan.Splits[i].Name)
		d.most[n] = work.Plan.Splits[i].Rows
		for _, sh := range shards {
			if sh.Kept { // which may be nearly all: skip wants no more than its ranks
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
	s.hold(work) // before the first shard can be finished
	return d.both(ctx)
}

// both loads parts and hands them out, side by side. The first error ends both.
func (d *dispatcher) both(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	d.s.Pool.Go(group, func() error { return d.all(ctx) })
	d.s.Pool.Go(group, func() error { return d.giving(ctx) })
	return group.Wait()
}

// giving hands out the blocks of parts that are ready.
func (d *dispatcher) giving(ctx context.Context) error {
	for l := range d.ready {
		done := l.done
		for _, b := range l.blocks {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := d.give(b, done); err != nil {
				return err
			}
		}
		done() // all are handed out
	}
	return nil
}

// all has all blocks handed out.
func (d *dispatcher) all(ctx context.Context) error {
	defer close(d.ready)
	if err := d.empty(); err != nil {
		return err
	}
	for _, h := range d.s.held {
		if h.part.memory() <= d.s.Limit*3/2 { // else it is parted again
			d.room = max(d.room, h.part.bytes+h.part.bytes/8)
			for i, n := range h.part.rows {
				d.rows[i] = max(d.rows[i], n+order.BlockRows)
			}
		}
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

// held has the blocks that are whole with a part handed out, unless no shard needs it.
func (d *dispatcher) held(ctx context.Context, h *held) error {
	if h.shards.Load() > 0 {
		return d.part(ctx, h.part)
	}
	for s := range d.blocks {
		d.skip(s, h.end[s])
	}
	return d.s.drop(h)
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

// part has the blocks that are whole with this part handed out, which is parted again if it
// is too large.
func (d *dispatcher) part(ctx context.Context, p *part) error {
	if p.memory() > d.s.Limit*3/2 {
		smaller, err := d.again(p)
		if err != nil {
			return err
		}
		if smaller != nil {
			return d.smaller(ctx, smaller)
		}
	}
	var l *loaded
	select {
	case l = <-d.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := d.load(l, p); err != nil {
		return err
	}
	return d.loaded(ctx, l)
}

// smaller has handed out what a part was parted into.
func (d *dispatcher) smaller(ctx context.Context, s *smaller) error {
	for _, p := range s.parts(d.s.Limit) {
		if err := d.part(ctx, p); err != nil {
			return err
		}
	}
	return s.file.Remove()
}

// load reads a part after what the part before it left over.
func (d *dispatcher) load(l *loaded, p *part) error {
	at, size := len(d.carry), int(p.bytes)
	if cap(l.buf) < at+size {
		l.buf = make([]byte, at+size, max(at+size, int(d.room)))
	}
	l.buf = l.buf[:at+size]
	copy(l.buf, d.carry)
	if d.carry = d.carry[:0]; int64(cap(d.carry)) > l.most {
		d.carry = nil
	}
	l.begin(d.rows)
	l.again(at)
	return l.read(&d.reader, p, at)
}

// loaded puts the rows of a part in memory in order, has its blocks handed out, and
// keeps what is left over.
func (d *dispatcher) loaded(ctx context.Context, l *loaded) error {
	l.blocks = l.blocks[:0]
	for s := range l.splits {
		d.split(l, s)
	}
	l.left.Store(int64(len(l.blocks)) + 1)
	select {
	case d.ready <- l:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// split puts the rows of a split in order and lists the blocks that are whole.
func (d *dispatcher) split(l *loaded, s int) {
	split := &l.splits[s]
	split.first = d.done[s]
	split.sort(&d.space)
	split.rows = split.rows[:max(0, min(len(split.rows), d.most[s]-split.first))]
	end := split.first + len(split.rows)
	for d.skip(s, end) && d.blocks[s][0].Rows.To <= end {
		b := &d.blocks[s][0]
		d.blocks[s] = d.blocks[s][1:]
		b.Ranks = split
		l.blocks = append(l.blocks, b)
		d.done[s] = b.Rows.To
	}
	for _, r := range split.rows[d.done[s]-split.first:] {
		n := uint64(l.size(l.buf[r.at:]))
		d.carry = append(d.carry, l.buf[r.at:r.at+n]...)
	}
}
