package jsonl

import "tfr-build/schema"

// A state is what a Scanner knows of a column in the row at hand.
type state struct {
	exact bool           // its value is there by the row's own key
	stars int            // open arrays that a * of its path leads through
	lists []schema.Value // elements of these arrays
	bases []int          // where the elements of each of them begin in lists
	fault *schema.RowError
}

// object scans the object at p, the depth-th of those around it, for what the
// node leads to.
func (s *Scanner) object(n *node, data []byte, p, depth int) (int, error) {
	base, from := len(s.keys), p
	if p = s.space(data, p+1); at(data, p) == '}' {
		return p + 1, nil
	}
	for {
		quote := p
		text, value, err := s.key(data, p)
		if err != nil {
			return 0, err
		}
		to := n.findBytes(text)
		if depth == 1 {
			if err := s.note(from, quote, value, to); err != nil {
				return 0, err
			}
		}
		if p, err = s.value(to, data, value, depth); err != nil {
			return 0, s.inColumn(err, text, depth)
		}
		from = p
		p = s.space(data, p)
		switch at(data, p) {
		case ',':
			p = s.space(data, p+1)
		case '}':
			return p + 1, s.close(data, base)
		default:
			return 0, s.inColumn(s.syntax(data, p, "a comma or }"), text, depth)
		}
	}
}

// inColumn names the column that a fault inside the row's value text is in.
func (s *Scanner) inColumn(err error, text []byte, depth int) error {
	if e, ok := err.(*schema.RowError); ok && depth == 1 && e.Column == "" {
		e.Column = string(text)
	}
	return err
}

// value scans the value at p, inside depth objects and arrays, for what the
// node leads to; nil leads to nothing.
func (s *Scanner) value(n *node, data []byte, p, depth int) (end int, err error) {
	if n == nil {
		return s.skip(data, p, depth)
	}
	c := at(data, p)
	taken := s.taken
	switch {
	case c == '[' && n.star != nil && s.paths.limits.Mixed:
		s.deliverAll(n.ends, schema.Value{At: uint32(p), Mixed: schema.MixedTaken})
	case len(n.ends) > 0:
		var v schema.Value
		if end, err = s.capture(data, p, &v, depth); err != nil {
			return 0, err
		}
		if s.deliverAll(n.ends, v); !n.inner() {
			return end, nil
		}
	}
	if (c == '{' || c == '[') && depth >= s.paths.limits.Depth {
		return 0, tooDeep(p, s.paths.limits.Depth)
	}
	switch c {
	case '{':
		end, err = s.object(n, data, p, depth+1)
	case '[':
		end, err = s.array(n, data, p, depth+1)
	default:
		end, err = s.atom(data, p, nil)
	}
	if err == nil && c != 'n' {
		s.mistypeAll(n, data, p, s.taken > taken)
	}
	return end, err
}

// mistypeAll notes the paths that do not lead through the value at p; taken says that
// others do, or that it is a column's own.
func (s *Scanner) mistypeAll(n *node, data []byte, p int, taken bool) {
	c := data[p]
	if n.star != nil && c != '[' {
		s.mistype(n.star.below, data, p, "an array", taken)
	}
	for _, e := range n.edges {
		switch {
		case c == '{' || c == '[' && e.index >= 0:
		case e.index < 0:
			s.mistype(e.to.below, data, p, "an object", taken)
		default:
			s.mistype(e.to.below, data, p, "an array or object", taken)
		}
	}
}

// mistype notes that the paths of these columns expect something else at p. It
// counts once the whole row is known: a key of the row may yet win.
func (s *Scanner) mistype(columns []int, data []byte, p int, expected string, taken bool) {
	for _, c := range columns {
		st := &s.states[c]
		if s.paths.limits.Mixed {
			s.deliver(end{column: c}, s.replacement(c, data, p, taken))
			continue
		}
		if st.fault == nil {
			st.fault = rowError("TYPE", p, "the path leads through %s; expected %s", KindOf(data[p]), expected)
			st.fault.Column = s.paths.columns[c].Name
		}
	}
}

// replacement is what a column finds in the place of the value at p, of another kind:
// no value, or with a * in what is left of its path an empty list.
func (s *Scanner) replacement(column int, data []byte, p int, taken bool) schema.Value {
	v := schema.Value{At: uint32(p), Mixed: schema.MixedDropped}
	if s.states[column].stars < s.paths.stars[column] {
		v.Kind = schema.List
	}
	if taken || s.isHollow(data, p) {
		v.Mixed = schema.MixedTaken
	}
	return v
}

// isHollow reports whether the value at p is an empty array or object.
func (s *Scanner) isHollow(data []byte, p int) bool {
	switch at(data, p) {
	case '[':
		return at(data, s.space(data, p+1)) == ']'
	case '{':
		return at(data, s.space(data, p+1)) == '}'
	}
	return false
}

func (s *Scanner) deliverAll(ends []end, v schema.Value) {
	for _, e := range ends {
		s.deliver(e, v)
	}
}

// deliver gives a column its value: as an element of the innermost open list
// of its path, else as the row's.
func (s *Scanner) deliver(e end, v schema.Value) {
	st := &s.states[e.column]
	if v.Mixed == schema.NotMixed || len(v.List) > 0 {
		s.taken++
	}
	switch {
	case st.stars > 0:
		st.lists = append(st.lists, v)
	case e.exact:
		st.exact = true
		s.vals[s.paths.columns[e.column].Slot] = v
	case !st.exact:
		s.vals[s.paths.columns[e.column].Slot] = v
	}
}
