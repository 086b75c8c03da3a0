package schema

// repeated converts one value, as often as another column has elements.
func (e *Encoder) repeated(f *field, vals []Value) (bool, *RowError) {
	if f.Constant != nil {
		e.body = append(e.body, f.element...)
	} else if v := vals[f.slots[0]].lone(); !f.isMissing(v) {
		if err := e.convert(f, v); err != nil {
			return false, err
		}
	} else if f.OnMissing == MissingDefault {
		e.body = append(e.body, f.element...)
	} else {
		return false, e.without(f, v)
	}
	n, err := e.times(f, vals)
	if n < 0 || err != nil {
		return false, err
	}
	if len(e.body)*n > e.limit {
		return false, e.tooLarge(len(e.body) * n)
	}
	once := e.body // stays as it is: the first copy takes its own place
	e.body = e.body[:0]
	for range n {
		e.body = append(e.body, once...)
	}
	return true, nil
}

// times is how often f's value is repeated: as often as another column has
// elements. It is -1 where that is missing, and f may be without.
func (e *Encoder) times(f *field, vals []Value) (int, *RowError) {
	by := &vals[f.repeat]
	e.column = f.Repeat
	n := by.length()
	switch {
	case by.Kind == Missing:
		return -1, e.without(f, by)
	case n < 0:
		return 0, e.notList(f, by)
	case f.steps == nil && !fits(n, f.size, f.inner):
		return 0, e.badCount(f, by, n)
	}
	return n, nil
}
