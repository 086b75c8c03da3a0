package find

import (
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
// more.
type teller struct {
	say    func(*rows.Row) (size int64) // nil where that helps nobody
	ask    func()
	blocks []task.Block
	next   int    // the block that is told next
	sizes  []told // of the blocks that are told and not handed out
	beyond told   // their sum
	rows   []rows.Row
}

func newTeller(set *rows.Set, blocks []task.Block) *teller {
	t := &teller{blocks: blocks}
	if to := rows.NewTeller(set); to != nil {
		t.say, t.ask = to.Tell, to.Ask
	}
	return t
}

// A told is how much is told.
type told struct {
	rows  int
	bytes int64
}

// below reports whether there is room for more, in one part of n of the whole.
func (t told) below(n int) bool {
	return t.rows < leastAhead || t.rows < mostAhead/n && t.bytes < int64(bytesAhead/n)
}

// until tells block i and some after it. It is called for one block after another.
func (t *teller) until(i int) {
	if t.say == nil {
		return
	}
	if t.next <= i || t.beyond.below(2) {
		t.tell(i)
	}
	t.beyond.rows -= t.sizes[0].rows
	t.beyond.bytes -= t.sizes[0].bytes
	t.sizes = t.sizes[1:]
}

// tell tells blocks up to block i, and as many after it as there is room for.
func (t *teller) tell(i int) {
	from := t.next
	for t.next < len(t.blocks) && (t.next <= i || t.beyond.below(1)) {
		b := &t.blocks[t.next]
		t.rows = b.Ranks.Append(t.rows[:0], b.Rows.From, b.Rows.To)
		size := told{rows: len(t.rows)}
		for k := range t.rows {
			size.bytes += t.say(&t.rows[k])
		}
		t.sizes = append(t.sizes, size)
		t.beyond.rows += size.rows
		t.beyond.bytes += size.bytes
		t.next++
	}
	if t.next > from {
		t.ask()
	}
}
