package schema

import "google.golang.org/protobuf/encoding/protowire"

// This file turns a list of labels into one vector with a 0 or 1 for each class. The labels are
// converted by a field of their own, as a list of class numbers; then their places are set.

// ClassNames returns the classes whose names the column has: Classes or MultiHot. It is nil for a
// feature without classes.
func (f *Feature) ClassNames() *Classes {
	if f.MultiHot != nil {
		return f.MultiHot
	}
	return f.Classes
}

// SetClassNames replaces the classes that ClassNames returns; nil means that nothing is known of them. A vector gets a
// place for each.
func (f *Feature) SetClassNames(c *Classes) {
	switch {
	case f.MultiHot == nil:
		f.Classes = c
	case c == nil:
		f.MultiHot, f.Shape = nil, []int{-1}
	default:
		f.MultiHot, f.Shape = c, []int{len(c.Names)}
	}
}

// labels returns the feature of the labels of a vector: a list of class numbers.
func (f Feature) labels() Feature {
	f.Classes, f.MultiHot = f.MultiHot, nil
	f.Type, f.Shape, f.Tensor, f.Raw = Int64, []int{-1}, false, false
	return f
}

// multiHotField returns the field of a vector.
func (c *compiler) multiHotField(f *Feature) *field {
	labels := f.labels()
	x, list := c.newField(f), c.newField(&labels)
	list.setForm()
	list.isLabels = true
	c.setAbsent(list)
	x.form, x.labels, x.hasAbsent = formMultiHot, list, list.hasAbsent
	one := uint64(1)
	if x.to == toFloat {
		one = floatOne
	}
	x.one = x.appendNumber(nil, one)
	x.zeros = repeated(x.appendNumber(nil, 0), x.size)
	switch {
	case x.OnMissing != MissingEmptyList:
	case x.steps != nil:
		x.absent = x.closeSteps(nil, 0)
	default:
		x.values = x.zeros
		x.absent = x.appendValues(nil, x.values)
	}
	return x
}

// floatOne has the bits of 1 as a float32.
const floatOne = 0x3f800000

// convertMultiHot converts the labels of a row into a vector in g.conv.body.
func (g *gatherer) convertMultiHot(f *field, vals []Value) (bool, *RowError) {
	present, err := g.gatherValues(f.labels, vals)
	if present && err == nil {
		g.setMarks(f)
	}
	return present, err
}

// convertMultiHotStep converts the labels of one step.
func (g *gatherer) convertMultiHotStep(f *field, v *Value) *RowError {
	if f.labels.isMissing(v) && !f.allowsEmptyStep() {
		return g.pos.newError(f, v, "MISSING", "the step is missing", "")
	}
	_, err := g.convertList(f.labels, v)
	if err == nil {
		g.setMarks(f)
	}
	return err
}

// setMarks replaces the class numbers in g.conv.body by a vector with 1 at their positions. A number
// outside the names sets nothing, and is counted.
func (g *gatherer) setMarks(f *field) {
	g.numbers = append(g.numbers[:0], g.conv.body...)
	g.conv.body = append(g.conv.body[:0], f.zeros...)
	for rest := g.numbers; len(rest) > 0; {
		number, size := protowire.ConsumeVarint(rest)
		rest = rest[size:]
		// Numbers wrap around, and so does their distance from the first: no other number is below the size.
		position := number - uint64(f.MultiHot.First)
		if position >= uint64(f.size) {
			g.unplaced++
			continue
		}
		copy(g.conv.body[int(position)*len(f.one):], f.one)
	}
}
