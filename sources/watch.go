package sources

import (
	"bytes"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Watch notes which columns rows have, of those that only rows tell. It belongs
// to one goroutine. Each column is looked for until a row has it.
type Watch struct {
	columns []watched
	left    []int // of columns, those that no row has had
	seen    Seen
}

// A watched is a column that only rows tell.
type watched struct {
	slot  int
	stars int // in its path
}

// Seen are two bits for each column of a Watch: a row has had it, and a row has
// lacked it. Neither is set by an empty list, where a path leads to its elements, nor by a
// value of another kind, which `mixed: empty` lets be.
type Seen []byte

func newSeen(columns int) Seen { return make(Seen, (columns+3)/4) }

// Add adds what was seen of the same columns elsewhere.
func (s Seen) Add(other Seen) Seen {
	if len(s) < len(other) {
		s = append(s, make(Seen, len(other)-len(s))...)
	}
	for i, bits := range other {
		s[i] |= bits
	}
	return s
}

func (s Seen) had(column int)    { s[column/4] |= 1 << (column % 4 * 2) }
func (s Seen) lacked(column int) { s[column/4] |= 2 << (column % 4 * 2) }

// lacking reports whether some row has lacked a column and none has had it.
func (s Seen) lacking(column int) bool {
	return column/4 < len(s) && s[column/4]>>(column%4*2)&3 == 2
}

// NewWatch watches the kind's own columns; nil where they are known without rows.
func (l *Layout) NewWatch() *Watch {
	if !l.s.Input.Columns().Open {
		return nil
	}
	return newWatch(l.bound)
}

func newWatch(columns []input.Bound) *Watch {
	w := &Watch{seen: newSeen(len(columns))}
	for _, c := range columns {
		w.columns = append(w.columns, watched{c.Slot, stars(c.Name)})
	}
	w.reset()
	return w
}

// stars counts the steps of a path that lead to each element of a list.
func stars(name string) (n int) {
	for step := range strings.SplitSeq(name, ".") {
		if step == "*" {
			n++
		}
	}
	return n
}

func (w *Watch) reset() {
	clear(w.seen)
	w.left = slices.Grow(w.left[:0], len(w.columns))
	for i := range w.columns {
		w.left = append(w.left, i)
	}
}

// Look looks at a row and its values.
func (w *Watch) Look(row []byte, vals []schema.Value) {
	if len(w.left) > 0 {
		w.look(row, vals)
	}
}

func (w *Watch) look(row []byte, vals []schema.Value) {
	left := w.left[:0]
	for _, i := range w.left {
		c := &w.columns[i]
		v := &vals[c.slot]
		if has(row, v, c.stars) {
			w.seen.had(i)
			continue
		}
		left = append(left, i)
		if lacks(v) {
			w.seen.lacked(i)
		}
	}
	w.left = left
}

// Take adds what was seen to that of others, and watches anew.
func (w *Watch) Take(to Seen) Seen {
	to = to.Add(w.seen)
	w.reset()
	return to
}

// has reports whether a row has the column that v is of. A null is a value, too.
// On a path through all elements a list has it where an element does: an empty
// one says nothing.
func has(row []byte, v *schema.Value, stars int) bool {
	switch {
	case v.Kind == schema.Missing:
		return int(v.At) < len(row) && bytes.HasPrefix(row[v.At:], []byte("null"))
	case v.Kind == schema.List && stars > 0:
		return slices.ContainsFunc(v.List, func(e schema.Value) bool { return has(row, &e, stars-1) })
	}
	return true
}

// lacks reports whether a row lacks the column that v is of, and has is false: a list
// does where an element does, a value of another kind does not.
func lacks(v *schema.Value) bool {
	if v.Kind == schema.List {
		return slices.ContainsFunc(v.List, func(e schema.Value) bool { return lacks(&e) })
	}
	return v.Mixed == schema.NotMixed
}
