package jsonl

import (
	"bytes"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// capture parses the value at p, nested in depth objects and arrays, into v.
func (s *Scanner) capture(data []byte, p int, v *schema.Value, depth int) (end int, err error) {
	switch at(data, p) {
	case '[':
		return s.captureList(data, p, v, depth)
	case '{':
		if end, err = s.skip(data, p, depth); err != nil {
			return 0, err
		}
		*v = schema.Value{Text: data[p:end:end], At: uint32(p), Kind: schema.Object}
		return end, nil
	}
	return s.scanAtom(data, p, v)
}

// An openList is an array that is being captured.
type openList struct {
	at   int // offset of its bracket
	base int // its elements are elements[base:]
}

// captureList parses an array into v. The elements of open arrays are consecutive in s.elements. An
// inner array that closes moves its elements to s.inner and becomes an element itself; long arrays
// are an exception, see detach. The elements of the outermost array are not moved.
func (s *Scanner) captureList(data []byte, p int, v *schema.Value, depth int) (int, error) {
	s.open = s.open[:0]
	for {
		if at(data, p) == '[' {
			if depth+len(s.open) >= s.paths.limits.Depth {
				return 0, tooDeep(p, s.paths.limits.Depth)
			}
			if len(s.open) > 0 && s.lists.IsStored(1, p) && len(s.elements) == cap(s.elements) {
				s.grow(data, p) // for the list itself
			}
			s.open = append(s.open, openList{at: p, base: len(s.elements)})
			p = s.skipSpace(data, p+1)
			if at(data, p) != ']' {
				continue
			}
		} else {
			element := &s.unstored
			if s.lists.IsStored(1, p) {
				if len(s.elements) == cap(s.elements) {
					s.grow(data, p)
				}
				s.elements = append(s.elements, schema.Value{})
				element = &s.elements[len(s.elements)-1]
			}
			end, err := s.capture(data, p, element, depth+len(s.open))
			if err != nil {
				return 0, err
			}
			p = s.skipSpace(data, end)
		}
		for at(data, p) == ']' {
			if s.closeList(v); len(s.open) == 0 {
				return p + 1, nil
			}
			p = s.skipSpace(data, p+1)
		}
		if at(data, p) != ',' {
			return 0, s.syntaxError(data, p, "a comma or ]")
		}
		p = s.skipSpace(data, p+1)
	}
}

// closeList makes the innermost open array an element of the array around it, or stores the
// outermost array in v.
func (s *Scanner) closeList(v *schema.Value) {
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	list := schema.Value{List: s.elements[last.base:], At: uint32(last.at), Kind: schema.List}
	if len(s.open) == 0 {
		*v = list
		return
	}
	if s.lists.IsFull() {
		return
	}
	if around := last.base - s.open[0].base; input.IsLong(len(list.List), around) {
		s.detach(around)
	} else {
		list.List = s.lists.Keep(list.List)
		s.elements = s.elements[:last.base]
	}
	s.elements = append(s.elements, list)
}

// scanArray parses the array at p for the paths that continue at the node. With this array, depth
// objects and arrays are open.
func (s *Scanner) scanArray(n *node, data []byte, p, depth int) (end int, err error) {
	from, items := p, n.items
	s.lists.Open(n.star.columns())
	p = s.skipSpace(data, p+1)
	// After a comma, a ] is not the end but an error, which scanItem finds.
	for i := 0; at(data, p) != ']' || i > 0; i++ {
		s.countElement(n.star, data, p, i)
		var to *node
		if len(items) > 0 && items[0].index == i {
			to, items = items[0].to, items[1:]
		}
		if p, err = s.scanItem(n.star, to, data, p, depth, i); err != nil {
			return 0, err
		}
		p = s.skipSpace(data, p)
		if c := at(data, p); c == ']' {
			break
		} else if c != ',' {
			return 0, s.syntaxError(data, p, "a comma or ]")
		}
		p = s.skipSpace(data, p+1)
	}
	s.closeStar(n.star, from)
	return p + 1, nil
}

// scanItem parses the element or member at p for paths with a star and for paths with its index or key. star and
// item may be nil; if both are, the element is skipped.
func (s *Scanner) scanItem(star, item *node, data []byte, p, depth, index int) (end int, err error) {
	if star != nil {
		if end, err = s.scanValue(star, data, p, depth); err != nil {
			return 0, err
		}
		s.lists.FillMissing(star.below, p, index+1)
		if item == nil {
			return end, nil
		}
	}
	return s.scanValue(item, data, p, depth)
}

// closeStar delivers the lists of the star, which may be nil. The array or object is at p.
func (s *Scanner) closeStar(star *node, p int) {
	for _, c := range star.columns() {
		v := s.lists.Close(c, p)
		if s.paths.limits.Mixed && schema.HasDropped(v.List) {
			v.Mixed = schema.MixedDropped
		}
		s.deliver(end{column: c}, v)
	}
}

// lineEnd returns the offset of the first LF in data, and the length of the line with the LF.
func lineEnd(data []byte) (end, n int) {
	if end = bytes.IndexByte(data, '\n'); end >= 0 {
		return end, end + 1
	}
	return len(data), len(data)
}
