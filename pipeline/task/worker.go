package task

import (
	"context"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/internal/order"
	"tfr-build/internal/prefetch"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

// pieceSize is the number of bytes of a block that a worker buffers; the last record may exceed
// it.
const pieceSize = 2 << 20

// A Block is a range of consecutive rows of one shard: the unit of work.
type Block struct {
	Shard  *Shard
	Number int         // index in its shard
	Rows   order.Range // ranks in the split
	Ranks  rows.Ranked // returns the rows
}

// An Assign passes a block to a worker. The worker calls done when it has written the block.
type Assign func(b *Block, done func()) error

// A Worker encodes and writes blocks. It has the state of one goroutine, which should create it;
// see [rows.Encoder].
type Worker struct {
	work       *Work
	encoder    *rows.Encoder
	counter    *count.Counter // nil without statistics
	compressor *sink.Compressor
	batch      framing.Batch
	moves      bool // the batch may move or compress a payload
	buf        []byte
	rows, next []rows.Row      // the current rows, and the rows after them
	written    []int64         // rows of the current block, by source
	records    int64           // of the current block
	payload    int64           // bytes of these records without framing
	content    dataset.Content // of these records
}

// NewWorker returns a worker. Close it.
func (w *Work) NewWorker() (*Worker, error) {
	wk := &Worker{
		work:    w,
		encoder: w.Set.NewEncoder(),
		moves:   w.Set.Framing.MovesPayload,
		buf:     make([]byte, 0, pieceSize+pieceSize/8),
		rows:    make([]rows.Row, 0, rows.Ahead),
		next:    make([]rows.Row, 0, rows.Ahead),
		written: make([]int64, len(w.Set.Sources)),
	}
	if w.counting != nil {
		wk.counter = w.counting.NewCounter()
		wk.encoder.Note(wk.counter.Noted)
	}
	var err error
	if wk.batch, err = w.Set.Framing.NewBatch(w.Set.Config.Compression, w.Set.Members()); err != nil ||
		w.Compression == sink.None {
		return wk, err
	}
	wk.compressor, err = sink.NewCompressor(w.Compression)
	return wk, err
}

// Close closes the files that the readers have open.
func (w *Worker) Close() { w.encoder.Close() }

// fetch gets the next rows of a block, up to rank to, and prefetches the first cache line of each.
// Nothing else is between these prefetches, so that the processor translates several addresses at
// a time.
func (w *Worker) fetch(b *Block, from, to int) {
	if w.next = w.next[:0]; from >= to {
		return
	}
	w.next = b.Ranks.Append(w.next, from, to)
	for i := range w.next {
		prefetch.Lines(w.next[i].Data, min(1, w.work.lines))
	}
	w.encoder.Prefetch(w.next)
}

// prefetchRest prefetches the memory of the i-th of the next rows after its first line. It is
// called between rows, so that not too many prefetches are in flight at a time.
func (w *Worker) prefetchRest(i int) {
	if i < len(w.next) && len(w.next[i].Data) > prefetch.Line {
		prefetch.Lines(w.next[i].Data[prefetch.Line:], w.work.lines-1)
	}
}

// Block encodes a block and writes it to its shard. last says that all blocks are written: call
// Finish. After invalid rows made the build fail, it writes nothing, but still reads all rows, so
// that the final message covers them.
func (w *Worker) Block(ctx context.Context, b *Block) (last bool, err error) {
	w.buf = w.buf[:0]
	b.Shard.begin(w)
	w.fetch(b, b.Rows.From, min(b.Rows.From+rows.Ahead, b.Rows.To))
	for from := b.Rows.From; from < b.Rows.To; from += rows.Ahead {
		to := min(from+rows.Ahead, b.Rows.To)
		w.rows, w.next = w.next, w.rows
		w.fetch(b, to, min(to+rows.Ahead, b.Rows.To))
		if err := w.addRows(ctx, b, from); err != nil {
			return false, err
		}
		w.batch.Seal(w.buf)
	}
	if w.work.Log.Failed() {
		w.work.Progress.Done(int64(b.Rows.Len()), 0)
		return false, nil
	}
	b.Shard.count(w)
	w.work.Progress.Done(int64(b.Rows.Len()), int64(len(w.buf)))
	return w.write(ctx, b, false)
}

// addRows encodes the current rows. The first of them has the rank from. A panic names its row.
func (w *Worker) addRows(ctx context.Context, b *Block, from int) error {
	var r *rows.Row
	defer w.work.Set.LocatePanic(&r)
	if w.counter != nil {
		defer w.counter.NameFile()
	}
	for i := range w.rows {
		r = &w.rows[i]
		w.prefetchRest(i)
		if err := w.add(ctx, b, r, from+i); err != nil {
			return err
		}
	}
	return nil
}

// add encodes a row with a rank of the current block, and writes a piece of the block if the buffer is full.
func (w *Worker) add(ctx context.Context, b *Block, r *rows.Row, rank int) (err error) {
	failed := w.work.Log.Failed()
	if failed {
		w.buf = w.buf[:0]
		w.batch.Reset()
	}
	id := w.work.Set.RecordID(r)
	w.buf = w.batch.Begin(w.buf, id)
	start := len(w.buf)
	if w.buf, err = w.encoder.Append(w.buf, r); err != nil {
		w.buf = w.batch.Cancel(w.buf)
		if r.Window > 0 {
			return w.rejectRecord(b, r, rank, err)
		}
		return w.work.Log.Add(r.Locator(), err, w.encoder.EachError, b.Shard.reject)
	}
	if r.Window > 0 {
		w.encoder.AddOwn(w.written)
	} else {
		src, _ := w.work.Set.File(r.File)
		w.written[src.Number]++
	}
	w.payload += int64(len(w.buf) - start)
	if w.work.Visit != nil {
		w.work.Visit(r, w.buf[start:])
	}
	hash := w.content.AddRecord(w.buf[start:])
	if w.counter != nil && !failed { // after a failure the buffer is reused at once
		w.counter.Add(w.buf, start, hash, id)
		if w.moves {
			w.counter.Flush()
		}
	}
	w.records++
	w.buf = w.batch.End(w.buf)
	if len(w.buf) < pieceSize || failed {
		return nil
	}
	w.batch.Seal(w.buf)
	if w.counter != nil {
		w.counter.Flush()
	}
	w.work.Progress.Done(0, int64(len(w.buf)))
	_, err = w.write(ctx, b, true)
	return err
}

// write writes the encoded part of a block, unless nothing is written. more says that the block has more.
func (w *Worker) write(ctx context.Context, b *Block, more bool) (last bool, err error) {
	if w.work.Stage == nil {
		w.buf = w.buf[:0]
		return false, nil
	}
	file, err := b.Shard.open()
	if err != nil {
		return false, err
	}
	if more {
		err = file.WritePart(w.work.writing, b.Number, w.buf, w.compressor)
	} else {
		last, err = file.WriteBlock(w.work.writing, b.Number, w.buf, w.compressor)
	}
	w.buf = w.buf[:0]
	if err != nil && ctx.Err() == nil && w.work.Log.Failed() {
		return false, nil // an invalid row stopped the writing; this block is not the cause
	}
	return last, err
}
