// Package task writes shards: it turns blocks of rows into records at their place
// in a file. A block, or a shard as a whole, is a unit of work that knows nothing
// of who hands it out; what came of it is a [Report].
//
//	work := &task.Work{Set: set, Plan: plan, Stage: stage, Log: log, …}
//	err := work.Begin(kept)                       // shards are named; what a stopped run finished is taken
//	defer work.Start(ctx, stopped)()
//	worker, err := work.NewWorker()               // one a goroutine, made by it
//	last, err := worker.Block(ctx, &block)        // rows ─► records ─► place in the shard
//	if last {
//		err = block.Shard.Finish()            // the file is whole, with its report
//	}
//
// A worker prefetches 16 rows: while some are encoded, the memory of the next ones
// is on its way.
//
//	Ranked.Append ─► rows, prefetched ─► rows.Encoder ─► tfrecord.Batch or arrayrecord.Batch ─► buf ─► sink.Shard.WriteBlock
package task

import (
	"context"
	"fmt"
	"sync"

	"tfr-build/internal/pool"
	"tfr-build/internal/prefetch"
	"tfr-build/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// Work is what the tasks of a build share.
type Work struct {
	Set      *rows.Set
	Plan     *plan.Plan
	Stage    *sink.Stage
	Log      *rejects.Log
	Progress *pool.Progress

	Compression sink.Compression
	Digest      sink.Digest
	Index       bool // whether each shard has an index

	// Elsewhere says that another process makes a shard; nil where this one makes all.
	Elsewhere func(split, shard int) bool

	counting *count.Counting // nil where nothing is counted
	merging  sync.Mutex      // of tallies
	tallies  []*count.Tally  // by split of the plan, of the shards that are finished

	shards  [][]*Shard // by split of the plan
	lines   int        // of memory of a row that are prefetched
	writing context.Context
	stop    context.CancelFunc
}

// CompressionOf is the compression of a file, of a name in a config: none for that
// of each record by itself.
func CompressionOf(name string) sink.Compression {
	return map[string]sink.Compression{"none": sink.None, "gzip": sink.Gzip, "zlib": sink.Zlib}[name]
}

// DigestOf is the digest of a name in a config.
func DigestOf(name string) sink.Digest {
	if name == "sha256" {
		return sink.SHA256
	}
	return sink.XXH128
}

// Begin names the shards of the plan and takes those that a stopped run finished. The error
// is [ErrOther] if the plan does not have them.
func (w *Work) Begin(kept []sink.Kept) error {
	byName := map[string]*sink.Kept{}
	for i := range kept {
		byName[kept[i].Name] = &kept[i]
	}
	w.shards = make([][]*Shard, len(w.Plan.Splits))
	for i := range w.Plan.Splits {
		split := &w.Plan.Splits[i]
		w.shards[i] = make([]*Shard, split.Shards)
		for n, ranks := range split.Cut() {
			sh := w.newShard(i, n, ranks)
			w.shards[i][n] = sh
			if w.Elsewhere != nil && w.Elsewhere(i, n) {
				sh.Kept, sh.elsewhere = true, true
			}
			if k := byName[sh.Name]; k != nil {
				if err := sh.keep(k); err != nil {
					return err
				}
				delete(byName, sh.Name)
			}
		}
	}
	for name := range byName {
		return fmt.Errorf("%s: %w", name, ErrOther)
	}
	return nil
}

// Count says what is counted of the records, which may be nothing: nil. It is to be
// called before the first block is written. What a stopped run counted of the shards
// that are kept is taken over.
func (w *Work) Count(c *count.Counting) error {
	if w.counting = c; c == nil {
		return nil
	}
	w.tallies = make([]*count.Tally, len(w.Plan.Splits))
	for i := range w.tallies {
		w.tallies[i] = c.NewSplit(i)
	}
	for _, shards := range w.shards {
		for _, sh := range shards {
			if err := sh.countBy(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Keeper returns what takes shards that other processes made, each by itself and in any
// order, after Begin and Count. Several goroutines may call it.
func (w *Work) Keeper() func(*sink.Kept) error {
	named := map[string]*Shard{}
	w.each(func(_ int, sh *Shard) { named[sh.Name] = sh })
	return func(k *sink.Kept) error {
		sh := named[k.Name]
		if sh == nil {
			return fmt.Errorf("internal error: the shard %s is not planned", k.Name)
		}
		err := sh.keep(k)
		if err == nil && w.counting != nil {
			err = sh.countBy(w.counting)
		}
		sh.counted = nil
		return err
	}
}

// merge adds what was counted of a shard to that of its split.
func (w *Work) merge(sh *Shard) {
	if sh.tally == nil {
		return
	}
	w.merging.Lock()
	defer w.merging.Unlock()
	w.tallies[sh.split].Merge(sh.tally)
	sh.tally, sh.counted = nil, nil
}

// Counted is what was counted of the records of each split, once all shards are
// finished; c is nil where nothing was.
func (w *Work) Counted() (c *count.Counting, splits []*count.Tally) { return w.counting, w.tallies }

// Shards are the shards of the splits of the plan, in its order.
func (w *Work) Shards() [][]*Shard { return w.shards }

// Prefetch says how much memory of a row is asked for ahead, for rows that take so
// many bytes of mapped text.
func (w *Work) Prefetch(rows uint64, bytes int) {
	const most = 16
	// A mean row begins somewhere in the first line, and half of the rows are longer.
	w.lines = min(bytes/int(max(1, rows))/prefetch.Line+3, most)
}

// Start makes the context that stops the writing, and not the reading, at the
// first row that ends the run, and calls stopped then. It is to be given back.
func (w *Work) Start(ctx context.Context, stopped func()) (end func()) {
	w.writing, w.stop = context.WithCancel(ctx)
	w.Log.OnFail(func() {
		w.stop()
		stopped()
	})
	return w.stop
}

// Blocks cuts the rows of a shard into blocks; ranks are its rows, or nil where
// they are not there yet.
func (w *Work) Blocks(split int, sh *Shard, ranks rows.Ranked) []Block {
	var size func(int) int64
	if ranks != nil {
		size = w.rowSize(ranks, sh.Ranks)
	}
	s := &w.Plan.Splits[split]
	cut := w.Plan.Blocks(s, sh.Ranks, size)
	blocks := make([]Block, len(cut))
	for n, r := range cut {
		blocks[n] = Block{Shard: sh, Number: n, Rows: r, Ranks: ranks}
	}
	sh.blocks = len(cut)
	sh.size = w.sizeOf(split, sh)
	return blocks
}

// rowSize tells the size of the row of a rank of a shard, as the listing has it.
func (w *Work) rowSize(ranks rows.Ranked, of order.Range) func(rank int) int64 {
	var some []rows.Row
	return inBatches(of, func(dst []int64, from, to int) []int64 {
		some = ranks.Append(some[:0], from, to)
		for i := range some {
			src, local := w.Set.File(some[i].File)
			dst = append(dst, src.RowSize(local))
		}
		return dst
	})
}

// sizesAtOnce is how many sizes are looked up together: they lie at random places in
// memory, which are waited for together, too.
const sizesAtOnce = 256

// inBatches gives the size of one rank after the other out of those that look appends,
// of the ranks from … to-1.
func inBatches(of order.Range, look func(dst []int64, from, to int) []int64) func(rank int) int64 {
	var sizes []int64
	first := 0
	return func(rank int) int64 {
		if rank < first || rank >= first+len(sizes) {
			first, sizes = rank, look(sizes[:0], rank, min(rank+sizesAtOnce, of.To))
		}
		return sizes[rank-first]
	}
}

// RowsToWrite are the rows of the shards that are not kept.
func (w *Work) RowsToWrite() (n int64) {
	w.each(func(_ int, sh *Shard) {
		if !sh.Kept {
			n += int64(sh.Ranks.Len())
		}
	})
	return n
}

// RowsPlanned is how many rows there are in all shards, with those that are rejected.
func (w *Work) RowsPlanned() (n int) {
	for i := range w.Plan.Splits {
		n += w.Plan.Splits[i].Rows
	}
	return n
}

// BytesToWrite is about how many bytes the shards have that are not finished.
func (w *Work) BytesToWrite() (n int64) {
	w.each(func(split int, sh *Shard) {
		if !sh.finished() {
			n += w.sizeOf(split, sh)
		}
	})
	return n
}

// sizeOf is about how many bytes a shard has, uncompressed.
func (w *Work) sizeOf(split int, sh *Shard) int64 {
	return w.emptySize() + int64(uint64(sh.Ranks.Len())*w.Plan.Splits[split].Mean())
}

// Finished counts the shards that are finished and those that are planned.
func (w *Work) Finished() (finished, planned int) {
	w.each(func(_ int, sh *Shard) {
		planned++
		if sh.finished() {
			finished++
		}
	})
	return finished, planned
}

// Rejects are the rows that the shards lack, in no order.
func (w *Work) Rejects() (list []rejects.Reject) {
	w.each(func(_ int, sh *Shard) { list = append(list, sh.rejected()...) })
	return list
}

func (w *Work) each(visit func(split int, sh *Shard)) {
	for i, shards := range w.shards {
		for _, sh := range shards {
			visit(i, sh)
		}
	}
}
