package pipeline

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A partWriter hands the blocks of the parts to the workers, part by part.
//
//	load part ─► sort ─► blocks that are whole ─► workers
//	                 └─► rows of a block that is not ─► in front of the next part
type partWriter struct {
	p      *parting
	plans  []*splitPlan
	blocks [][]block        // by split, those that are not handed out yet
	done   []int            // by split, ranks that earlier parts held
	carry  []byte           // entries of rows whose block is not whole
	free   chan *loadedPart // bounds the memory: one is read while another is written out
	out    chan handout
	space  sortSpace
	parts  int // that were made by parting parts again
}

// A handout is a block and the part that it is read from.
type handout struct {
	block *block
	done  *sync.WaitGroup
}

// write loads the parts one after another and writes their blocks.
func (p *parting) write(ctx context.Context, plans []*splitPlan) error {
	j := p.j
	j.run.Progress.start("writing", rowsToWrite(plans))
	splits := len(j.splits.names)
	pw := &partWriter{p: p, plans: plans, blocks: make([][]block, splits), done: make([]int, splits), free: make(chan *loadedPart, 2), out: make(chan handout)}
	pw.free <- &loadedPart{codes: &j.codes}
	pw.free <- &loadedPart{codes: &j.codes}
	for _, plan := range plans {
		pw.blocks[plan.number] = j.blocks(plan, nil)
	}
	p.hold(plans) // before the first shard can be finished
	group, ctx := errgroup.WithContext(ctx)
	j.startWriting(ctx, group)
	defer j.stopWriting()
	group.Go(func() (err error) {
		defer j.guard(&err)()
		defer close(pw.out)
		return pw.hand(ctx)
	})
	for range max(1, j.run.Workers) {
		group.Go(func() (err error) {
			defer j.guard(&err)()
			w, err := j.newWorker()
			if err != nil {
				return err
			}
			defer w.close()
			for h := range pw.out {
				if err := w.handed(ctx, h); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// handed does a block that was handed out; whatever comes of it, it is done.
func (w *worker) handed(ctx context.Context, h handout) error {
	defer h.done.Done()
	return w.block(ctx, h.block)
}

// hand hands out all blocks.
func (pw *partWriter) hand(ctx context.Context) error {
	if err := pw.blank(ctx); err != nil {
		return err
	}
	for _, h := range pw.p.held {
		if err := pw.held(ctx, h); err != nil {
			return err
		}
	}
	if len(pw.carry) > 0 {
		return fmt.Errorf("internal error: %d bytes of rows belong to no block", len(pw.carry))
	}
	return nil
}

// held hands out the blocks that are whole with a part, unless nobody needs it.
func (pw *partWriter) held(ctx context.Context, h *held) error {
	if h.shards.Load() > 0 {
		return pw.part(ctx, h.part, true)
	}
	for s := range pw.blocks {
		pw.pass(s, h.end[s])
	}
	return h.part.remove()
}

// pass passes over blocks of shards that are kept and rows of them, below the
// rank to. It reports whether the next block is one that is to be written.
func (pw *partWriter) pass(s, to int) bool {
	for len(pw.blocks[s]) > 0 {
		b := &pw.blocks[s][0]
		if !b.shard.kept {
			return true
		}
		if b.rows.To > to {
			pw.done[s] = max(pw.done[s], to)
			return false
		}
		pw.done[s] = b.rows.To
		pw.blocks[s] = pw.blocks[s][1:]
	}
	return false
}

// blank hands out the blocks without rows, which make the files of empty
// shards.
func (pw *partWriter) blank(ctx context.Context) error {
	var none sync.WaitGroup
	for s := range pw.blocks {
		kept := pw.blocks[s][:0]
		for _, b := range pw.blocks[s] {
			if b.rows.Len() > 0 || b.shard.kept {
				kept = append(kept, b)
				continue
			}
			none.Add(1)
			if err := pw.give(ctx, handout{&b, &none}); err != nil {
				return err
			}
		}
		pw.blocks[s] = kept
	}
	return nil
}

func (pw *partWriter) give(ctx context.Context, h handout) error {
	select {
	case pw.out <- h:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// part hands out the blocks that are whole with this part, which is parted
// again if it is too large. stays says that the part is not removed when it was
// read.
func (pw *partWriter) part(ctx context.Context, part *part, stays bool) error {
	if part.bytes > pw.p.j.partLimit()*3/2 {
		again, err := pw.partAgain(part)
		if err != nil {
			return err
		}
		if again != nil {
			return pw.smaller(ctx, again, part, stays)
		}
	}
	var l *loadedPart
	select {
	case l = <-pw.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := pw.load(l, part); err != nil {
		return err
	}
	if !stays {
		if err := part.remove(); err != nil {
			return err
		}
	}
	l.index(len(pw.blocks), part.count())
	return pw.loaded(ctx, l)
}

// smaller hands out what a part was parted into again.
func (pw *partWriter) smaller(ctx context.Context, again *partition, big *part, stays bool) error {
	if !stays {
		if err := big.remove(); err != nil {
			return err
		}
	}
	for _, p := range again.parts {
		if err := pw.part(ctx, p, false); err != nil {
			return err
		}
	}
	return nil
}

// load reads a part behind what the part before it left over.
func (pw *partWriter) load(l *loadedPart, part *part) error {
	at, size := len(pw.carry), int(part.file.Size())
	if cap(l.buf) < at+size {
		// Room for the largest part there may be costs nothing until it is filled.
		l.buf = make([]byte, at+size, max(at+size, 2*int(pw.p.j.partLimit())))
	}
	l.buf = l.buf[:at+size]
	copy(l.buf, pw.carry)
	pw.carry = pw.emptied(pw.carry)
	return part.file.ReadWhole(l.buf[at:])
}

// emptied is buf to be filled again, unless a row that is larger than a part
// should be made it so large that it is better forgotten.
func (pw *partWriter) emptied(buf []byte) []byte {
	if int64(cap(buf)) > 2*pw.p.j.partLimit() {
		return nil
	}
	return buf[:0]
}

// loaded hands out the blocks of a part in memory and keeps what is left over.
func (pw *partWriter) loaded(ctx context.Context, l *loadedPart) error {
	var busy sync.WaitGroup
	for s := range l.splits {
		split := &l.splits[s]
		split.first = pw.done[s]
		split.sort(&pw.space)
		end := split.first + len(split.rows)
		for pw.pass(s, end) && pw.blocks[s][0].rows.To <= end {
			b := &pw.blocks[s][0]
			pw.blocks[s] = pw.blocks[s][1:]
			b.ranks = split
			busy.Add(1)
			if err := pw.give(ctx, handout{b, &busy}); err != nil {
				return err
			}
			pw.done[s] = b.rows.To
		}
		for _, r := range split.rows[pw.done[s]-split.first:] {
			_, _, _, n := parseEntry(l.buf[r.at:])
			pw.carry = append(pw.carry, l.buf[r.at:r.at+uint64(n)]...)
		}
	}
	pw.p.j.group.Go(func() error {
		busy.Wait()
		l.buf = pw.emptied(l.buf)
		pw.free <- l
		return nil
	})
	return nil
}

// partAgain parts a part that is too large: by smaller ranges of its keys or,
// where all are equal, by where the rows stand. A nil partition says that
// there is nothing to part it by: it holds one row.
func (pw *partWriter) partAgain(big *part) (*partition, error) {
	j := pw.p.j
	n := min(1+int(big.bytes/j.partLimit()), maxParts)
	pw.parts++
	name := fmt.Sprintf("again-%d-", pw.parts)
	by := func(key uint64, _ int, _ int64) uint64 { return key }
	lo, hi, err := pw.extent(big, by)
	if err == nil && lo == hi {
		by = func(_ uint64, file int, offset int64) uint64 { return j.sequence.Place(file, offset) }
		lo, hi, err = pw.extent(big, by)
	}
	if err != nil || lo == hi {
		return nil, err
	}
	again, err := j.newPartition(name, n, lo, hi, by)
	if err != nil {
		return nil, err
	}
	for entry := range pw.p.reader.entries(big) {
		if entry.err != nil {
			return nil, entry.err
		}
		key, r, bad, _ := parseEntry(entry.data)
		r.bad = j.codes.name(bad)
		if err := again.put(key, &r); err != nil {
			return nil, err
		}
	}
	for _, p := range again.parts {
		if err := p.close(); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// extent is the range of what by gives for the rows of a part.
func (pw *partWriter) extent(part *part, by func(uint64, int, int64) uint64) (lo, hi uint64, err error) {
	lo = ^uint64(0)
	for entry := range pw.p.reader.entries(part) {
		if entry.err != nil {
			return 0, 0, entry.err
		}
		key, r, _, _ := parseEntry(entry.data)
		at := by(key, r.file, r.offset)
		lo, hi = min(lo, at), max(hi, at)
	}
	return lo, hi, nil
}
