package spill

import (
	"context"
	"sync/atomic"

	"tfr-build/pipeline/rows"
)

// How many bytes of text a batch has at most, and how many rows.
const (
	batchText = 128 << 10
	batchRows = 2 << 10
)

// A batch is rows of a file, with their texts.
type batch struct {
	src  *rows.Source
	file int
	rows []batched
	text []byte
}

// A batched row is one whose text ends at an offset, where that of the next begins.
type batched struct {
	offset int64 // of the row in its file
	end    int
}

// add adds a copy of a row; ok is false where there is no room for it.
func (b *batch) add(r *rows.Row) (ok bool) {
	if len(b.rows) == batchRows || len(b.text)+len(r.Data) > batchText {
		return false
	}
	b.text = append(b.text, r.Data...)
	b.rows = append(b.rows, batched{r.Offset, len(b.text)})
	return true
}

// An exchange is where workers that read the rows of a file one after another give them
// to those that have no step left: to read a file is the work of one worker, and what is
// to be done with its rows need not be.
//
//	worker 0   read a file ─► batch ─► full
//	worker 1   its last step │ full ─► spill, spill, …  ─► spare
type exchange struct {
	reading atomic.Int32 // workers that may have steps left
	helping atomic.Int32 // those that have not
	full    chan *batch
	spare   chan *batch
}

func newExchange(workers int) *exchange {
	x := &exchange{full: make(chan *batch, workers), spare: make(chan *batch, 2*workers)}
	x.reading.Store(int32(workers))
	return x
}

// empty is a batch without rows.
func (x *exchange) empty(src *rows.Source, file int) *batch {
	var b *batch
	select {
	case b = <-x.spare:
	default:
		b = &batch{text: make([]byte, 0, batchText)}
	}
	b.src, b.file, b.rows, b.text = src, file, b.rows[:0], b.text[:0]
	return b
}

// pass spills a row, unless there is a worker to help: then it goes into a batch, unless it
// is large or bad.
func (w *worker) pass(src *rows.Source, r *rows.Row) error {
	if w.exchange.helping.Load() == 0 || r.Data == nil || r.Bad != "" || len(r.Data) > batchText/4 {
		return w.spill(src, r)
	}
	if w.batch == nil {
		w.batch = w.exchange.empty(src, r.File)
	}
	if w.batch.add(r) {
		return nil
	}
	if err := w.handOver(); err != nil {
		return err
	}
	w.batch = w.exchange.empty(src, r.File)
	w.batch.add(r)
	return nil
}

// handOver gives away the batch at hand, or spills it: if as many wait already as there
// are workers.
func (w *worker) handOver() error {
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

// spillBatch spills the rows of a batch, which is free then.
func (w *worker) spillBatch(b *batch) error {
	row, from := &rows.Row{}, 0 // and not w.row, which may be the first of the next batch
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

// help spills what others read, until nobody has a step left.
func (w *worker) help(ctx context.Context) error {
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
