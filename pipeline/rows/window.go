package rows

// A Window is a record that is to be made of rows of a group.
type Window struct {
	Group
	Split    uint8
	Number   int
	From, To int // its rows
}

// Window returns the window that a row stands for: see [Row.Window].
func (s *Set) Window(r *Row) Window {
	w := Window{Group: r.Data, Split: r.Split, Number: r.Window - 1}
	w.From, w.To = s.windowsOf().Rows(w.Number, w.Rows())
	return w
}

// Later returns the window of the same group with a higher number.
func (s *Set) Later(w *Window, number int) Window {
	later := *w
	later.Number = number
	later.From, later.To = s.windowsOf().Rows(number, w.Rows())
	return later
}

// WindowRows returns the rows of a window of a group with so many rows: those from from to to-1.
func (s *Set) WindowRows(number, rows int) (from, to int) {
	return s.windowsOf().Rows(number, rows)
}

// CountWindows returns the number of windows of a group with so many rows.
func (s *Set) CountWindows(rows int) int { return s.windowsOf().Count(rows) }

// Own returns the rows of the window that are in no window before it.
func (s *Set) Own(w *Window) (from, to int) {
	from = w.From
	if w.Number > 0 {
		_, before := s.windowsOf().Rows(w.Number-1, w.Rows())
		from = max(from, before)
	}
	return from, w.To
}
