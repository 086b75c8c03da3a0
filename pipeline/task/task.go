// Package task writes shards: it encodes blocks of rows as records, at their offset in a file. A
// block does not depend on how it is scheduled; the result is in the [Report] of its shard.
//
//	work := &task.Work{Set: set, Plan: plan, Stage: stage, Log: log, …}
//	err := work.Begin(kept)                       // names the shards, reuses finished ones
//	err = work.Count(counting)                    // statistics; may be nil
//	defer work.Start(ctx, stopped)()
//	worker, err := work.NewWorker()               // one per goroutine, created in it
//	last, err := worker.Block(ctx, &block)        // rows ─► records ─► offset in the shard
//	if last {
//		err = block.Shard.Finish()            // the file is complete, with its report
//	}
//
// A worker prefetches 16 rows: while some are encoded, the memory of the next ones is loaded.
//
//	Ranked.Append ─► rows, prefetched ─► rows.Encoder ─► batch ─► buf ─► sink.Shard.WriteBlock
package task

import (
	"context"
	"fmt"
	"sync"

	"tfr-build/framing"
	"tfr-build/internal/bug"
	"tfr-build/internal/order"
	"tfr-build/internal/pool"
	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// Work is the state that the tasks of a build share.
type Work struct {
	Set      *rows.Set
	Plan     *plan.Plan
	Stage    *sink.Stage // nil if nothing is written
	Log      *rejects.Log
	Progress *pool.Progress

	// Visit gets each record and its row, from any worker. It is nil in a build.
	Visit func(r *rows.Row, payload []byte)

	Compression sink.Compression
	Digest      sink.Digest
	Index       bool // each shard gets an index

	// Elsewhere reports whether another process builds a shard; nil if this process builds all.
	Elsewhere func(split, shard int) bool

	counting *count.Counting      // nil without statistics
	merging  sync.Mutex           // guards tallies
	tallies  []*count.Accumulator // by split of the plan, of the finished shards

	shards  [][]*Shard // by split of the plan
	lines   int        // number of cache lines that are prefetched per row
	writing context.Context
	stop    context.CancelFunc
}

// CompressionOf returns the compression of files of a format for a name in the config. It is sink.None for a
// compression of single records.
func CompressionOf(f *framing.Format, name string) sink.Compression {
	if len(f.Tail) > 0 && name == "gzip" {
		return sink.GzipStream
	}
	return map[string]sink.Compression{"none": sink.None, "gzip": sink.Gzip, "zlib": sink.Zlib}[name]
}

// DigestOf returns the digest for a name in the config.
func DigestOf(name string) sink.Digest {
	if name == "sha256" {
		return sink.SHA256
	}
	return sink.XXH128
}

// Begin creates the shards of the plan, and reuses those that a stopped build finished. The error
// is [ErrOther] if one of them is not in the plan.
func (w *Work) Begin(kept []sink.Reused) error {
	byName := map[string]*sink.Reused{}
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
				if err := sh.reuse(k); err != nil {
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

// Count sets how statistics of the records are counted; nil for none. Call it before the first
// block is written. The stored statistics of reused shards are merged.
func (w *Work) Count(c *count.Counting) error {
	if w.counting = c; c == nil {
		return nil
	}
	w.tallies = make([]*count.Accumulator, len(w.Plan.Splits))
	for i := range w.tallies {
		w.tallies[i] = c.NewSplit(i)
	}
	for _, shards := range w.shards {
		for _, sh := range shards {
			if err := sh.setAccumulator(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Keeper returns a function that adds a shard that another process built. Call the function after
// Begin and Count, once for each shard, in any order. Several goroutines may call it.
func (w *Work) Keeper() func(*sink.Reused) error {
	named := map[string]*Shard{}
	w.each(func(_ int, sh *Shard) { named[sh.Name] = sh })
	return func(k *sink.Reused) error {
		sh := named[k.Name]
		if sh == nil {
			return bug.Errorf("the shard %s is not planned", k.Name)
		}
		err := sh.reuse(k)
		if err == nil && w.counting != nil {
			err = sh.setAccumulator(w.counting)
		}
		sh.counted = nil
		return err
	}
}

// merge adds the tally of a finished shard to the tally of its split.
func (w *Work) merge(sh *Shard) {
	if sh.tally == nil {
		return
	}
	w.merging.Lock()
	defer w.merging.Unlock()
	w.tallies[sh.split].Merge(sh.tally)
	sh.tally, sh.counted = nil, nil
}

// Counted returns the statistics of each split, once all shards are finished; c is nil without
// statistics.
func (w *Work) Counted() (c *count.Counting, splits []*count.Accumulator) {
	return w.counting, w.tallies
}

// Shards returns the shards of each split, in the order of the plan.
func (w *Work) Shards() [][]*Shard { return w.shards }

// Prefetch sets how much memory of each row is prefetched. bytes is the size of the mapped text of
// all rows.
func (w *Work) Prefetch(rows uint64, bytes int) { w.lines = prefetch.LinesOf(bytes, int(rows)) }

// Start creates the context that stops the writing, but not the reading, when invalid rows make
// the build fail; then it also calls stopped. Call end when the work is done.
func (w *Work) Start(ctx context.Context, stopped func()) (end func()) {
	w.writing, w.stop = context.WithCancel(ctx)
	w.Log.OnFail(func() {
		w.stop()
		stopped()
	})
	return w.stop
}

// IsStarted reports whether Start was called.
func (w *Work) IsStarted() bool { return w.writing != nil }

// Blocks splits the rows of a shard into blocks. ranks has the rows; it is nil if they are not
// loaded yet.
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

// rowSize returns a function that returns the size of the row with a rank in a shard, from the
// listing.
func (w *Work) rowSize(ranks rows.Ranked, of order.Range) func(rank int) int64 {
	var some []rows.Row
	return inBatches(of, func(dst []int64, from, to int) []int64 {
		some = ranks.Append(some[:0], from, to)
		for i := range some {
			src, local := w.Set.File(some[i].File)
			dst = append(dst, src.Listing().Files[local].Size)
		}
		return dst
	})
}

// sizesAtOnce is the number of sizes that are looked up together: they are at random positions in
// memory, and the processor then loads several at a time.
const sizesAtOnce = 256

// inBatches returns a function that returns the size of the row with a rank. It calls
// appendSizes for a batch of ranks from … to-1.
func inBatches(of order.Range, appendSizes func(dst []int64, from, to int) []int64) func(rank int) int64 {
	var sizes []int64
	first := 0
	return func(rank int) int64 {
		if rank < first || rank >= first+len(sizes) {
			first, sizes = rank, appendSizes(sizes[:0], rank, min(rank+sizesAtOnce, of.To))
		}
		return sizes[rank-first]
	}
}

// RowsToWrite returns the number of rows in the shards that are not reused.
func (w *Work) RowsToWrite() (n int64) {
	w.each(func(_ int, sh *Shard) {
		if !sh.Kept {
			n += int64(sh.Ranks.Len())
		}
	})
	return n
}

// Records returns the number of records in all shards.
func (w *Work) Records() (n int64) {
	w.each(func(_ int, sh *Shard) { n += sh.Report.Records })
	return n
}

// BytesToWrite returns about the size of the unfinished shards, in bytes.
func (w *Work) BytesToWrite() (n int64) {
	w.each(func(split int, sh *Shard) {
		if !sh.finished() {
			n += w.sizeOf(split, sh)
		}
	})
	return n
}

// sizeOf returns about the uncompressed size of a shard, in bytes.
func (w *Work) sizeOf(split int, sh *Shard) int64 {
	return w.Set.Framing.EmptySize + int64(uint64(sh.Ranks.Len())*w.Plan.Splits[split].Mean())
}

// Finished returns the number of finished and of planned shards.
func (w *Work) Finished() (finished, planned int) {
	w.each(func(_ int, sh *Shard) {
		planned++
		if sh.finished() {
			finished++
		}
	})
	return finished, planned
}

// AddRejects adds the rejected rows of all shards to a list.
func (w *Work) AddRejects(list *rejects.List) {
	w.each(func(_ int, sh *Shard) { sh.addRejects(list) })
}

// Rejects returns the number of rejected rows of all shards.
func (w *Work) Rejects() (n int64) {
	w.each(func(_ int, sh *Shard) {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		n += sh.Report.Rejects.Len()
	})
	return n
}

func (w *Work) each(visit func(split int, sh *Shard)) {
	for i, shards := range w.shards {
		for _, sh := range shards {
			visit(i, sh)
		}
	}
}
