package sources

import (
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
)

// movePolygons moves the polygons of a row. A polygon of which nothing remains becomes an empty list.
func (r *Reader) movePolygons(f *follower, p *followingKey, t *geometry.Transform) error {
	c := &p.columns[0]
	switch {
	case r.isMissing(c):
		return nil
	case t == nil:
		return r.badFollowing(c, "the row has polygons, but no image")
	}
	n := 0
	return r.replaceFlat(c, func(v *schema.Value) (schema.Value, error) {
		var err error
		if f.numbers, err = r.appendNumbers(f.numbers[:0], c, v); err != nil {
			return *v, err
		}
		if f.moved, err = t.MovePolygon(f.moved[:0], f.numbers, p.Polygons.InUnit()); err != nil {
			return *v, placed(v, r.badFollowing(c, "%v", err))
		}
		unit := p.Polygons.InUnit()
		f.count.add(n, f.numbers, unit, t.Outside(f.numbers, unit), len(f.moved) == 0 && len(f.numbers) > 0)
		n++
		if err := r.addSize(8*len(f.moved), c.name); err != nil {
			return *v, err
		}
		return f.array(f.moved, v.At), nil
	})
}
