package column

// Slots numbers columns in the order in which they are first asked for. The zero
// Slots has none.
type Slots struct {
	names []string
	of    map[string]int
}

// Of is the slot of a column, a new one for a new column.
func (s *Slots) Of(name string) int {
	i, there := s.of[name]
	if !there {
		if s.of == nil {
			s.of = map[string]int{}
		}
		i = len(s.names)
		s.of[name], s.names = i, append(s.names, name)
	}
	return i
}

// Names are the columns by slot.
func (s *Slots) Names() []string { return s.names }
