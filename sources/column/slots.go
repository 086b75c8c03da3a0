package column

// Slots numbers columns, by their names or by what else tells them apart, in the
// order in which they are first asked for. The zero Slots has none.
type Slots[C comparable] struct {
	columns []C
	of      map[C]int
}

// Of is the slot of a column, a new one for a new column.
func (s *Slots[C]) Of(c C) int {
	i, there := s.of[c]
	if !there {
		if s.of == nil {
			s.of = map[C]int{}
		}
		i = len(s.columns)
		s.of[c], s.columns = i, append(s.columns, c)
	}
	return i
}

// Columns are the columns by slot.
func (s *Slots[C]) Columns() []C { return s.columns }
