// Package nameset assigns numbers to names, in the order in which they are added.
package nameset

// A Set numbers names from 0. The zero Set is empty. Several goroutines may read a Set that does not
// change.
type Set struct {
	names   []string
	numbers map[string]int32
}

// Of returns the set of names, and keeps the slice. If a name occurs twice, its first number
// counts. second is the number of the first repeated name, and first the number of its first
// occurrence. second is negative if all names are unique.
func Of(names []string) (s *Set, first, second int) {
	s, second = &Set{names: names, numbers: make(map[string]int32, len(names))}, -1
	for i, name := range names {
		if n, known := s.numbers[name]; !known {
			s.numbers[name] = int32(i)
		} else if second < 0 {
			first, second = int(n), i
		}
	}
	return s, first, second
}

// Len returns the number of names.
func (s *Set) Len() int { return len(s.names) }

// Names returns the names, indexed by their numbers. The result stays valid if names are added.
func (s *Set) Names() []string { return s.names[:len(s.names):len(s.names)] }

// Find returns the number of a name, and whether the set has it.
func (s *Set) Find(name []byte) (n int, ok bool) {
	number, ok := s.numbers[string(name)]
	return int(number), ok
}

// Add adds a copy of a name unless the set has it already. It returns the number of the name, and
// whether it was added.
func (s *Set) Add(name []byte) (n int, added bool) {
	if n, ok := s.Find(name); ok {
		return n, false
	}
	if s.numbers == nil {
		s.numbers = map[string]int32{}
	}
	n = len(s.names)
	s.names = append(s.names, string(name))
	s.numbers[s.names[n]] = int32(n)
	return n, true
}
