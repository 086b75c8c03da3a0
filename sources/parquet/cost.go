package parquet

import (
	"encoding/binary"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// This file compares rows with limits.record before any value of them is built: a few stored bytes
// may encode a list of any length.

// maxCost returns how many bytes each byte of a serialized row may cost. The levels of an element are two bytes, and
// they may begin as many elements as lists are nested.
func (l *leaf) maxCost() int { return max(1, len(l.lists)*input.ElementSize/2) }

// isNullElement reports whether a level is a missing element of the innermost list.
func (l *leaf) isNullElement(def byte) bool {
	return def >= l.lists[len(l.lists)-1].def && def < l.max.def
}

// rowCost returns the bytes of a row in this leaf. A list element counts [input.ElementSize] besides its text, even if
// it is null or a list. Numbers without missing elements are an array, and count their bytes.
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
	isArray := b.elem != 0
	for i := b.firsts[row]; i < b.firsts[row+1]; i++ {
		cost += input.ElementSize * b.countStarted(b.reps[i], b.defs[i])
		isArray = isArray && !b.isNullElement(b.defs[i])
	}
	from, to := b.starts[row], b.starts[row+1]
	if isArray {
		cost -= input.ElementSize * int(to-from)
	}
	if b.width > 0 {
		return cost + int(to-from)*b.width
	}
	for _, v := range b.views[from:to] {
		cost += int(v.size)
	}
	return cost
}

// countStarted returns the number of list elements that a level begins, in all nested lists. An
// empty list counts as one.
func (l *leaf) countStarted(rep, def byte) int {
	n := 0
	for i := range l.lists {
		if l.lists[i].rep >= rep && def >= l.lists[i].def {
			n++
		}
	}
	return max(1, n)
}

// cost returns the bytes of a row in this field.
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

// longRowError returns the error of a row with columns that exceed limit, alone or together. It
// returns nil if they do not. of returns the leaf and the cost of the i-th column.
func longRowError(limit, columns int, of func(i int) (*leaf, int)) *schema.RowError {
	all := 0
	for i := range columns {
		l, cost := of(i)
		if all += cost; all <= limit {
			continue
		}
		bad := input.LongRow(limit)
		switch {
		case cost > limit && len(l.lists) > 0:
			bad.Column = l.name // the rest of the list is not decoded, so its size is unknown
		case cost > limit:
			bad = input.LongFile(int64(cost), limit)
			bad.Column = l.name
		}
		return bad
	}
	return nil
}

// checkLimit compares the i-th row with limit.
func (t *rowBuffer) checkLimit(i int, row []byte, limit int) error {
	if bad := longRowError(limit, len(t.fields),
		func(k int) (*leaf, int) { f := &t.fields[k]; return f.leaf, f.cost(i, row) }); bad != nil {
		return bad
	}
	return nil
}
