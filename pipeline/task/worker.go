package task

import (
	"context"

	"tfr-build/internal/prefetch"
	"tfr-build/order"
	"tfr-build/pipeline/count"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
	"tfr-build/tfrecord"
)

// pieceSize is how much of a block a worker holds at most, but for the record that
// goes beyond it.
const pieceSize = 2 << 20

// A Block is consecutive rows of one shard: the unit of work.
type Block struct {
	Shard  *Shard
	Number int // among the blocks of its shard
	Rows   order.Range
	Ranks  rows.Ranked // where the rows are
}

// A Give hands a block to a worker, which calls done when it is through with it.
type Give func(b *Block, done func()) error

// A Worker turns blocks into bytes. It holds what one goroutine needs for life,
// and is to be made by that goroutine, as an encoder is.
type Worker struct {
	work       *Work
	encoder    *rows.Encoder
	counter    *count.Counter // nil where nothing is counted
	compressor *sink.Compressor
	framing    batch
	buf        []byte
	rows, next []rows.Row // at hand, and those after them
	written    []int64    // rows of the block at hand, by source
	records    int64      // of the block at hand
	payload    int64      // bytes of their Examples
}

// NewWorker returns a worker.
func (w *Work) NewWorker() (*Worker, error) {
	wk := &Worker{
		work:    w,
		encoder: w.Set.NewEncoder(),
		buf:     make([]byte, 0, pieceSize+pieceSize/8),
		rows:    make([]rows.Row, 0, rows.Ahead),
		next:    make([]rows.Row, 0, rows.Ahead),
		written: make([]int64, len(w.Set.Sources)),
	}
	if w.counting != nil {
		wk.counter = w.counting.NewCounter()
		wk.encoder.NoteBounds(wk.counter.Bounds())
	}
	var err error
	if wk.framing, err = w.newBatch(); err != nil || w.Compression == sink.None {
		return wk, err
	}
	wk.compressor, err = sink.NewCompressor(w.Compression)
	return wk, err
}

// Close gives back what the readers hold open.
func (w *Worker) Close() { w.encoder.Close() }

// ahead gets the next rows of a block, up to rank to, and asks for the beginning of
// their memory: where it is, the processor finds out for several rows at a time if
// nothing else stands between.
func (w *Worker) ahead(b *Block, from, to int) {
	if w.next = w.next[:0]; from >= to {
		return
	}
	w.next = b.Ranks.Append(w.next, from, to)
	for i := range w.next {
		prefetch.Lines(w.next[i].Data, min(1, w.work.lines))
	}
	w.encoder.Prefetch(w.next)
}

// rest asks for the memory of the i-th of the next rows after its beginning. It is
// called between rows, so that no more is on its way at a time than there is room for.
func (w *Worker) rest(i int) {
	if i < len(w.next) && len(w.next[i].Data) > prefetch.Line {
		prefetch.Lines(w.next[i].Data[prefetch.Line:], w.work.lines-1)
	}
}

// Block encodes a block and writes it to its shard; last says that the shard may
// be finished. After rows that end the run nothing more is written, but all rows
// are read: what is reported at the end is of all of them.
func (w *Worker) Block(ctx context.Context, b *Block) (last bool, err error) {
	w.buf = w.buf[:0]
	b.Shard.begin(w)
	w.ahead(b, b.Rows.From, min(b.Rows.From+rows.Ahead, b.Rows.To))
	for from := b.Rows.From; from < b.Rows.To; from += rows.Ahead {
		to := min(from+rows.Ahead, b.Rows.To)
		w.rows, w.next = w.next, w.rows
		w.ahead(b, to, min(to+rows.Ahead, b.Rows.To))
		for i := range w.rows {
			w.rest(i)
			if err := w.row(ctx, b, &w.rows[i]); err != nil {
				return false, err
			}
		}
		w.framing.Seal(w.buf)
	}
	if w.work.Log.Failed() {
		w.work.Progress.Done(int64(b.Rows.Len()), 0)
		return false, nil
	}
	b.Shard.count(w)
	w.work.Progress.Done(int64(b.Rows.Len()), int64(len(w.buf)))
	return w.write(ctx, b, false)
}

// row adds a row to the block at hand, of which a piece is written when it is
// large enough.
func (w *Worker) row(ctx context.Context, b *Block, r *rows.Row) (err error) {
	failed := w.work.Log.Failed()
	if failed {
		w.buf = w.buf[:0]
		w.framing.Reset()
	}
	w.buf = w.framing.Begin(w.buf)
	start := len(w.buf)
	if w.buf, err = w.encoder.Append(w.buf, r); err != nil {
		w.buf = w.framing.Cancel(w.buf)
		return w.work.Log.Add(r.Place(), err, w.encoder.Faults, b.Shard.reject)
	}
	src, _ := w.work.Set.File(r.File)
	w.written[src.Number]++
	w.payload += int64(len(w.buf) - start)
	if w.counter != nil && !failed { // the memory of what failed is used again
		w.counter.Add(w.buf, start)
		if w.work.Set.Framing == tfrecord.ArrayRecord { // which may move or compress the payload
			w.counter.Flush()
		}
	}
	w.records++
	w.buf = w.framing.End(w.buf)
	if len(w.buf) < pieceSize || failed {
		return nil
	}
	w.framing.Seal(w.buf)
	if w.counter != nil {
		w.counter.Flush()
	}
	w.work.Progress.Done(0, int64(len(w.buf)))
	_, err = w.write(ctx, b, true)
	return err
}

// write hands what is encoded of a block to its shard; more is to follow.
func (w *Worker) write(ctx context.Context, b *Block, more bool) (last bool, err error) {
	file, err := b.Shard.open()
	if err != nil {
		return false, err
	}
	if more {
		err = file.WritePiece(w.work.writing, b.Number, w.buf, w.compressor)
	} else {
		last, err = file.WriteBlock(w.work.writing, b.Number, w.buf, w.compressor)
	}
	w.buf = w.buf[:0]
	if err != nil && ctx.Err() == nil && w.work.Log.Failed() {
		return false, nil // a bad row stopped the writing, not this block
	}
	return last, err
}
