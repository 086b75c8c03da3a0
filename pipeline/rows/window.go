package rows

import (
	"bytes"
	"encoding/binary"

	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
)

// A Window is a record that is to be made of rows of a group.
type Window struct {
	Group
	Split    uint8
	Number   int
	From, To int // its rows

	sequence *order.Sequence
	windows  *config.Windows // nil if all rows of a group make one record
}

// Window returns the window that a row stands for: see [Row.Window].
func (s *Set) Window(r *Row) Window {
	w := Window{Group: r.Data, Split: r.Split, Number: r.Window - 1, sequence: s.Sequence,
		windows: s.Config.Group.Windows}
	w.From, w.To = w.windows.Rows(w.Number, w.Rows())
	return w
}

// RecordID returns the row ID that no other record has: of the row, of the first row of the window, or of the row of
// the group that is first in the input.
func (s *Set) RecordID(r *Row) uint64 {
	if r.Window > 0 && s.Config.Group.Windows != nil {
		w := s.Window(r)
		first := w.Row(w.From)
		r = &first
	}
	return s.Space.Address(r.File, r.Offset)
}

// Later returns the window of the same group with a higher number.
func (w *Window) Later(number int) Window {
	later := *w
	later.Number = number
	later.From, later.To = w.windows.Rows(number, w.Rows())
	return later
}

// Own returns the rows of the window that are in no window before it.
func (w *Window) Own() (from, to int) {
	from = w.From
	if w.Number > 0 {
		_, before := w.windows.Rows(w.Number-1, w.Rows())
		from = max(from, before)
	}
	return from, w.To
}

// Row returns row i of the group.
func (w *Window) Row(i int) (r Row) {
	w.setRow(&r, i)
	return r
}

// setRow sets r to row i of the group.
func (w *Window) setRow(r *Row, i int) {
	at := w.rowAt(i)
	r.Split, r.Window, r.Bad = w.Split, 0, ""
	r.File, r.Offset = w.sequence.Locate(binary.LittleEndian.Uint64(w.Group[at:]))
	texts, from := w.textsAt(), 0
	if i > 0 {
		from = w.number(at - groupRow + 8)
	}
	r.Data = w.Group[texts+from : texts+w.number(at+8)]
	if w.Group[at+12] != 0 {
		code, cause, _ := bytes.Cut(r.Data, []byte{0})
		r.Bad, r.Data = string(code), cause
	}
}
