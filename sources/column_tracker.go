package sources

import (
	"bytes"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A ColumnTracker records which columns rows have, in an input whose columns only rows have. It looks for
// each column until a row has it. It may be used by one goroutine.
type ColumnTracker struct {
	columns  []watchedColumn
	repeated bool  // an empty list does not show that the column exists
	unseen   []int // indexes of columns that no row has had
	seen     ColumnStats
}

// A watchedColumn is a column that a ColumnTracker looks for.
type watchedColumn struct {
	slot  int
	stars int // number of * in its path
}

// ColumnStats has two bits per column of a ColumnTracker: a row has had it, and a row has lacked it. An empty
// list sets neither bit if the path leads to its elements, except where lists are repeated elements: a row
// without such elements lacks the column. A value of another type, which `mixed:
// empty` accepts, sets neither bit, too.
type ColumnStats []byte

func newColumnStats(columns int) ColumnStats { return make(ColumnStats, (columns+3)/4) }

// Add adds the bits of the same columns from other rows.
func (s ColumnStats) Add(other ColumnStats) ColumnStats {
	if len(s) < len(other) {
		s = append(s, make(ColumnStats, len(other)-len(s))...)
	}
	for i, bits := range other {
		s[i] |= bits
	}
	return s
}

func (s ColumnStats) recordPresent(column int) { s[column/4] |= 1 << (column % 4 * 2) }
func (s ColumnStats) recordMissing(column int) { s[column/4] |= 2 << (column % 4 * 2) }

// isMissing reports whether some row has lacked a column and no row has had it.
func (s ColumnStats) isMissing(column int) bool {
	return column/4 < len(s) && s[column/4]>>(column%4*2)&3 == 2
}

// NewColumnTracker returns a ColumnTracker of the source type's columns. It returns nil if they are known without
// rows.
func (l *Layout) NewColumnTracker() *ColumnTracker {
	if !l.s.Input.Columns().Open {
		return nil
	}
	return newColumnTracker(l.s.Input, l.bound)
}

func newColumnTracker(in input.Input, columns []input.Bound) *ColumnTracker {
	w := &ColumnTracker{seen: newColumnStats(len(columns)), repeated: in.Columns().Repeated}
	for _, c := range columns {
		w.columns = append(w.columns, watchedColumn{c.Slot, countStars(c.Name)})
	}
	w.reset()
	return w
}

// countStars returns the number of steps of a path that lead to each element of a list.
func countStars(name string) (n int) {
	for step := range strings.SplitSeq(name, ".") {
		if step == "*" {
			n++
		}
	}
	return n
}

func (w *ColumnTracker) reset() {
	clear(w.seen)
	w.unseen = slices.Grow(w.unseen[:0], len(w.columns))
	for i := range w.columns {
		w.unseen = append(w.unseen, i)
	}
}

// Track records the columns of a row with these values.
func (w *ColumnTracker) Track(row []byte, vals []schema.Value) {
	// Mostly the first rows have all columns. Without record, this is inlined, and costs later rows a comparison.
	if len(w.unseen) > 0 {
		w.record(row, vals)
	}
}

func (w *ColumnTracker) record(row []byte, vals []schema.Value) {
	left := w.unseen[:0] // columns that stay unseen move to the front
	for _, i := range w.unseen {
		c := &w.columns[i]
		v := &vals[c.slot]
		if hasColumn(row, v, c.stars) {
			w.seen.recordPresent(i)
			continue
		}
		left = append(left, i)
		if w.lacksColumn(v) {
			w.seen.recordMissing(i)
		}
	}
	w.unseen = left
}

// Take returns to with the bits of w added, and resets w.
func (w *ColumnTracker) Take(to ColumnStats) ColumnStats {
	to = to.Add(w.seen)
	w.reset()
	return to
}

// hasColumn reports whether a row has the column of v. A null is also a value. If the path leads
// to all elements of a list, the list has the column if an element has it. An empty list does not
// count.
func hasColumn(row []byte, v *schema.Value, stars int) bool {
	switch {
	case v.Kind == schema.Missing:
		// In JSON an absent key has the offset of the row, or of an element without it. A null has its own.
		return int(v.At) < len(row) && bytes.HasPrefix(row[v.At:], []byte("null"))
	case v.Kind == schema.List && stars > 0:
		return slices.ContainsFunc(v.List, func(e schema.Value) bool { return hasColumn(row, &e, stars-1) })
	}
	return true
}

// lacksColumn reports whether a row does not have the column of v, for which hasColumn is false. A list
// does if an element does, or if it is empty because the row lacks the path to its elements. A value of
// another type does not.
func (w *ColumnTracker) lacksColumn(v *schema.Value) bool {
	if v.Kind == schema.List {
		return w.repeated && len(v.List) == 0 || slices.ContainsFunc(v.List,
			func(e schema.Value) bool { return w.lacksColumn(&e) })
	}
	return v.Mixed == schema.NotMixed
}
