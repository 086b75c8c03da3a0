package sources

import (
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
)

// movePoints moves points in flat lists.
func (r *Reader) movePoints(f *follower, p *followingKey, t *geometry.Transform) (err error) {
	c, stride := &p.columns[0], 2
	if p.Points.XYV != "" {
		stride = 3
	}
	r.vals[c.slot], err = r.moveFlat(f, c, &r.vals[c.slot], func(v *schema.Value) ([]float64, error) {
		if len(f.numbers)%stride != 0 {
			return nil, r.badFollowing(c, v, "found %s; expected %d per point", plural.Of(len(f.numbers), "number"),
				stride)
		}
		for i := 0; i < len(f.numbers); i += stride {
			if err := r.movePoint(f, p, t, i/stride, f.numbers[i:i+stride], elementOf(v, i)); err != nil {
				return nil, err
			}
		}
		return f.numbers, nil
	})
	return err
}

// movePoint moves the i-th point, which is at v: x, y, and maybe its visibility, which becomes 0 if it is outside.
func (r *Reader) movePoint(f *follower, p *followingKey, t *geometry.Transform, i int, point []float64,
	v *schema.Value) error {
	unit, hasVisible := p.Points.InUnit(), len(point) > 2
	if hasVisible && point[2] == 0 {
		return nil // COCO writes [0, 0, 0] for a point without a position; moved, it would get one
	}
	x, y, inside, err := t.MovePoint(point[0], point[1], unit)
	if err != nil {
		shown := slices.Clone(point) // point itself would be allocated, also without an error
		return r.badFollowing(&p.columns[0], v, "point %d, %v: %v", i, shown, err)
	}
	f.count.add(i, point[:2], unit, t.Outside(point[:2], unit), hasVisible && !inside)
	if point[0], point[1] = x, y; hasVisible && !inside {
		point[2] = 0
	}
	return nil
}

// moveXY moves points whose x and y are in two columns.
func (r *Reader) moveXY(f *follower, p *followingKey, t *geometry.Transform) error {
	if _, err := r.readColumns(f, p.columns); err != nil {
		return err
	}
	count, first := len(f.numbers)/len(p.columns), &p.columns[0]
	f.kept = f.kept[:0] // the points that become invisible
	for i := range count {
		var all [3]float64
		point := all[:len(p.columns)]
		for k := range point {
			point[k] = f.numbers[k*count+i]
		}
		wasVisible := all[2] != 0
		if err := r.movePoint(f, p, t, i, point, elementOf(&r.vals[first.slot], i)); err != nil {
			return err
		}
		f.numbers[i], f.numbers[count+i] = point[0], point[1]
		if wasVisible && all[2] == 0 {
			f.kept = append(f.kept, i)
		}
	}
	for k := range 2 {
		v := &r.vals[p.columns[k].slot]
		var err error
		if *v, err = r.array(f, &p.columns[k], f.numbers[k*count:(k+1)*count], v.At); err != nil {
			return err
		}
	}
	if len(f.kept) > 0 {
		return r.hide(f, &p.columns[2])
	}
	return nil
}

// hide sets the visibility of points that are now outside to 0. Other values stay as they are.
func (r *Reader) hide(f *follower, c *inputColumn) error {
	v := &r.vals[c.slot]
	if err := r.addSize(8*max(0, v.Len()), c.name); err != nil {
		return err
	}
	zero := schema.Value{Kind: schema.Number, Text: []byte("0"), At: v.At}
	switch v.Kind {
	case schema.List:
		list := r.lists.Take(len(v.List)) // the list of a lookup table is shared by the rows that match it
		copy(list, v.List)
		for _, i := range f.kept {
			list[i] = zero
		}
		v.List = list
	case schema.Array:
		size := v.Elem.Size()
		v.Text = f.memory.Copy(v.Text) // mapped files cannot be written, and tables are shared
		for _, i := range f.kept {
			clear(v.Text[i*size : (i+1)*size])
		}
	default:
		*v = zero
	}
	return nil
}
