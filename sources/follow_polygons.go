package sources

import (
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
)

// movePolygons moves the polygons of a row. A polygon of which nothing remains becomes an empty list.
func (r *Reader) movePolygons(f *follower, p *followingKey, t *geometry.Transform) error {
	c, unit, n := &p.columns[0], p.Polygons.InUnit(), 0
	to, err := r.moveFlat(f, c, &r.vals[c.slot], func(v *schema.Value) ([]float64, error) {
		var err error
		if f.moved, err = t.MovePolygon(f.moved[:0], f.numbers, unit); err != nil {
			return nil, r.badFollowing(c, v, "%v", err)
		}
		f.count.add(n, f.numbers, unit, t.Outside(f.numbers, unit), len(f.moved) == 0 && len(f.numbers) > 0)
		n++
		return f.moved, nil
	})
	r.vals[c.slot] = to
	return err
}
