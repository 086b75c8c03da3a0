package sources

import (
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
)

// movePoints moves the points of a row.
func (r *Reader) movePoints(f *follower, p *followingKey, t *geometry.Transform) error {
	coordinates, visible := p.columns, p.columns[:0]
	if p.Points.Visible != "" {
		coordinates, visible = p.columns[:2], p.columns[2:]
	}
	missing, first := r.missing(coordinates)
	hidden, _ := r.missing(visible)
	switch {
	case missing == len(coordinates) && hidden == len(visible): // also without visible, which is then empty
		return nil
	case missing > 0:
		return r.badFollowing(first, "the value is missing, but the points have others")
	case t == nil:
		return r.badFollowing(&p.columns[0], "the row has points, but no image")
	case len(coordinates) == 2:
		return r.moveXY(f, p, t)
	}
	c := &p.columns[0]
	return r.replaceFlat(c, func(v *schema.Value) (schema.Value, error) { return r.moveFlat(f, p, t, v) })
}

// moveFlat moves the points in a flat list.
func (r *Reader) moveFlat(f *follower, p *followingKey, t *geometry.Transform, v *schema.Value) (schema.Value, error) {
	c, unit, stride := &p.columns[0], p.Points.InUnit(), 2
	if p.Points.XYV != "" {
		stride = 3
	}
	var err error
	if f.numbers, err = r.appendNumbers(f.numbers[:0], c, v); err != nil {
		return *v, err
	}
	if len(f.numbers)%stride != 0 {
		return *v, placed(v, r.badFollowing(c, "found %d numbers; expected %d per point", len(f.numbers), stride))
	}
	if err := r.addSize(8*len(f.numbers), c.name); err != nil {
		return *v, err
	}
	for i := 0; i < len(f.numbers); i += stride {
		point := f.numbers[i : i+stride]
		if stride == 3 && point[2] == 0 {
			continue // COCO writes [0, 0, 0] for a point without a position; moved, it would get one
		}
		x, y, inside, err := t.MovePoint(point[0], point[1], unit)
		if err != nil {
			return *v, placed(elementOf(v, i), r.badFollowing(c, "point %d, %v: %v", i/stride, point, err))
		}
		f.count.add(i/stride, point[:2], unit, t.Outside(point[:2], unit), stride == 3 && !inside)
		if point[0], point[1] = x, y; stride == 3 && !inside {
			point[2] = 0
		}
	}
	return f.array(f.numbers, v.At), nil
}

// moveXY moves points whose x and y are in two columns.
func (r *Reader) moveXY(f *follower, p *followingKey, t *geometry.Transform) error {
	first, unit := &p.columns[0], p.Points.InUnit()
	if _, err := r.readColumns(f, p.columns); err != nil {
		return err
	}
	count := len(f.numbers) / len(p.columns)
	x, y := f.numbers[:count], f.numbers[count:2*count]
	var visible []float64
	if len(p.columns) > 2 {
		visible = f.numbers[2*count:]
	}
	f.kept = f.kept[:0] // the points that become invisible
	for i := range count {
		if visible != nil && visible[i] == 0 {
			continue
		}
		toX, toY, inside, err := t.MovePoint(x[i], y[i], unit)
		if err != nil {
			return placed(elementOf(&r.vals[first.slot], i), r.badFollowing(first, "point %d, [%g %g]: %v", i, x[i], y[i], err))
		}
		from := [2]float64{x[i], y[i]}
		f.count.add(i, from[:], unit, t.Outside(from[:], unit), visible != nil && !inside)
		if x[i], y[i] = toX, toY; visible != nil && !inside {
			f.kept = append(f.kept, i)
		}
	}
	if err := r.addSize(3*8*count, first.name); err != nil {
		return err
	}
	for k, numbers := range [][]float64{x, y} {
		slot := p.columns[k].slot
		r.vals[slot] = f.array(numbers, r.vals[slot].At)
	}
	if len(f.kept) > 0 {
		r.hide(f, &p.columns[2])
	}
	return nil
}

// hide sets the visibility of points that are now outside to 0. Other values stay as they are.
func (r *Reader) hide(f *follower, c *followingColumn) {
	v := &r.vals[c.slot]
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
		f.reserve(len(v.Text))
		from, size := len(f.text), v.Elem.Size()
		f.text = append(f.text, v.Text...) // mapped files cannot be written, and tables are shared
		v.Text = f.text[from:len(f.text):len(f.text)]
		for _, i := range f.kept {
			clear(v.Text[i*size : (i+1)*size])
		}
	default:
		*v = zero
	}
}
