package jsonl

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// This file has the memory of long lists: an element takes thirty times the bytes that it
// is written in. What is made of a list is as long as the list, and is made once.

// Lists of so many elements are counted before there is memory for more of them; those of
// so many are not moved.
const (
	countedList = 1 << 10
	longList    = 1 << 12
)

// isLong reports whether a list of n elements stays where it is when it closes, and the
// elements around it move.
func isLong(n, around int) bool { return n > longList && n > around }

// grow makes room for the elements of open arrays from p on. What is complete stays where it is.
func (s *Scanner) grow(data []byte, p int) {
	first := s.open[0].base
	pending := s.elements[first:]
	size := max(64, 2*len(pending), min(2*cap(s.elements), 4*longList))
	if len(pending) > countedList {
		size = max(s.most(data, p), len(pending)+len(pending)/8)
	}
	s.elements = append(input.NewElements(size)[:0], pending...)
	s.rebase(first)
}

// rebase says that so many elements before those of open arrays are gone.
func (s *Scanner) rebase(by int) {
	for i := range s.open {
		s.open[i].base -= by
	}
}

// detach leaves the elements of an array that has just been closed where they are, and
// moves the elements of those around it, of which there are so many.
func (s *Scanner) detach(around int) {
	first := s.open[0].base
	s.elements = append(make([]schema.Value, 0, around+countedList), s.elements[first:first+around]...)
	s.rebase(first)
}

// most is how many elements of open arrays there will be at once, until the outermost
// closes or a long one does. The next element begins at p.
func (s *Scanner) most(data []byte, p int) int {
	var bases []int
	for i := range s.open {
		bases = append(bases, s.open[i].base-s.open[0].base)
	}
	count := len(s.elements) - s.open[0].base
	most := count + 1
	isElement := true // one may begin
	for ; p < len(data) && data[p] != '\n' || s.multiline && p < len(data); p++ {
		c := data[p]
		if isElement && c > ' ' && c != '[' && c != ']' && c != ',' {
			count++
			isElement = false
		}
		switch c {
		case '"':
			p = quoteEnd(data, p)
		case '{':
			p = objectEnd(data, p)
		case '[':
			bases, isElement = append(bases, count), true
		case ',':
			if isElement {
				return most // which is a fault
			}
			isElement = true
		case ']':
			most = max(most, count)
			last := len(bases) - 1
			if last == 0 || isLong(count-bases[last], bases[last]) {
				return most
			}
			count, bases, isElement = bases[last]+1, bases[:last], false
		}
	}
	return max(most, count)
}

// quoteEnd is where the string that begins at p ends: its last quote.
func quoteEnd(data []byte, p int) int { return stringEnd(data, special(data, p+1)) }

// objectEnd is where the object that begins at p ends: its last bracket.
func objectEnd(data []byte, p int) int {
	for depth := 0; p < len(data); p++ {
		switch data[p] {
		case '"':
			p = quoteEnd(data, p)
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return p
			}
		}
	}
	return p
}

// fan counts the element at p, the i-th of an array, for each column below the star, which
// may be nil. Where the array is long, it makes room for those that follow.
func (s *Scanner) fan(star *node, data []byte, p, i int) error {
	if star == nil {
		return nil
	}
	if s.fanned += len(star.below); s.fanned > s.paths.limits.Record {
		bad := input.LongList(s.paths.limits.Record)
		bad.At, bad.Column = p, s.paths.columns[star.below[0]].Name
		return bad
	}
	if i != countedList {
		return nil
	}
	more := min(itemsFrom(data, p), (s.paths.limits.Record-s.fanned)/len(star.below)+1)
	more += countedList // of an array in the last of them
	for _, c := range star.below {
		if st := &s.states[c]; cap(st.lists)-len(st.lists) < more {
			st.lists = append(input.NewElements(len(st.lists) + more)[:0], st.lists...)
		}
	}
	return nil
}

// itemsFrom is how many elements an array has from the one at p on.
func itemsFrom(data []byte, p int) int {
	n := 1
	for depth := 0; p < len(data); p++ {
		switch data[p] {
		case '"':
			p = quoteEnd(data, p)
		case '{':
			p = objectEnd(data, p)
		case '[':
			depth++
		case ']':
			if depth--; depth < 0 {
				return n
			}
		case ',':
			if depth == 0 {
				n++
			}
		}
	}
	return n
}
