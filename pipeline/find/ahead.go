package find

import (
	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// How far read-ahead goes beyond the blocks that are dispatched: at most mostAhead rows and
// bytesAhead bytes, and always at least leastAhead rows. A disk is fastest if it has many
// requests at once and reads them in the order of their positions.
const (
	leastAhead = 256
	mostAhead  = 8192
	bytesAhead = 128 << 20
)

// A window is the part of the rows for which read-ahead is requested:
//
//	│ dispatched │ requested: at most mostAhead rows │ later …
//	             ▲ advance                            ▲ next
//
// A block is requested before it is dispatched. When half of the window is dispatched,
// extend requests more. First it asks whether read-ahead helps; if not, it reads no row
// and asks again half a window later.
type window struct {
	to     readAhead // nil if read-ahead helps no source
	blocks []task.Block
	next   int      // the first block that is not requested
	sizes  []amount // of the blocks that are requested and not dispatched; zero for skipped ones
	ahead  amount   // their sum
	since  amount   // dispatched since Helps was called
	helps  bool     // what Helps returned last
	rows   []rows.Row
}

// readAhead is implemented by *rows.ReadAhead, and by the tests.
type readAhead interface {
	Helps(files int) bool
	Add(r *rows.Row) (size int64)
	Start()
}

func newWindow(set *rows.Set, blocks []task.Block) *window {
	if to := rows.NewReadAhead(set); to != nil {
		return windowOver(to, blocks)
	}
	return &window{}
}

func windowOver(to readAhead, blocks []task.Block) *window {
	w := &window{to: to, blocks: blocks, helps: true}
	for i := 0; i < len(blocks) && w.since.below(1); i++ { // as if they had been dispatched
		w.since.add(&blocks[i])
	}
	return w
}

// An amount is a number of rows and the bytes of their files.
type amount struct {
	rows  int
	bytes int64
}

// below reports whether a is less than one nth of the window.
func (a amount) below(n int) bool {
	return a.rows < leastAhead || a.rows < mostAhead/n && a.bytes < int64(bytesAhead/n)
}

// add adds a block, with the largest size that a block can have.
func (a *amount) add(b *task.Block) {
	a.rows += b.Rows.Len()
	a.bytes += order.BlockBytes
}

// advance moves the window to block i, which is dispatched next. Blocks are dispatched in
// their order.
func (w *window) advance(i int) {
	if w.to == nil {
		return
	}
	if w.next <= i || w.ahead.below(2) {
		w.extend(i)
	}
	w.since.add(&w.blocks[i])
	w.ahead.rows -= w.sizes[0].rows
	w.ahead.bytes -= w.sizes[0].bytes
	w.sizes = w.sizes[1:]
}

// extend requests blocks up to the end of the window, block i among them, or skips block
// i.
func (w *window) extend(i int) {
	if w.helps || w.since.rows >= mostAhead/2 || w.since.bytes >= bytesAhead/2 {
		w.helps = w.to.Helps(w.since.rows)
		w.since = amount{}
	}
	switch {
	case w.helps:
		w.fill(i)
	case w.next <= i:
		w.sizes = append(w.sizes, amount{})
		w.next++
	}
}

// fill requests blocks up to block i, and those after it until the window is full.
func (w *window) fill(i int) {
	from := w.next
	for w.next < len(w.blocks) && (w.next <= i || w.ahead.below(1)) {
		b := &w.blocks[w.next]
		w.rows = b.Ranks.Append(w.rows[:0], b.Rows.From, b.Rows.To)
		size := amount{rows: len(w.rows)}
		for k := range w.rows {
			size.bytes += w.to.Add(&w.rows[k])
		}
		w.sizes = append(w.sizes, size)
		w.ahead.rows += size.rows
		w.ahead.bytes += size.bytes
		w.next++
	}
	if w.next > from {
		w.to.Start()
	}
}
