package schema

import (
	"fmt"
	"strconv"
)

// convertRows converts a list with a value for each row of a group, and returns the number of values. The
// value of a row has the shape of the feature without its first dimension, so it is a list, unless that is
// of one value.
func (g *gatherer) convertRows(f *field, v *Value) (int, *RowError) {
	g.pos.path = append(g.pos.path, 0)
	for i := range v.List {
		g.pos.path[0] = i
		if err := g.convertRow(f, &v.List[i]); err != nil {
			return 0, err
		}
	}
	g.pos.path = g.pos.path[:0]
	return len(v.List) * f.inner, nil
}

// convertRow converts the value of one row.
func (g *gatherer) convertRow(f *field, v *Value) *RowError {
	shape, count := f.Shape[1:], v.length()
	var err *RowError
	switch {
	case f.isMissing(v):
		return g.convertElement(f, v, f.inner)
	case v.Kind == List:
		nested := len(shape) > 1 && !isFlat(v.List)
		count, err = g.convertElements(f, v, shape, nested)
	case count < 0 && f.inner == 1:
		return g.conv.convert(f, v)
	case count < 0:
		return g.pos.notList(f, v)
	case count == f.inner:
		return g.conv.convertArray(f, v)
	}
	if err == nil && count != f.inner {
		message := fmt.Sprintf("found %s; expected %s for shape %s", counted(count, "value"), strconv.Itoa(f.inner),
			ShapeText(shape))
		return g.pos.newError(f, v, "SHAPE", message, "")
	}
	return err
}
