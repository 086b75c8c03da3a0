package find

import (
	"testing"

	"tfr-build/order"
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

// TestTeller tells each row once and in order, before its block is handed out, so many
// ahead as there is room for, and in few portions.
func TestTeller(t *testing.T) {
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
		var blocks []task.Block
		for from := 0; from < all; from += tt.block {
			blocks = append(blocks, task.Block{Rows: order.Range{From: from, To: from + tt.block}, Ranks: numbered{}})
		}
		next, asked, portions := 0, 0, 0
		to := &teller{
			blocks: blocks,
			say: func(r *rows.Row) int64 {
				if int(r.Offset) != next {
					t.Fatalf("%s: row %d is told, not %d", tt.name, r.Offset, next)
				}
				next++
				return int64(tt.size)
			},
			ask: func() {
				asked = next
				portions++
			},
		}
		for i, b := range blocks {
			to.until(i)
			if asked < b.Rows.To || asked < min(all, b.Rows.From+leastAhead) || asked > b.Rows.From+tt.most {
				t.Fatalf("%s: at row %d those to %d are asked for", tt.name, b.Rows.From, asked)
			}
		}
		if asked != all || portions > tt.portions {
			t.Errorf("%s: %d rows in %d portions", tt.name, asked, portions)
		}
	}
}
