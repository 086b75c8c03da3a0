package jsonl

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// This file allocates the memory of long lists: an element takes thirty times the bytes that it has
// in the row. Memory for a list fits its length, and is allocated once. The elements beyond limits.record are only
// counted, so that the error names all of them.

// A firstTooMany is the first element that exceeds limits.record.
type firstTooMany struct {
	at     int
	column string
}

// storable returns how many more elements the lists of the row may have.
func (s *Scanner) storable() int { return s.paths.limits.Record/input.ElementSize - s.listed }

// isStored counts n elements at p, and reports whether there is room for them.
func (s *Scanner) isStored(n, p int) bool {
	if s.listed += n; s.storable() < 0 && s.tooMany == nil {
		s.tooMany = &firstTooMany{at: p}
	}
	return s.tooMany == nil
}

// nameTooMany says to which column the first element too many belongs, unless it is known.
func (s *Scanner) nameTooMany(column int) {
	if s.tooMany != nil && s.tooMany.column == "" {
		s.tooMany.column = s.paths.columns[column].Name
	}
}

// tooManyError returns the error of a row with too many elements, all of which are counted.
func (s *Scanner) tooManyError() *schema.RowError {
	bad := input.LongList(s.listed, s.paths.limits.Record)
	bad.At, bad.Column = s.tooMany.at, s.tooMany.column
	return bad
}

// Lists of more than countedList elements are counted before memory for more elements is allocated.
// Lists of more than longList elements are not moved.
const (
	countedList = 1 << 10
	longList    = 1 << 12
)

// isLong reports whether a list of n elements is not moved when it closes. Then the elements around
// it are moved.
func isLong(n, around int) bool { return n > longList && n > around }

// grow makes room for the elements of open arrays from p on. Complete arrays are not moved.
func (s *Scanner) grow(data []byte, p int) {
	first := s.open[0].base
	pending := s.elements[first:]
	size := max(64, 2*len(pending), min(2*cap(s.elements), 4*longList))
	if len(pending) > countedList {
		size = max(min(s.maxElements(data, p), len(pending)+s.storable()+1), len(pending)+len(pending)/8)
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
	s.elements = append(make([]schema.Value, 0, around+countedList), s.elements[first:first+around]...)
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
			if last == 0 || isLong(count-bases[last], bases[last]) {
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
// the star. The star may be nil. If the list is long, it makes room for the elements that follow.
func (s *Scanner) countElement(star *node, data []byte, p, i int) {
	if star == nil {
		return
	}
	if !s.isStored(len(star.below), p) {
		s.nameTooMany(star.below[0])
		return
	}
	if i != countedList {
		return
	}
	more := min(itemsFrom(data, p), s.storable()/len(star.below)+1)
	more += countedList // for an array in the last element
	for _, c := range star.below {
		if st := &s.states[c]; cap(st.lists)-len(st.lists) < more {
			st.lists = append(make([]schema.Value, 0, len(st.lists)+more), st.lists...)
		}
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
