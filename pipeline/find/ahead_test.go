package find

import (
	"testing"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
)

// numbered are rows whose offset is their rank.
type numbered struct{}

func (numbered) Append(dst []rows.Row, from, to int) []rows.Row {
	for i := from; i < to; i++ {
		dst = append(dst, rows.Row{Offset: int64(i)})
	}
	return dst
}

// A recorder is read-ahead that records which rows are requested.
type recorder struct {
	t        *testing.T
	size     int // of a row, in bytes
	helps    func(files int) bool
	next     int // row
	asked    int // all rows before this one were requested
	portions int
}

func (l *recorder) Helps(files int) bool { return l.helps(files) }

func (l *recorder) Add(r *rows.Row) int64 {
	if int(r.Offset) != l.next {
		l.t.Fatalf("row %d is added, not %d", r.Offset, l.next)
	}
	l.next++
	return int64(l.size)
}

func (l *recorder) Start() {
	l.asked = l.next
	l.portions++
}

// blocksOf are the blocks of numbered rows.
func blocksOf(all, block int) (blocks []task.Block) {
	for from := 0; from < all; from += block {
		blocks = append(blocks, task.Block{Rows: order.Range{From: from, To: from + block}, Ranks: numbered{}})
	}
	return blocks
}

// TestWindowWhereReadAheadHelpsForATime skips rows while read-ahead does not help, and asks
// for the blocks that are not handed out while it does.
func TestWindowWhereReadAheadHelpsForATime(t *testing.T) {
	const block, all = 300, 60_000
	handed, known := 0, (mostAhead/block+1)*block // as if a window had been handed out before the first
	from, until := all/3/block*block, all/2/block*block
	l := &recorder{t: t, size: 100}
	l.helps = func(files int) bool {
		if files != known {
			t.Fatalf("at row %d: %d files were read, not %d", handed, known, files)
		}
		known = 0
		l.next = max(l.next, handed) // skipped rows are not added
		return handed >= from && handed < until
	}
	w := windowOver(l, blocksOf(all, block))
	late := 0
	for i := range w.blocks {
		w.advance(i)
		switch ahead := l.asked > handed; {
		case !ahead && handed >= from && handed < until:
			late += block
		case ahead && (handed < from || handed > until+mostAhead+block):
			t.Fatalf("row %d is requested", handed)
		}
		handed += block
		known += block
	}
	if late > mostAhead/2+block || l.asked < until || len(w.sizes) > 0 || w.ahead != (amount{}) {
		t.Errorf("%d rows too late; all before %d asked for; %v left", late, l.asked, w.ahead)
	}
}

// TestReadAheadWindow adds each row once and in order, before its block is handed out, never beyond
// the window, and in few portions.
func TestReadAheadWindow(t *testing.T) {
	for _, tt := range []struct {
		name        string
		block, size int // rows, and bytes of one
		most        int // rows ahead
		portions    int
	}{
		{"small files", 300, 100, mostAhead + 300, 20},
		{"photos", 10, 128 << 10, bytesAhead/(128<<10) + 10, 120},
		{"films", 1, 1 << 30, leastAhead + 1, 60_000},
	} {
		const all = 60_000
		questions := 0
		l := &recorder{t: t, size: tt.size, helps: func(int) bool {
			questions++
			return true
		}}
		w := windowOver(l, blocksOf(all, tt.block))
		for i, b := range w.blocks {
			w.advance(i)
			if l.asked < b.Rows.To || l.asked < min(all, b.Rows.From+leastAhead) || l.asked > b.Rows.From+tt.most {
				t.Fatalf("%s: at row %d those to %d are requested", tt.name, b.Rows.From, l.asked)
			}
		}
		if l.asked != all || l.portions > tt.portions || questions < l.portions {
			t.Errorf("%s: %d rows in %d portions, after %d questions", tt.name, l.asked, l.portions, questions)
		}
	}
}
