package pipeline

import (
	"context"

	"tfr-build/internal/prefetch"
	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sink"
	"tfr-build/sources"
	"tfr-build/tfrecord"
)

const (
	// lookAhead is how many rows are looked up at a time: while they are
	// encoded, the memory of the next ones is on its way.
	lookAhead = 16
	// pieceSize is how much of a block a worker holds at most, but for the
	// record that goes beyond it.
	pieceSize = 2 << 20
	// keepSize is how large a buffer may be to be kept for the next block.
	keepSize = 8 << 20
)

// A block is consecutive rows of one shard: the unit of work.
type block struct {
	shard  *shard
	number int // among the blocks of its shard
	rows   order.Range
	ranks  ranked // where the rows are
}

// A worker turns blocks into bytes. It holds what one goroutine needs for life.
type worker struct {
	j          *job
	readers    []*sources.Reader // by source
	encoders   []*schema.Encoder
	compressor *sink.Compressor
	buf        []byte
	rows, next []row // at hand, and those after them
	framing    tfrecord.Batch
	split      uint8   // of the rows that are read
	written    []int64 // rows of the block at hand, by source
	records    int64   // of the block at hand
	payload    int64   // bytes of their Examples
}

// newWorker is to be called by the goroutine that uses the worker: what one
// goroutine allocates seldom shares a line of memory with what another does, and
// a line that two write to goes back and forth between their caches.
func (j *job) newWorker() (*worker, error) {
	w := &worker{
		j:        j,
		readers:  make([]*sources.Reader, len(j.sources)),
		encoders: make([]*schema.Encoder, len(j.sources)),
		buf:      make([]byte, 0, pieceSize+pieceSize/8),
		rows:     make([]row, 0, lookAhead),
		next:     make([]row, 0, lookAhead),
		written:  make([]int64, len(j.sources)),
		split:    order.NoSplit,
	}
	for i, s := range j.sources {
		w.readers[i], w.encoders[i] = s.layout.NewReader(), s.schema.NewEncoder()
	}
	kind := j.compression()
	if kind == sink.None {
		return w, nil
	}
	var err error
	w.compressor, err = sink.NewCompressor(kind)
	return w, err
}

func (w *worker) close() {
	for _, r := range w.readers {
		r.Close()
	}
}

// encode reads a row and appends its Example to dst. On an error dst keeps its
// length.
func (w *worker) encode(dst []byte, r *row) ([]byte, error) {
	if r.bad != "" {
		return dst, cutBad(r.bad)
	}
	if r.split != w.split {
		w.enter(r.split)
	}
	f := &w.j.files[r.file]
	vals, err := w.readers[f.source.number].Read(f.local, r.data)
	if err != nil {
		return dst, err
	}
	return w.encoders[f.source.number].Append(dst, vals)
}

// cutBad stands for what the cutter said of a row when it was parted; the row is
// looked at again for its message.
func cutBad(code string) error {
	return &schema.RowError{Code: code, At: -1, Message: "the row has no proper end"}
}

// look looks up the next rows of a block, up to rank to, and asks for their
// memory.
func (w *worker) look(b *block, from, to int) {
	if w.next = w.next[:0]; from >= to {
		return
	}
	w.next = b.ranks.append(w.next, from, to)
	for i := range w.next {
		prefetch.Lines(w.next[i].data, w.j.lines)
	}
}

// block encodes a block and writes it to its shard. After the first bad row of
// the run nothing more is written: the rows that stand before it in source
// order are looked through, for the first of all bad rows to be the one that
// is reported.
func (w *worker) block(ctx context.Context, b *block) error {
	w.buf = w.buf[:0]
	w.look(b, b.rows.From, min(b.rows.From+lookAhead, b.rows.To))
	for from := b.rows.From; from < b.rows.To; from += lookAhead {
		to := min(from+lookAhead, b.rows.To)
		w.rows, w.next = w.next, w.rows
		w.look(b, to, min(to+lookAhead, b.rows.To))
		for i := range w.rows {
			if err := w.row(ctx, b, &w.rows[i]); err != nil {
				return err
			}
		}
		w.framing.Seal(w.buf)
	}
	if w.j.looking.Load() {
		return nil
	}
	b.shard.count(w)
	w.j.run.Progress.done(int64(b.rows.Len()), int64(len(w.buf)))
	return w.write(ctx, b, false)
}

// row adds a row to the block at hand, of which a piece is written when it is
// large enough.
func (w *worker) row(ctx context.Context, b *block, r *row) (err error) {
	looking := w.j.looking.Load()
	if looking {
		w.buf = w.buf[:0]
		w.framing.Reset()
		if !w.j.wanted(r) {
			return nil
		}
	}
	w.buf = w.framing.Begin(w.buf)
	start := len(w.buf)
	if w.buf, err = w.encode(w.buf, r); err != nil {
		w.buf = w.framing.Cancel(w.buf)
		return w.j.reject(r.place(), b.shard, err)
	}
	w.written[w.j.files[r.file].source.number]++
	w.payload += int64(len(w.buf) - start)
	w.records++
	w.buf = w.framing.End(w.buf)
	if len(w.buf) < pieceSize || looking {
		return nil
	}
	w.framing.Seal(w.buf)
	w.j.run.Progress.done(0, int64(len(w.buf)))
	return w.write(ctx, b, true)
}

// write hands what is encoded of a block to its shard; more is to follow.
func (w *worker) write(ctx context.Context, b *block, more bool) error {
	file, err := b.shard.open(w.j)
	if err != nil {
		return err
	}
	last := false
	if more {
		err = file.WritePiece(w.j.writing, b.number, w.buf, w.compressor)
	} else {
		last, err = file.WriteBlock(w.j.writing, b.number, w.buf, w.compressor)
	}
	if cap(w.buf) > keepSize {
		w.buf = make([]byte, 0, pieceSize+pieceSize/8)
	}
	w.buf = w.buf[:0]
	switch {
	case err != nil && ctx.Err() == nil && w.j.looking.Load():
		return nil // a bad row stopped the writing, not this block
	case err != nil || !last:
		return err
	}
	return w.j.finish(b.shard)
}

// enter makes the rows that are read from now on rows of a split.
func (w *worker) enter(split uint8) {
	w.split = split
	for _, r := range w.readers {
		r.SetSplit(w.j.splits.name(split))
	}
}

// bad notes a row that cannot be used.
func (j *job) bad(p order.Place) {
	j.firstMu.Lock()
	defer j.firstMu.Unlock()
	r := row{file: p.File, offset: p.Offset}
	if !j.looking.Load() || r.before(j.first) {
		j.first = p
	}
	j.looking.Store(true)
	if j.stopWriting != nil {
		j.stopWriting()
	}
}

// wanted reports whether a row stands before all bad rows that are known.
func (j *job) wanted(r *row) bool {
	j.firstMu.Lock()
	defer j.firstMu.Unlock()
	return r.before(j.first)
}
