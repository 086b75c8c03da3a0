package schema

import (
	"fmt"
	"strconv"

	"tfr-build/message"
)

// This file encodes lists of lists of different lengths as TFDS does. A feature k of shape [-1, -1]
// with the value [[1, 2, 3], [], [4, 5]] has two entries:
//
//	k/ragged_flat_values     1 2 3 4 5
//	k/ragged_row_lengths_0   3 0 2
//
// Each further -1 adds a list of lengths. Dimensions after the -1s are the shape of an element of
// the innermost lists.

// IsRagged reports whether f has lists of lists of different lengths: more than one dimension of
// its shape is -1.
func (f *Feature) IsRagged() bool { return raggedDims(f.Shape) > 1 }

// raggedDims returns the number of leading dimensions of a shape that are -1.
func raggedDims(shape []int) (n int) {
	for n < len(shape) && shape[n] < 0 {
		n++
	}
	return n
}

// Keys returns the keys that f has in a message. A ragged feature has a key for its values, and one
// for each list of lengths, the outermost first.
func (f *Feature) Keys() []string {
	if !f.IsRagged() {
		return []string{f.Key}
	}
	keys := []string{f.Key + "/ragged_flat_values"}
	for i := range raggedDims(f.Shape) - 1 {
		keys = append(keys, f.Key+"/ragged_row_lengths_"+strconv.Itoa(i))
	}
	return keys
}

// withLengths returns the field, followed by the fields of the lengths of a ragged one.
func (x *field) withLengths(m Message) []field {
	all := []field{*x}
	stored := storage{list: message.Int64List, to: toInt}
	for i, key := range x.Keys()[1:] {
		lengths := *x
		lengths.form, lengths.level, lengths.name = formLengths, i+1, key
		lengths.entry = newEntry(key, stored.tag(m))
		lengths.to, lengths.width = stored.to, stored.width
		if x.absent != nil {
			lengths.absent = lengths.appendEntry(nil, nil)
		}
		all = append(all, lengths)
	}
	return all
}

// convertRagged converts lists of lists.
func (g *gatherer) convertRagged(f *field, v *Value) (bool, *RowError) {
	if f.isMissing(v) {
		return false, g.allowAbsent(f, v)
	}
	return true, g.convertLevel(f, v, f.Shape)
}

// convertLevel converts a list whose elements are lists, or the values of an innermost list.
func (g *gatherer) convertLevel(f *field, v *Value, shape []int) *RowError {
	if v.Kind == Array && raggedDims(shape) < 2 {
		return g.convertInnermost(f, v, shape)
	}
	if v.Kind != List {
		return g.pos.notDeep(f, v, len(shape))
	}
	if shape[0] >= 0 && len(v.List) != shape[0] {
		return g.pos.badLength(f, v, shape[0])
	}
	depth := len(g.pos.path)
	g.pos.path = append(g.pos.path, 0)
	for i := range v.List {
		g.pos.path[depth] = i
		elem := &v.List[i]
		var err *RowError
		switch {
		case len(shape) > 1 && f.isMissing(elem):
			err = g.missingList(f, elem, shape[1])
		case len(shape) > 1:
			err = g.convertLevel(f, elem, shape[1:])
		case elem.Kind == List:
			err = g.pos.tooDeep(f, elem)
		default:
			err = g.convertElement(f, elem, 1)
		}
		if err != nil {
			return err
		}
	}
	g.pos.path = g.pos.path[:depth] // not after an error, which is at that place
	return nil
}

// missingList returns the error of a missing list inside a list, for a dimension of the shape. It returns nil if the
// feature has an empty list in its place.
func (g *gatherer) missingList(f *field, v *Value, dim int) *RowError {
	switch {
	case dim >= 0: // such a list is never empty
		return g.pos.newError(f, v, "MISSING", "the list is missing", "")
	case f.OnMissing != MissingEmptyList:
		return g.pos.newError(f, v, "MISSING", "the list is missing", "missing: empty_list")
	}
	return nil
}

// convertInnermost converts an innermost list that is an Array.
func (g *gatherer) convertInnermost(f *field, v *Value, shape []int) *RowError {
	if size, inner := shapeSize(shape); !fitsShape(v.count(), size, inner) {
		return g.pos.newError(f, v, "SHAPE", fmt.Sprintf("found %s, which do not fit shape %s",
			counted(v.count(), "value"), ShapeText(shape)), "")
	}
	return g.conv.convertArray(f, v)
}

// appendLengths appends the lengths of the lists at depth f.level to g.conv.body, and returns false if v
// is missing. The flat values are encoded before, so the depth of the lists has been checked.
func (g *gatherer) appendLengths(f *field, v *Value) bool {
	g.appendLengthsAt(f, v, f.level)
	return !f.isMissing(v)
}

func (g *gatherer) appendLengthsAt(f *field, v *Value, level int) {
	for i := range v.List {
		elem := &v.List[i]
		if level > 1 {
			g.appendLengthsAt(f, elem, level-1)
			continue
		}
		n := len(elem.List)
		if elem.Kind == Array {
			_, inner := shapeSize(f.Shape[f.level:])
			n = elem.count() / inner
		}
		g.conv.body = f.appendNumber(g.conv.body, uint64(n))
	}
}

// notDeep returns the error of one value where f expects a list.
func (p *position) notDeep(f *field, v *Value, depth int) *RowError {
	expected := "a list"
	if depth > 1 {
		expected = "lists in a list"
	}
	message := fmt.Sprintf("found %s; expected %s for shape %s", v.Describe(), expected, ShapeText(f.Shape))
	return p.newError(f, v, "RAGGED_DEPTH", message, p.jsonHint(f, v))
}

// tooDeep returns the error of a list where f expects a value.
func (p *position) tooDeep(f *field, v *Value) *RowError {
	message := fmt.Sprintf("found %s; expected one value for shape %s", v.Describe(), ShapeText(f.Shape))
	return p.newError(f, v, "RAGGED_DEPTH", message, "")
}
