package jsonl

import "tfr-build/schema"

// A state is the state of a column in the current row.
type state struct {
	exact     bool             // the value was found by the row's own key
	typeError *schema.RowError // the path's first TYPE error
}

// scanObject parses the object at p for the paths that continue at the node. With this object,
// depth objects and arrays are open.
func (s *Scanner) scanObject(n *node, data []byte, p, depth int) (int, error) {
	base, from, object, star := len(s.keys), p, p, n.star
	if s.paths.limits.Mixed {
		star = nil
	}
	s.lists.Open(star.columns())
	if p = s.skipSpace(data, p+1); at(data, p) == '}' {
		s.closeStar(star, object)
		return p + 1, nil
	}
	for i := 0; ; i++ {
		quote := p
		text, value, err := s.scanKey(data, p)
		if err != nil {
			return 0, err
		}
		to := n.find(text)
		if depth == 1 {
			if err := s.recordKey(from, quote, value, to); err != nil {
				return 0, err
			}
		}
		s.countElement(star, data, value, i)
		if p, err = s.scanItem(star, to, data, value, depth, i); err != nil {
			return 0, s.inColumn(err, text, depth)
		}
		from = p
		p = s.skipSpace(data, p)
		switch at(data, p) {
		case ',':
			p = s.skipSpace(data, p+1)
		case '}':
			s.closeStar(star, object)
			return p + 1, s.closeObject(data, base)
		default:
			return 0, s.inColumn(s.syntaxError(data, p, "a comma or }"), text, depth)
		}
	}
}

// inColumn adds the name of the column to an error in its value. The column's key is text.
func (s *Scanner) inColumn(err error, text []byte, depth int) error {
	if e, ok := err.(*schema.RowError); ok && depth == 1 && e.Column == "" {
		e.Column = string(text)
	}
	return err
}

// scanValue parses the value at p, nested in depth objects and arrays, for the paths that continue
// at the node. A nil node has no paths.
func (s *Scanner) scanValue(n *node, data []byte, p, depth int) (end int, err error) {
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
		s.lists.NameTooMany(n.ends[0].column)
		if s.deliverAll(n.ends, v); !n.hasChildren() {
			return end, nil
		}
	}
	if (c == '{' || c == '[') && depth >= s.paths.limits.Depth {
		return 0, tooDeep(p, s.paths.limits.Depth)
	}
	switch c {
	case '{':
		end, err = s.scanObject(n, data, p, depth+1)
	case '[':
		end, err = s.scanArray(n, data, p, depth+1)
	default:
		end, err = s.skip(data, p, depth)
	}
	if err == nil && c != 'n' {
		s.recordTypeErrors(n, data, p, s.taken > taken)
	}
	return end, err
}

// recordTypeErrors records the paths that cannot continue in the value at p, because of its type.
// If another path found something in the value, or a column is the value, taken is true.
func (s *Scanner) recordTypeErrors(n *node, data []byte, p int, taken bool) {
	c := data[p]
	if n.star != nil && c != '[' && (c != '{' || s.paths.limits.Mixed) {
		s.recordTypeError(n.star.below, data, p, "an array or object", taken, nil)
	}
	for _, e := range n.edges {
		switch {
		case c == '{' || c == '[' && e.index >= 0:
		case e.index < 0:
			s.recordTypeError(e.to.below, data, p, "an object", taken, n)
		default:
			s.recordTypeError(e.to.below, data, p, "an array or object", taken, nil)
		}
	}
}

// recordTypeError records that the paths of these columns expect another type at p. The error
// counts only at the end of the row, because a key of the row may still take precedence. The node of an object is for
// the hint if the value is an array in its place; it may be nil.
func (s *Scanner) recordTypeError(columns []int, data []byte, p int, expected string, taken bool, object *node) {
	for _, c := range columns {
		st := &s.states[c]
		if s.paths.limits.Mixed {
			s.deliver(end{column: c}, s.replacement(c, data, p, taken))
			continue
		}
		if st.typeError == nil {
			st.typeError = rowError("TYPE", p, "the path leads through %s; expected %s", KindOf(data[p]), expected)
			st.typeError.Column, st.typeError.Hint = s.paths.columns[c].Name, s.paths.limits.MixedHint
			if object != nil && data[p] == '[' {
				st.typeError.Hint = joinHints(s.paths.starHint(st.typeError.Column, object), st.typeError.Hint)
			}
		}
	}
}

// replacement returns the value of a column in place of the value at p, which has the wrong type.
// The result is Missing or, if the rest of the path has a *, an empty list.
func (s *Scanner) replacement(column int, data []byte, p int, taken bool) schema.Value {
	v := schema.Value{At: uint32(p), Mixed: schema.MixedDropped}
	if s.lists.Depth(column) < s.paths.stars[column] {
		v.Kind = schema.List
	}
	if taken || s.isEmpty(data, p) {
		v.Mixed = schema.MixedTaken
	}
	return v
}

// isEmpty reports whether the value at p is an empty array or object.
func (s *Scanner) isEmpty(data []byte, p int) bool {
	switch at(data, p) {
	case '[':
		return at(data, s.skipSpace(data, p+1)) == ']'
	case '{':
		return at(data, s.skipSpace(data, p+1)) == '}'
	}
	return false
}

func (s *Scanner) deliverAll(ends []end, v schema.Value) {
	for _, e := range ends {
		s.deliver(e, v)
	}
}

// deliver adds a column's value to the innermost open list of its path; without one it is the row's
// value.
func (s *Scanner) deliver(e end, v schema.Value) {
	st := &s.states[e.column]
	if v.Mixed == schema.NotMixed || len(v.List) > 0 {
		s.taken++
	}
	switch {
	case s.lists.Depth(e.column) > 0:
		s.lists.Add(e.column, v)
	case e.exact:
		st.exact = true
		s.vals[s.paths.columns[e.column].Slot] = v
	case !st.exact:
		s.vals[s.paths.columns[e.column].Slot] = v
	}
}
