package schema

// convertRepeated converts one value, and repeats it once per element of another column.
func (g *gatherer) convertRepeated(f *field, vals []Value) (bool, *RowError) {
	if f.Constant != nil {
		g.conv.body = append(g.conv.body, f.element...)
	} else if v := vals[f.slots[0]].unwrapSingle(); !f.isMissing(v) {
		if err := g.conv.convert(f, v); err != nil {
			return false, err
		}
	} else if f.OnMissing == MissingDefault {
		g.conv.body = append(g.conv.body, f.element...)
	} else {
		return false, g.allowAbsent(f, v)
	}
	n, err := g.repeatCount(f, vals)
	if n < 0 || err != nil {
		return false, err
	}
	n = f.keeps(n)
	if len(g.conv.body)*n > g.limit.size {
		return false, g.limit.tooLarge(len(g.conv.body) * n)
	}
	once := g.conv.body // the first copy overwrites it with itself
	g.conv.body = g.conv.body[:0]
	for range n {
		g.conv.body = append(g.conv.body, once...)
	}
	return true, g.finishList(f, n)
}

// repeatCount returns how often f's value is repeated: once per element of another column. It
// returns -1 if that column is missing and f may have no value.
func (g *gatherer) repeatCount(f *field, vals []Value) (int, *RowError) {
	by := &vals[f.repeat]
	g.pos.column = f.Repeat
	n := by.length()
	switch {
	case by.Kind == Missing:
		return -1, g.allowAbsent(f, by)
	case n < 0:
		return 0, g.pos.notList(f, by)
	case f.steps == nil && !f.fits(n):
		return 0, g.pos.badCount(f, by, n)
	}
	return n, nil
}
