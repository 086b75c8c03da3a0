package jsonl

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// This file allocates the memory of long arrays. Memory for an array fits its length, and is allocated once.

// grow makes room for the elements of open arrays from p on. Complete arrays are not moved.
func (s *Scanner) grow(data []byte, p int) {
	first := s.open[0].base
	pending := s.elements[first:]
	size := max(64, 2*len(pending), min(2*cap(s.elements), 16*input.CountedList))
	if len(pending) > input.CountedList {
		size = max(min(s.maxElements(data, p), len(pending)+s.lists.Storable()+1), len(pending)+len(pending)/8)
	}
	s.elements = append(make([]schema.Value, 0, size), pending...)
	s.rebase(first)
}

// rebase adjusts the open arrays after that many elements before them were removed.
func (s *Scanner) rebase(by int) {
	for i := range s.open {
		s.open[i].base -= by
	}
}

// detach leaves the elements of an array that was just closed where they are. It moves the elements
// of the arrays around it, which number around, to new memory.
func (s *Scanner) detach(around int) {
	first := s.open[0].base
	s.elements = append(make([]schema.Value, 0, around+input.CountedList), s.elements[first:first+around]...)
	s.rebase(first)
}

// maxElements returns the maximum number of elements of open arrays at one time, until the
// outermost array or a long array closes. The next element begins at p.
func (s *Scanner) maxElements(data []byte, p int) int {
	var bases []int
	for i := range s.open {
		bases = append(bases, s.open[i].base-s.open[0].base)
	}
	count := len(s.elements) - s.open[0].base
	most := count + 1
	isElement := true // an element may begin
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
				return most // a syntax error
			}
			isElement = true
		case ']':
			most = max(most, count)
			last := len(bases) - 1
			if last == 0 || input.IsLong(count-bases[last], bases[last]) {
				return most
			}
			count, bases, isElement = bases[last]+1, bases[:last], false
		}
	}
	return max(most, count)
}

// quoteEnd returns the offset of the closing quote of the string that begins at p.
func quoteEnd(data []byte, p int) int { return stringEnd(data, special(data, p+1)) }

// objectEnd returns the offset of the closing bracket of the object that begins at p.
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

// countElement counts the element at p, which is element i of an array or object, once for each column below
// the star. The star may be nil.
func (s *Scanner) countElement(star *node, data []byte, p, i int) {
	if star != nil {
		s.lists.Count(star.below, p, i, func() int { return itemsFrom(data, p) })
	}
}

// itemsFrom returns the number of elements of an array, or of members of an object, from the one at p on.
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
		case ']', '}':
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
