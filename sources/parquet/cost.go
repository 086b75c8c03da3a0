package parquet

import (
	"encoding/binary"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// This file compares rows with limits.record, before anything is made of their values: what
// is stored in a few bytes may be a list of any length.

// deep is how many lists the text of a row may hold for each of its bytes.
func (l *leaf) deep() int { return max(1, len(l.lists)) }

// rowCost is how many bytes a row has of a leaf. Each element of a list counts at least
// one, whether it is null or a list itself.
func (b *block) rowCost(row int) (cost int) {
	if len(b.lists) == 0 {
		switch {
		case !b.has(row):
			return 0
		case b.width > 0:
			return b.width
		}
		return int(b.views[row].size)
	}
	for i := b.firsts[row]; i < b.firsts[row+1]; i++ {
		cost += b.begun(b.reps[i], b.defs[i])
	}
	from, to := b.starts[row], b.starts[row+1]
	if b.width > 0 {
		return cost + int(to-from)*(b.width-1)
	}
	for _, v := range b.views[from:to] {
		cost += max(0, int(v.size)-1)
	}
	return cost
}

// begun is how many elements of lists, one inside another, a level begins; an empty list
// counts as one.
func (l *leaf) begun(rep, def byte) int {
	n := 0
	for i := range l.lists {
		if l.lists[i].rep >= rep && def >= l.lists[i].def {
			n++
		}
	}
	return max(1, n)
}

// cost is how many bytes a row of a sheet has of a field.
func (f *field) cost(i int, row []byte) int {
	switch {
	case f.block != nil:
		return f.block.rowCost(i)
	case !f.has(row):
		return 0
	case f.size > 0:
		return f.size
	}
	return int(binary.LittleEndian.Uint32(row[f.at+4:]))
}

// tooLong is the fault of a row of some columns that are too long, alone or together; nil
// if they are not.
func tooLong(limit, columns int, of func(i int) (*leaf, int)) *schema.RowError {
	all := 0
	for i := range columns {
		l, cost := of(i)
		if all += cost; all <= limit {
			continue
		}
		bad := input.LongRow(limit)
		switch {
		case cost > limit && len(l.lists) > 0:
			bad = input.LongList(limit)
			bad.Column = l.name
		case cost > limit:
			bad = input.LongFile(int64(cost), limit)
			bad.Column = l.name
		}
		return bad
	}
	return nil
}

// check compares a row with the limit.
func (t *sheet) check(i int, row []byte, limit int) error {
	if bad := tooLong(limit, len(t.fields), func(k int) (*leaf, int) { f := &t.fields[k]; return f.leaf, f.cost(i, row) }); bad != nil {
		return bad
	}
	return nil
}
