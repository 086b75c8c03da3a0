package column

// Slots numbers columns in the order in which they are first requested. A column is any comparable
// key, such as a name. The zero value is empty.
type Slots[C comparable] struct {
	columns []C
	of      map[C]int
}

// Of returns the slot of a column. A new column gets a new slot.
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

// Columns returns the columns by slot.
func (s *Slots[C]) Columns() []C { return s.columns }
