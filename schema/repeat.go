package schema

// convertRepeated converts one value, and repeats it once per element of another column.
func (e *Encoder) convertRepeated(f *field, vals []Value) (bool, *RowError) {
	if f.Constant != nil {
		e.body = append(e.body, f.element...)
	} else if v := vals[f.slots[0]].unwrapSingle(); !f.isMissing(v) {
		if err := e.convert(f, v); err != nil {
			return false, err
		}
	} else if f.OnMissing == MissingDefault {
		e.body = append(e.body, f.element...)
	} else {
		return false, e.allowAbsent(f, v)
	}
	n, err := e.repeatCount(f, vals)
	if n < 0 || err != nil {
		return false, err
	}
	if len(e.body)*n > e.limit {
		return false, e.tooLarge(len(e.body) * n)
	}
	once := e.body // the first copy overwrites it with itself
	e.body = e.body[:0]
	for range n {
		e.body = append(e.body, once...)
	}
	return true, nil
}

// repeatCount returns how often f's value is repeated: once per element of another column. It
// returns -1 if that column is missing and f may have no value.
func (e *Encoder) repeatCount(f *field, vals []Value) (int, *RowError) {
	by := &vals[f.repeat]
	e.column = f.Repeat
	n := by.length()
	switch {
	case by.Kind == Missing:
		return -1, e.allowAbsent(f, by)
	case n < 0:
		return 0, e.notList(f, by)
	case f.steps == nil && !fitsShape(n, f.size, f.inner):
		return 0, e.badCount(f, by, n)
	}
	return n, nil
}
