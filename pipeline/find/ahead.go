package find

import (
	"tfr-build/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// How much is told beyond the blocks that are handed out: so many rows or bytes at most,
// but always so many rows that enough is on its way. A disk reads many at once in the
// order in which they stand there.
const (
	leastAhead = 256
	mostAhead  = 8192
	bytesAhead = 128 << 20
)

// A teller tells the sources which rows are going to be read: those of a block before
// it is handed out, and many of those after it. When half of these are left, it tells
// more. Before, it asks whether that helps, and if it does not, it looks at no row and
// asks again when so much was handed out.
type teller struct {
	to     listener // nil where telling helps nobody
	blocks []task.Block
	next   int    // the block that is told next
	sizes  []told // of the blocks that are told and not handed out; zero of those that are passed over
	beyond told   // their sum
	since  told   // what was handed out since it was asked whether telling helps
	helps  bool   // as it was last
	rows   []rows.Row
}

// A listener is who is told, a *rows.Teller.
type listener interface {
	Helps(files int) bool
	Tell(r *rows.Row) (size int64)
	Ask()
}

func newTeller(set *rows.Set, blocks []task.Block) *teller {
	if to := rows.NewTeller(set); to != nil {
		return tellerTo(to, blocks)
	}
	return &teller{}
}

func tellerTo(to listener, blocks []task.Block) *teller {
	t := &teller{to: to, blocks: blocks, helps: true}
	for i := 0; i < len(blocks) && t.since.below(1); i++ { // as if they had been handed out
		t.since.add(&blocks[i])
	}
	return t
}

// A told is how much is told, or handed out.
type told struct {
	rows  int
	bytes int64
}

// below reports whether there is room for more, in one part of n of the whole.
func (t told) below(n int) bool {
	return t.rows < leastAhead || t.rows < mostAhead/n && t.bytes < int64(bytesAhead/n)
}

// add adds a block, as large as one may be.
func (t *told) add(b *task.Block) {
	t.rows += b.Rows.Len()
	t.bytes += order.BlockBytes
}

// until tells block i and some after it. It is called for one block after another.
func (t *teller) until(i int) {
	if t.to == nil {
		return
	}
	if t.next <= i || t.beyond.below(2) {
		t.more(i)
	}
	t.since.add(&t.blocks[i])
	t.beyond.rows -= t.sizes[0].rows
	t.beyond.bytes -= t.sizes[0].bytes
	t.sizes = t.sizes[1:]
}

// more tells block i, if it is not told, and some after it, or passes it over.
func (t *teller) more(i int) {
	if t.helps || t.since.rows >= mostAhead/2 || t.since.bytes >= bytesAhead/2 {
		t.helps = t.to.Helps(t.since.rows)
		t.since = told{}
	}
	switch {
	case t.helps:
		t.tell(i)
	case t.next <= i:
		t.sizes = append(t.sizes, told{})
		t.next++
	}
}

// tell tells blocks up to block i, and as many after it as there is room for.
func (t *teller) tell(i int) {
	from := t.next
	for t.next < len(t.blocks) && (t.next <= i || t.beyond.below(1)) {
		b := &t.blocks[t.next]
		t.rows = b.Ranks.Append(t.rows[:0], b.Rows.From, b.Rows.To)
		size := told{rows: len(t.rows)}
		for k := range t.rows {
			size.bytes += t.to.Tell(&t.rows[k])
		}
		t.sizes = append(t.sizes, size)
		t.beyond.rows += size.rows
		t.beyond.bytes += size.bytes
		t.next++
	}
	if t.next > from {
		t.to.Ask()
	}
}
