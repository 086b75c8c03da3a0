package spill

import (
	"context"
	"sync/atomic"

	"tfr-build/pipeline/rows"
)

// Limits of a batch: bytes of text and number of rows.
const (
	batchText = 128 << 10
	batchRows = 2 << 10
)

// A batch has rows of a file, with a copy of their data.
type batch struct {
	src  *rows.Source
	file int
	rows []batchRow
	text []byte
}

// A batchRow is a row of a batch. Its text ends at end, where the next text begins.
type batchRow struct {
	offset int64 // of the row in its file
	end    int
}

// add adds a copy of a row; ok is false if the batch is full.
func (b *batch) add(r *rows.Row) (ok bool) {
	if len(b.rows) == batchRows || len(b.text)+len(r.Data) > batchText {
		return false
	}
	b.text = append(b.text, r.Data...)
	b.rows = append(b.rows, batchRow{r.Offset, len(b.text)})
	return true
}

// An exchange passes batches of rows between workers. One worker reads a file that must be read in
// sequence. Workers without a step left spill its rows:
//
//	worker 0   read a file ─► batch ─► full
//	worker 1   its last step │ full ─► spill, spill, …  ─► spare
type exchange struct {
	reading atomic.Int32 // workers that may have steps left
	helping atomic.Int32 // workers that have none
	full    chan *batch  // batches to spill
	spare   chan *batch  // batches to reuse
}

func newExchange(workers int) *exchange {
	x := &exchange{full: make(chan *batch, workers), spare: make(chan *batch, 2*workers)}
	x.reading.Store(int32(workers))
	return x
}

// newBatch returns an empty batch.
func (x *exchange) newBatch(src *rows.Source, file int) *batch {
	var b *batch
	select {
	case b = <-x.spare:
	default:
		b = &batch{text: make([]byte, 0, batchText)}
	}
	b.src, b.file, b.rows, b.text = src, file, b.rows[:0], b.text[:0]
	return b
}

// spillOrBatch adds a row to the batch for another worker. If no worker is idle, or the row is
// large or invalid, it spills the row itself.
func (w *worker) spillOrBatch(src *rows.Source, r *rows.Row) error {
	if w.exchange.helping.Load() == 0 || r.Data == nil || r.Bad != "" || len(r.Data) > batchText/4 {
		return w.spill(src, r)
	}
	if w.batch == nil {
		w.batch = w.exchange.newBatch(src, r.File)
	}
	if w.batch.add(r) {
		return nil
	}
	if err := w.sendBatch(); err != nil {
		return err
	}
	w.batch = w.exchange.newBatch(src, r.File)
	w.batch.add(r)
	return nil
}

// sendBatch passes the current batch to another worker. If the queue is full, it spills the batch
// itself.
func (w *worker) sendBatch() error {
	b := w.batch
	w.batch = nil
	if b == nil {
		return nil
	}
	select {
	case w.exchange.full <- b:
		return nil
	default:
		return w.spillBatch(b)
	}
}

// spillBatch spills the rows of a batch, and makes it free for reuse.
func (w *worker) spillBatch(b *batch) error {
	row, from := &rows.Row{}, 0 // not w.row, which may be the first row of the next batch
	for i := range b.rows {
		of := &b.rows[i]
		*row = rows.Row{File: b.file, Offset: of.offset, Data: b.text[from:of.end]}
		from = of.end
		if err := w.spill(b.src, row); err != nil {
			return err
		}
	}
	select {
	case w.exchange.spare <- b:
	default:
	}
	return nil
}

// spillBatches spills batches of other workers, until no worker has a step left.
func (w *worker) spillBatches(ctx context.Context) error {
	x := w.exchange
	x.helping.Add(1)
	if x.reading.Add(-1) == 0 {
		close(x.full)
	}
	for {
		select {
		case b, more := <-x.full:
			if !more {
				return nil
			}
			if err := w.spillBatch(b); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
