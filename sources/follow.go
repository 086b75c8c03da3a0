package sources

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// A boundConversion has the keys whose columns follow one image and are requested, by the order in which they move:
// masks, boxes, points, polygons.
type boundConversion struct {
	Conversion
	keys []*followingKey
}

// A followingKey has the columns of a key.
type followingKey struct {
	*convert.Key
	rule    geometry.BoxRule // of boxes
	columns []inputColumn    // that are read: of masks in runs their counts and sizes
	with    []inputColumn
	mask    inputColumn // of masks: the column that gets them
}

// isRuns reports whether the key is of masks in runs.
func (k *followingKey) isRuns() bool { return k.Mask != nil && k.Mask.RLE != "" }

// order returns when the key moves.
func (k *followingKey) order() int {
	// Dropped boxes also drop elements of the lists in with. Masks in runs become such a list only when they
	// move, so they move before boxes; points and polygons of dropped boxes need no move.
	return slices.Index([]string{"masks", "boxes", "points", "polygons"}, k.Kind)
}

// bindFollowing binds the keys that name a column, with all columns that these keys name.
func (b *binder) bindFollowing(name string) error {
	for _, c := range b.s.spec.Conversions() {
		if b.named[c.Spec] == nil {
			b.named[c.Spec] = c.Spec.Named()
		}
		keys := b.named[c.Spec][name]
		if len(keys) == 0 {
			continue
		}
		conversion, err := b.conversionOf(c)
		for i := 0; i < len(keys) && err == nil; i++ {
			err = b.bindKey(conversion, keys[i])
		}
		return err
	}
	panic("sources: no conversion has the column " + name)
}

// bindKey adds a key to a conversion, unless it has the key.
func (b *binder) bindKey(conversion int, key *convert.Key) error {
	if b.bound[key] {
		return nil
	}
	b.bound[key] = true
	bound := &followingKey{Key: key}
	keys := &b.l.follows[conversion].keys
	at, _ := slices.BinarySearchFunc(*keys, bound.order()+1,
		func(k *followingKey, order int) int { return k.order() - order })
	*keys = slices.Insert(*keys, at, bound)
	if key.Box != nil {
		bound.rule = key.Box.Rule()
	}
	var err error
	if bound.with, err = b.following(key.With); err != nil {
		return err
	}
	if bound.columns, err = b.following(key.Columns); err != nil || key.Mask == nil {
		return err
	}
	if bound.mask = bound.columns[0]; bound.isRuns() {
		bound.columns, err = b.following([]string{bound.mask.name + ".counts", bound.mask.name + ".size"})
	}
	return err
}

// conversionOf returns the index of a conversion, which is added if it is new.
func (b *binder) conversionOf(c Conversion) (int, error) {
	k := slices.IndexFunc(b.l.follows, func(have boundConversion) bool { return have.Spec == c.Spec })
	if k >= 0 {
		return k, nil
	}
	if c.Load < 0 {
		// No feature may need the image, but its size says where coordinates move.
		b.own = append(b.own, input.Bound{Name: c.Column, Slot: input.TransformOnly})
	} else {
		l, err := b.loadOf(c.Load)
		if err != nil {
			return 0, err
		}
		l.transforms = true
	}
	b.l.follows = append(b.l.follows, boundConversion{Conversion: c})
	return len(b.l.follows) - 1, nil
}

// following returns the columns with their slots.
func (b *binder) following(names []string) ([]inputColumn, error) {
	var list []inputColumn
	for _, name := range names {
		slot, err := b.slotOf(name)
		if err != nil {
			return nil, err
		}
		c, _ := b.s.columns.Find(name)
		isList := c.List || c.Step == column.Own && len(c.Shape) > 0
		list = append(list, inputColumn{name: name, slot: slot, nulls: c.Nulls, isList: isList,
			isOwn: c.Step == column.Own})
	}
	return list, nil
}

// A follower moves the coordinates of one image. It may be used by one goroutine.
type follower struct {
	*boundConversion
	numbers []float64
	moved   []float64
	files   convert.MaskConverter
	runs    []int64
	counts  []Coordinates // by key; masks count nothing
	count   *Coordinates  // of the current key
	kept    []int         // indexes of the boxes of a row that stay
	memory  input.Bytes   // of moved coordinates of the row
	text    []byte        // moved masks of the row
}

// follow moves the coordinates of an image of the row.
func (r *Reader) follow(f *follower) error {
	t := r.transformOf(f)
	f.text = f.text[:0]
	f.memory.Reset()
	if err := r.pixels.Stop(); err != nil {
		return err
	}
	for i := range f.keys {
		r.count(f, i)
		if err := r.move(f, f.keys[i], t); err != nil {
			return err
		}
	}
	return nil
}

// move moves the values of a key.
func (r *Reader) move(f *follower, k *followingKey, t *geometry.Transform) error {
	if k.isRuns() { // the slot still has the mask of the row before
		r.vals[k.mask.slot] = schema.Value{At: r.vals[k.columns[0].slot].At}
	}
	switch missing, first := r.missing(k.columns); {
	case missing == len(k.columns):
		return r.checkMissingWith(k)
	case missing > 0:
		return r.badFollowing(first, nil, "the value is missing, but the %s have others", k.Kind)
	case t == nil:
		return r.badFollowing(&k.columns[0], nil, "the row has %s, but no image", k.Kind)
	case k.Box != nil && len(k.columns) == 4:
		return r.moveEdges(f, k, t)
	case k.Box != nil:
		return r.moveBoxes(f, k, t)
	case k.Points != nil && len(k.columns) > 1:
		return r.moveXY(f, k, t)
	case k.Points != nil:
		return r.movePoints(f, k, t)
	case k.Polygons != nil:
		return r.movePolygons(f, k, t)
	}
	return r.moveMasks(f, k, t)
}

// transformOf returns where coordinates of the row's image move; nil if the row has no image.
func (r *Reader) transformOf(f *follower) *geometry.Transform {
	var t *geometry.Transform
	if f.Load < 0 {
		t = r.own.(images.Transformer).Transform(f.Column)
	} else {
		t = r.loaderOf(f).images.Transform("")
	}
	if t != nil && f.Spec.Of == "turned" {
		upright := t.Upright()
		t = &upright
	}
	return t
}

// loaderOf returns the loader of the follower's image.
func (r *Reader) loaderOf(f *follower) *loader {
	k := slices.IndexFunc(r.loads, func(l loader) bool { return l.load == &r.l.s.loads[f.Load] })
	return &r.loads[k]
}

// isMissing reports whether the row has no value in a column.
func (r *Reader) isMissing(c *inputColumn) bool { return IsMissing(c.nulls, &r.vals[c.slot]) }

// badFollowing returns the error of a value that cannot follow the image. Its position is of an element, if that has
// one, or else of the column.
func (r *Reader) badFollowing(c *inputColumn, element *schema.Value, format string, args ...any) *schema.RowError {
	at := r.vals[c.slot].At
	if element != nil {
		at = cmp.Or(element.At, at)
	}
	return &schema.RowError{Code: "BOX_VALUE", At: int(at), Column: c.name, Message: fmt.Sprintf(format, args...)}
}

// badLength returns the error of a column that has another number of elements than the first column of its key.
func (r *Reader) badLength(c *inputColumn, got, expected int, first *inputColumn) *schema.RowError {
	return r.badFollowing(c, nil, "found %s; expected %s, as in %s", lengthText(got), lengthText(expected), first.name)
}

func lengthText(n int) string {
	if n < 0 {
		return "no list"
	}
	return plural.Of(n, "element")
}

// missing returns how many of the columns have no value in the row, and the first of them.
func (r *Reader) missing(columns []inputColumn) (n int, first *inputColumn) {
	for i := range columns {
		if c := &columns[i]; r.isMissing(c) {
			n, first = n+1, cmp.Or(first, c)
		}
	}
	return n, first
}

// readColumns reads numbers of several columns into f.numbers, one column after another. It returns how many elements
// each has; -1 if the columns have single numbers.
func (r *Reader) readColumns(f *follower, columns []inputColumn) (n int, err error) {
	first := &columns[0]
	n = first.length(&r.vals[first.slot])
	f.numbers = f.numbers[:0]
	for i := range columns {
		c := &columns[i]
		v := &r.vals[c.slot]
		if got := c.length(v); got != n {
			return n, r.badLength(c, got, n, first)
		}
		if f.numbers, err = r.appendNumbers(f.numbers, c, v); err != nil {
			return n, err
		}
	}
	return n, nil
}

// elementOf returns the i-th element of a list, or v if it is not a list of values.
func elementOf(v *schema.Value, i int) *schema.Value {
	if v.Kind == schema.List && 0 <= i && i < len(v.List) {
		return &v.List[i]
	}
	return v
}

// length returns the number of elements of a value; -1 if it is not a list.
func (c *inputColumn) length(v *schema.Value) int {
	if v.Kind == schema.Array && v.Len() == 1 && !c.isList {
		return -1
	}
	return v.Len()
}

// appendNumbers appends the numbers of a value: its only one, or all of a flat list.
func (r *Reader) appendNumbers(dst []float64, c *inputColumn, v *schema.Value) ([]float64, error) {
	count := v.Len()
	if count < 0 { // no list, but one number
		count = 1
	}
	for i := range count {
		n := numberAt(v, i)
		if e := elementOf(v, i); !n.isValid {
			if v.Kind == schema.List && e.Len() >= 0 {
				return dst, r.badFollowing(c, e, "found a list in element %d; expected a number", i)
			}
			return dst, r.badFollowing(c, e, "found %s; expected a finite number", e.Describe())
		}
		dst = append(dst, n.x)
	}
	return dst, nil
}

// moveFlat returns a value whose numbers are moved: a flat list, or each flat list in its lists. move gets the numbers
// of a flat list in f.numbers. Missing elements stay.
func (r *Reader) moveFlat(f *follower, c *inputColumn, v *schema.Value,
	move func(v *schema.Value) (moved []float64, err error)) (schema.Value, error) {
	isList := func(v schema.Value) bool { return v.Kind == schema.List || v.Kind == schema.Array && v.Len() != 1 }
	hasValue := func(v schema.Value) bool { return v.Kind != schema.Missing }
	switch {
	case v.Len() < 0:
		return *v, r.badFollowing(c, v, "found %s; expected a list of coordinates", v.Describe())
	case v.Kind == schema.List && !slices.ContainsFunc(v.List, hasValue): // the list may be of lists
		return *v, nil
	case !slices.ContainsFunc(v.List, isList):
		var err error
		if f.numbers, err = r.appendNumbers(f.numbers[:0], c, v); err != nil {
			return *v, err
		}
		moved, err := move(v)
		if err != nil {
			return *v, err
		}
		return r.array(f, c, moved, v.At)
	}
	if err := r.addSize(input.ElementSize*len(v.List), c.name); err != nil {
		return *v, err
	}
	list := r.lists.Take(len(v.List)) // the list of a lookup table is shared by the rows that match it
	for i := range list {
		if list[i] = v.List[i]; list[i].Kind == schema.Missing {
			continue
		}
		var err error
		if list[i], err = r.moveFlat(f, c, &v.List[i], move); err != nil {
			return *v, err
		}
	}
	return schema.Value{Kind: schema.List, List: list, At: v.At, Mixed: v.Mixed}, nil
}

// numberOf returns the number of a string, of a number of JSON, or of an Array of one.
func numberOf(v *schema.Value) (x float64, ok bool) {
	var n int64
	var isFloat bool
	switch {
	case v.Kind == schema.Array && v.Len() == 1:
		n, x, isFloat = v.NumberAt(0)
		ok = true
	case v.Kind == schema.Text || v.Kind == schema.String || v.Kind == schema.Number:
		n, x, isFloat, ok = schema.ReadNumber(v.Text)
	}
	if !isFloat {
		x = float64(n)
	}
	return x, ok
}

// array returns the value of moved numbers of a column. Its memory is valid until the next row.
func (r *Reader) array(f *follower, c *inputColumn, numbers []float64, at uint32) (schema.Value, error) {
	if err := r.addSize(8*len(numbers), c.name); err != nil {
		return schema.Value{}, err
	}
	text := f.memory.Take(8 * len(numbers))
	for _, x := range numbers {
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x))
	}
	// Moved coordinates mostly have a fraction, so an integer feature rounds them. For other floats that is an error.
	return schema.Value{Kind: schema.Array, Elem: schema.Float64, At: at, Rounded: true, Text: text}, nil
}
