package find

import (
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// aheadRows is how many rows are told beyond the blocks that are handed out.
const aheadRows = 256

// A teller tells the sources which rows are going to be read: those of a block before
// it is handed out, and of those after it so many that there is always enough to be on
// its way.
type teller struct {
	tell   func(*rows.Row) // nil where that helps nobody
	blocks []task.Block
	next   int // the block that is told next
	beyond int // rows that are told, of blocks that are not handed out
	rows   []rows.Row
}

// until tells block i and some after it. It is called for one block after another.
func (t *teller) until(i int) {
	if t.tell == nil {
		return
	}
	for t.next < len(t.blocks) && (t.next <= i || t.beyond < aheadRows) {
		b := &t.blocks[t.next]
		t.rows = b.Ranks.Append(t.rows[:0], b.Rows.From, b.Rows.To)
		for k := range t.rows {
			t.tell(&t.rows[k])
		}
		t.beyond += len(t.rows)
		t.next++
	}
	t.beyond -= t.blocks[i].Rows.Len()
}
