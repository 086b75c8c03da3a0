package schema

// This file makes the lists of a feature equally long: pad fills a shorter list at its end, and
// truncate cuts a longer one there.

// fits reports whether a list of n values has the shape of x, after padding and truncation.
func (x *field) fits(n int) bool {
	return fitsShape(n, x.size, x.inner) || x.Pad != nil && n < x.size || x.Truncate && n > x.size
}

// keeps returns how many values of a list of n are kept.
func (x *field) keeps(n int) int {
	if x.Truncate {
		return min(n, x.size)
	}
	return n
}

// truncate returns v, or its first values if it is a list that is cut.
func (g *gatherer) truncate(f *field, v *Value) *Value {
	if !f.Truncate || v.length() <= f.size {
		return v
	}
	g.cut = *v
	if v.Kind == Array {
		g.cut = v.subarray(0, f.size)
	} else {
		g.cut.List = v.List[:f.size]
	}
	return &g.cut
}

// fill appends pad to the list of count values in g.conv.body, up to the shape of f.
func (g *gatherer) fill(f *field, count int) *RowError {
	if count >= f.size {
		return nil
	}
	if size := len(g.conv.body) + len(f.pad)*(f.size-count); size > g.limit.size {
		return g.limit.tooLarge(size)
	}
	for range f.size - count {
		g.conv.body = append(g.conv.body, f.pad...)
	}
	return nil
}
