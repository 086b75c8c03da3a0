package jsonl

import (
	"bytes"
	"slices"

	"tfr-build/schema"
)

// capture scans the value at p, inside depth objects and arrays, into v.
func (s *Scanner) capture(data []byte, p int, v *schema.Value, depth int) (end int, err error) {
	switch at(data, p) {
	case '[':
		return s.list(data, p, v, depth)
	case '{':
		if end, err = s.skip(data, p, depth); err != nil {
			return 0, err
		}
		*v = schema.Value{Text: data[p:end:end], At: uint32(p), Kind: schema.Object}
		return end, nil
	}
	return s.atom(data, p, v)
}

// An openList is an array that is being captured.
type openList struct {
	at   int // its bracket
	base int // its elements so far are elements[base:]
}

// list captures an array. The elements of open arrays lie one after another in
// elements; an inner array that closes moves its own to inner and becomes an
// element itself, unless it is long, see detach. Those of the outermost stay where
// they are.
func (s *Scanner) list(data []byte, p int, v *schema.Value, depth int) (int, error) {
	s.open = s.open[:0]
	for {
		if at(data, p) == '[' {
			if depth+len(s.open) >= s.paths.limits.Depth {
				return 0, tooDeep(p, s.paths.limits.Depth)
			}
			if len(s.open) > 0 && len(s.elements) == cap(s.elements) {
				s.grow(data, p) // for the list itself
			}
			s.open = append(s.open, openList{at: p, base: len(s.elements)})
			p = s.space(data, p+1)
			if at(data, p) != ']' {
				continue
			}
		} else {
			if len(s.elements) == cap(s.elements) {
				s.grow(data, p)
			}
			s.elements = append(s.elements, schema.Value{})
			end, err := s.capture(data, p, &s.elements[len(s.elements)-1], depth+len(s.open))
			if err != nil {
				return 0, err
			}
			p = s.space(data, end)
		}
		for at(data, p) == ']' {
			if s.closeList(v); len(s.open) == 0 {
				return p + 1, nil
			}
			p = s.space(data, p+1)
		}
		if at(data, p) != ',' {
			return 0, s.syntax(data, p, "a comma or ]")
		}
		p = s.space(data, p+1)
	}
}

// closeList makes the innermost open array an element of the one around it, or
// v if it is the outermost.
func (s *Scanner) closeList(v *schema.Value) {
	last := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	list := schema.Value{List: s.elements[last.base:], At: uint32(last.at), Kind: schema.List}
	if len(s.open) == 0 {
		*v = list
		return
	}
	if around := last.base - s.open[0].base; isLong(len(list.List), around) {
		s.detach(around)
	} else {
		list.List = s.keep(list.List)
		s.elements = s.elements[:last.base]
	}
	s.elements = append(s.elements, list)
}

// keep copies a list to where it stays.
func (s *Scanner) keep(list []schema.Value) []schema.Value {
	kept := s.inner.Take(len(list))
	copy(kept, list)
	return kept
}

// array scans the array at p, the depth-th of those around it, for what the
// node leads to.
func (s *Scanner) array(n *node, data []byte, p, depth int) (end int, err error) {
	from, items := p, n.items
	s.openStar(n.star)
	p = s.space(data, p+1)
	for i := 0; at(data, p) != ']' || i > 0; i++ {
		if err := s.fan(n.star, data, p, i); err != nil {
			return 0, err
		}
		var to *node
		if len(items) > 0 && items[0].index == i {
			to, items = items[0].to, items[1:]
		}
		if p, err = s.element(n.star, to, data, p, depth, i); err != nil {
			return 0, err
		}
		p = s.space(data, p)
		if c := at(data, p); c == ']' {
			break
		} else if c != ',' {
			return 0, s.syntax(data, p, "a comma or ]")
		}
		p = s.space(data, p+1)
	}
	s.closeStar(n.star, from)
	return p + 1, nil
}

// element scans the element at p for the star and for the path that has its
// index. Mostly one of them is nil; if both are, the element is skipped.
func (s *Scanner) element(star, item *node, data []byte, p, depth, index int) (end int, err error) {
	if star != nil {
		if end, err = s.value(star, data, p, depth); err != nil {
			return 0, err
		}
		s.fill(star, p, index+1)
		if item == nil {
			return end, nil
		}
	}
	return s.value(item, data, p, depth)
}

// openStar begins a list for each column below the star; it may be nil.
func (s *Scanner) openStar(star *node) {
	if star == nil {
		return
	}
	for _, c := range star.below {
		st := &s.states[c]
		st.bases = append(st.bases, len(st.lists))
		st.stars++
	}
}

// fill makes a missing element for each column below the star that the element
// at p gave none, so that all lists have count elements.
func (s *Scanner) fill(star *node, p, count int) {
	for _, c := range star.below {
		st := &s.states[c]
		if len(st.lists) < st.bases[len(st.bases)-1]+count {
			st.lists = append(st.lists, schema.Value{At: uint32(p)})
		}
	}
}

// closeStar delivers the lists that openStar began; the array is at p.
func (s *Scanner) closeStar(star *node, p int) {
	if star == nil {
		return
	}
	for _, c := range star.below {
		st := &s.states[c]
		base := st.bases[len(st.bases)-1]
		st.bases = st.bases[:len(st.bases)-1]
		st.stars--
		v := schema.Value{List: st.lists[base:], At: uint32(p), Kind: schema.List}
		if s.paths.limits.Mixed && schema.HasDropped(v.List) {
			v.Mixed = schema.MixedDropped
		}
		if st.stars > 0 {
			if isLong(len(v.List), base) {
				v.List = slices.Clip(v.List)
				st.lists = slices.Clone(st.lists[:base])
			} else {
				v.List = s.keep(v.List)
				st.lists = st.lists[:base]
			}
		}
		s.deliver(end{column: c}, v)
	}
}

// lineEnd is where the line that data begins with ends, without its LF, and
// how long it is with it.
func lineEnd(data []byte) (end, n int) {
	if end = bytes.IndexByte(data, '\n'); end >= 0 {
		return end, end + 1
	}
	return len(data), len(data)
}
