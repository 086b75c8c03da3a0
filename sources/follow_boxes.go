package sources

import (
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// checkMissingWith returns an error if a row without boxes has values that belong to boxes.
func (r *Reader) checkMissingWith(b *followingKey) error {
	for i := range b.with {
		if !r.isMissing(&b.with[i]) {
			return r.badFollowing(&b.with[i], nil, "the row has a value, but no boxes in %s", b.columns[0].name)
		}
	}
	return nil
}

// moveEdges moves boxes whose edges are in four columns.
func (r *Reader) moveEdges(f *follower, b *followingKey, t *geometry.Transform) error {
	first := &b.columns[0]
	n, err := r.readColumns(f, b.columns)
	if err != nil {
		return err
	}
	count := len(f.numbers) / 4
	if err := r.checkWith(b, n); err != nil {
		return err
	}
	f.kept = f.kept[:0]
	moved := f.numbers // of each column, the boxes that stay are moved to the front
	for i := range count {
		box := [4]float64{moved[i], moved[count+i], moved[2*count+i], moved[3*count+i]}
		to, kept, err := r.moveBox(f, b, t, i, elementOf(&r.vals[first.slot], i), box)
		if err != nil {
			return err
		}
		if !kept {
			continue
		}
		for k := range to { // at most at i, so the boxes that follow are still as they were
			moved[k*count+len(f.kept)] = to[k]
		}
		f.kept = append(f.kept, i)
	}
	if n < 0 && len(f.kept) == 0 {
		r.dropSingle(b)
		return nil
	}
	for k := range b.columns {
		v := &r.vals[b.columns[k].slot]
		if *v, err = r.array(f, &b.columns[k], moved[k*count:k*count+len(f.kept)], v.At); err != nil {
			return err
		}
	}
	if n < 0 {
		return nil
	}
	return r.keepElements(f, b, count)
}

// moveBoxes moves boxes of four numbers each in one column.
func (r *Reader) moveBoxes(f *follower, b *followingKey, t *geometry.Transform) error {
	c := &b.columns[0]
	v := r.vals[c.slot]
	if v.Len() < 0 {
		return r.badFollowing(c, nil, "found %s; expected a list of boxes", v.Describe())
	}
	// Four numbers are one box. An empty list has no boxes, and not a box without numbers.
	if v.Kind == schema.Array && v.Len() > 0 || v.Kind == schema.List && len(v.List) > 0 && v.List[0].Len() < 0 {
		to, kept, err := r.moveNumbers(f, b, t, 0, &v)
		if err == nil && !kept {
			r.dropSingle(b)
		} else if err == nil {
			r.vals[c.slot], err = r.array(f, c, to[:], v.At)
		}
		return err
	}
	count := v.Len()
	if err := r.checkWith(b, count); err != nil {
		return err
	}
	if err := r.addSize(input.ElementSize*count, c.name); err != nil {
		return err
	}
	f.kept = f.kept[:0]
	list := r.lists.Take(count)
	for i := range count {
		to, kept, err := r.moveNumbers(f, b, t, i, &v.List[i])
		if err != nil {
			return err
		}
		if !kept {
			continue
		}
		if list[len(f.kept)], err = r.array(f, c, to[:], v.List[i].At); err != nil {
			return err
		}
		f.kept = append(f.kept, i)
	}
	r.vals[c.slot] = schema.Value{Kind: schema.List, List: list[:len(f.kept)], At: v.At, Mixed: v.Mixed}
	return r.keepElements(f, b, count)
}

// moveNumbers moves the i-th box, of four numbers.
func (r *Reader) moveNumbers(f *follower, b *followingKey, t *geometry.Transform, i int,
	v *schema.Value) (to [4]float64, kept bool, err error) {
	c := &b.columns[0]
	if f.numbers, err = r.appendNumbers(f.numbers[:0], c, v); err != nil {
		return to, false, err
	}
	if len(f.numbers) != 4 {
		return to, false, r.badFollowing(c, v, "found %s; expected 4 per box", plural.Of(len(f.numbers), "number"))
	}
	return r.moveBox(f, b, t, i, v, [4]float64(f.numbers))
}

// moveBox moves the i-th box, which is at v.
func (r *Reader) moveBox(f *follower, b *followingKey, t *geometry.Transform, i int, v *schema.Value,
	box [4]float64) (to [4]float64, kept bool, err error) {
	if to, kept, err = t.MoveBox(box, &b.rule); err != nil {
		return to, false, r.badBox(b, t, box, v, fmt.Sprintf("box %d, %v: %v", i, box, err))
	}
	if c := &b.columns[0]; c.isOwn { // else the position is in another row
		f.count.row.At = int(elementOf(&r.vals[c.slot], i).At)
	}
	f.count.addBox(i, box, &b.rule, t, !kept)
	return to, kept, nil
}

// badBox returns the error of a box that cannot be moved. If its numbers are a box of the image in another form,
// it proposes that form.
func (r *Reader) badBox(b *followingKey, t *geometry.Transform, box [4]float64, v *schema.Value, text string) error {
	other := ""
	if b.rule.Form == geometry.Corners {
		other = otherForm(&b.rule, t, box)
	}
	if other != "" {
		text += "; as " + forms[other] + " it is inside the image"
	}
	bad := r.badFollowing(&b.columns[0], v, "%s", text)
	if other != "" && len(b.columns) == 1 { // four columns of edges have no other form
		bad.Hint = other + ": " + b.columns[0].name
	}
	return bad
}

// forms describes the keys of boxes that have a width and a height.
var forms = map[string]string{"xywh": "left, top, width, and height", "cxcywh": "center, width, and height"}

// otherForm returns the key of the form in which four numbers are a box of the image; empty if no form fits.
// Relative boxes are mostly written by their centers, and boxes in pixels by their corners.
func otherForm(rule *geometry.BoxRule, t *geometry.Transform, v [4]float64) string {
	isXYWH := t.HasBox(v, &geometry.BoxRule{Form: geometry.Extent, Unit: rule.Unit})
	isCXCYWH := t.HasBox(v, &geometry.BoxRule{Form: geometry.Center, Unit: rule.Unit})
	switch {
	case isCXCYWH && (rule.Unit == geometry.Relative || !isXYWH):
		return "cxcywh"
	case isXYWH:
		return "xywh"
	}
	return ""
}

// dropSingle makes the only box of a row missing, with the values that belong to it.
func (r *Reader) dropSingle(b *followingKey) {
	for _, columns := range [][]inputColumn{b.columns, b.with} {
		for i := range columns {
			// With the position, the error of a feature that needs the value still leads to the box.
			r.vals[columns[i].slot] = schema.Value{At: r.vals[columns[i].slot].At}
		}
	}
}

// checkWith returns an error unless the lists that belong to n boxes have n elements. If n is
// negative, the row has a single box, to which any values belong.
func (r *Reader) checkWith(b *followingKey, n int) error {
	if n < 0 {
		return nil
	}
	for i := range b.with {
		c := &b.with[i]
		if got := r.vals[c.slot].Len(); got != n && (n > 0 || !r.isMissing(c)) {
			return r.badLength(c, got, n, &b.columns[0])
		}
	}
	return nil
}

// keepElements drops the elements of dropped boxes, of count, from the lists that belong to them.
func (r *Reader) keepElements(f *follower, b *followingKey, count int) error {
	if len(f.kept) == count { // the lists stay as they are, without a copy
		return nil
	}
	for i := range b.with {
		v := &r.vals[b.with[i].slot]
		switch v.Kind {
		case schema.List:
			if err := r.addSize(input.ElementSize*len(f.kept), b.with[i].name); err != nil {
				return err
			}
			list := r.lists.Take(len(f.kept))
			for k, from := range f.kept {
				list[k] = v.List[from]
			}
			v.List = list
		case schema.Array:
			size := v.Elem.Size()
			text := f.memory.Take(size * len(f.kept))
			for _, k := range f.kept {
				text = append(text, v.Text[k*size:(k+1)*size]...)
			}
			v.Text = text
		}
	}
	return nil
}
